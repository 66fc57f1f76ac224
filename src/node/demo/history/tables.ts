import { type HistoryTable, headerAt } from '../../history/columns.ts';
import { headerLine, rowLine } from '../../history/copy-format.ts';
import type { PlannedEntry } from '../../history/export-plan.ts';
import { blockRows, checkpointRows, delegationRows, rewardRows } from './chain-tables.ts';
import type { HistorySource, TableRows } from './history-source.ts';
import { marketDataRows } from './market-data.ts';
import { marketRows } from './markets.ts';
import { balanceRows, depositRows, ledgerRows, withdrawalRows } from './money-tables.ts';
import { provisionRows } from './provisions.ts';
import { marginLevelRows, orderRows, positionRows, tradeRows } from './trading-tables.ts';

const rowsOf: Readonly<Record<HistoryTable, TableRows>> = {
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

const partLength = 1 << 16;

/** The CSV of an archive entry: one header, then each segment's rows, in parts of about 64 KiB. */
export function* entryParts(source: HistorySource, table: HistoryTable, entry: PlannedEntry): Iterable<string> {
  const columns = headerAt(table, entry.databaseVersion);
  let part = headerLine(columns);
  for (const segment of entry.segments) {
    for (const row of rowsOf[table](source, segment)) {
      part += rowLine(columns, row);
      if (part.length < partLength) continue;
      yield part;
      part = '';
    }
  }
  yield part;
}
