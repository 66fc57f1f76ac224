import { type HistoryTable, headerAt } from '../../history/columns.ts';
import { type HistoryRow, headerLine, rowLine } from '../../history/copy-format.ts';
import type { PlannedEntry } from '../../history/export-plan.ts';
import type { Segment } from '../segments.ts';
import { blockRows, checkpointRows, delegationRows } from './chain-tables.ts';
import { depositRows, withdrawalRows } from './gateway-tables.ts';
import type { HistorySource, TableRows } from './history-source.ts';
import { balanceRows, ledgerRows } from './ledger.ts';
import { marketDataRows } from './market-data.ts';
import { marketRows } from './markets.ts';
import { provisionRows } from './provisions.ts';
import { rewardRows } from './rewards.ts';
import { marginLevelRows, orderRows, positionRows, tradeRows } from './trading-tables.ts';

const ROWS_OF: Readonly<Record<HistoryTable, TableRows>> = {
  balances: balanceRows,
  checkpoints: checkpointRows,
  delegations: delegationRows,
  ledger: ledgerRows,
  orders: orderRows,
  trades: tradeRows,
  market_data: marketDataRows,
  margin_levels: marginLevelRows,
  positions: positionRows,
  liquidity_provisions: provisionRows,
  markets: marketRows,
  deposits: depositRows,
  withdrawals: withdrawalRows,
  blocks: blockRows,
  rewards: rewardRows,
};

/** Changes the lines of a segment on their way into a CSV. If it throws at once, the segment cannot be opened. */
export type SegmentDamage = (lines: Iterable<string>, segment: Segment) => Iterable<string>;

/** The CSV of an archive entry: one header, then each segment's rows, in parts of about 64 KiB. */
export function entryParts(
  source: HistorySource,
  table: HistoryTable,
  entry: PlannedEntry,
  damage: SegmentDamage = lines => lines,
): Iterable<string> {
  return inParts(entryLines(source, table, entry, damage));
}

function* entryLines(
  source: HistorySource,
  table: HistoryTable,
  entry: PlannedEntry,
  damage: SegmentDamage,
): Iterable<string> {
  const columns = headerAt(table, entry.databaseVersion);
  for (const [index, segment] of entry.segments.entries()) {
    const lines = damage(segmentLines(columns, ROWS_OF[table](source, segment)), segment);
    // The header belongs to the first segment: if that cannot be opened, there is no header.
    if (index === 0) yield headerLine(columns);
    yield* lines;
  }
}

function* segmentLines(columns: readonly string[], rows: Iterable<HistoryRow>): Iterable<string> {
  for (const row of rows) yield rowLine(columns, row);
}

const PART_LENGTH = 1 << 16;

/** Joins lines. If reading fails, the lines read before come first. */
function* inParts(lines: Iterable<string>): Iterable<string> {
  let part = '';
  try {
    for (const line of lines) {
      part += line;
      if (part.length < PART_LENGTH) continue;
      yield part;
      part = '';
    }
  } catch (error) {
    yield part;
    throw error;
  }
  yield part;
}
