import { columnsAtVersion } from '../../../tables/columns.ts';
import type { TableName } from '../../../tables/exported-tables.ts';
import { headerLine, rowLine } from '../../history/copy-format.ts';
import type { PlannedEntry } from '../../history/export-plan.ts';
import type { DemoSegment } from '../segments.ts';
import { blockRows, checkpointRows, delegationRows } from './chain-tables.ts';
import { depositRows, withdrawalRows } from './gateway-tables.ts';
import type { HistorySource, RowGenerator } from './history-source.ts';
import { balanceRows, ledgerRows } from './ledger.ts';
import { marketDataRows } from './market-data.ts';
import { marketRows } from './markets.ts';
import { provisionRows } from './provisions.ts';
import { rewardRows } from './rewards.ts';
import { marginLevelRows, orderRows, positionRows, tradeRows } from './trading-tables.ts';

const ROW_GENERATORS: Readonly<Record<TableName, RowGenerator>> = {
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
  return joinIntoParts(entryLines(source, table, entry));
}

function* entryLines(source: HistorySource, table: TableName, entry: PlannedEntry): Iterable<string> {
  yield headerLine(columnsAtVersion(table, entry.databaseVersion) ?? []);
  for (const segment of entry.segments) yield* segmentLines(source, table, segment);
}

/** A line of CSV for each row of a segment. */
export function* segmentLines(source: HistorySource, table: TableName, segment: DemoSegment): Iterable<string> {
  const columns = columnsAtVersion(table, segment.databaseVersion) ?? [];
  for (const row of ROW_GENERATORS[table](source, segment)) yield rowLine(columns, row);
}

const PART_LENGTH = 1 << 16;

/** Joins lines. If reading fails, the lines read before come first. */
export function* joinIntoParts(lines: Iterable<string>): Iterable<string> {
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
