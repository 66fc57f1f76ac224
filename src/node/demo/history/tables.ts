import { columnsAt } from '../../../tables/columns.ts';
import type { TableName } from '../../../tables/exported-tables.ts';
import { headerLine, rowLine } from '../../history/copy-format.ts';
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

const ROWS_OF: Readonly<Record<TableName, TableRows>> = {
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

/** The CSV of an archive entry: one header, then each segment's rows, in parts of about 64 KiB. */
export function entryParts(source: HistorySource, table: TableName, entry: PlannedEntry): Iterable<string> {
  return inParts(entryLines(source, table, entry));
}

function* entryLines(source: HistorySource, table: TableName, entry: PlannedEntry): Iterable<string> {
  yield headerLine(columnsAt(table, entry.databaseVersion) ?? []);
  for (const segment of entry.segments) yield* segmentLines(source, table, segment);
}

/** A line of CSV for each row of a segment. */
export function* segmentLines(source: HistorySource, table: TableName, segment: Segment): Iterable<string> {
  const columns = columnsAt(table, segment.databaseVersion) ?? [];
  for (const row of ROWS_OF[table](source, segment)) yield rowLine(columns, row);
}

const PART_LENGTH = 1 << 16;

/** Joins lines. If reading fails, the lines read before come first. */
export function* inParts(lines: Iterable<string>): Iterable<string> {
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
