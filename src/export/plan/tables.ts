/** A table that can be exported (export-behaviour.md section 3). */
export interface ExportTable {
  /** As in file names: `ledger`. */
  readonly id: string;
  /** As in requests: `TABLE_LEDGER`. */
  readonly name: string;
  /** A short description. */
  readonly about: string;
}

const table = (id: string, about: string): ExportTable => ({ id, name: `TABLE_${id.toUpperCase()}`, about });

/** The 15 tables that nodes export. */
export const TABLES: readonly ExportTable[] = [
  table('balances', 'account balances, a row per change'),
  table('blocks', 'one row per block: time, height, hash'),
  table('checkpoints', 'checkpoints of the chain state'),
  table('delegations', 'stake delegated to validators, per epoch'),
  table('deposits', 'deposits, a row per change'),
  table('ledger', 'transfers between accounts: fees, rewards, settlements'),
  table('liquidity_provisions', 'commitments, a row per change'),
  table('margin_levels', 'margin levels of positions'),
  table('market_data', 'prices, open interest, auctions per market'),
  table('markets', 'market definitions, a row per change'),
  table('orders', 'orders, a row per change'),
  table('positions', 'positions, a row per change'),
  table('rewards', 'rewards paid, per epoch'),
  table('trades', 'trades with both sides and fees'),
  table('withdrawals', 'withdrawals, a row per change'),
];

/** Finds a table by `ledger`, `LEDGER` or `TABLE_LEDGER`; undefined when there is none. */
export function tableNamed(text: string): ExportTable | undefined {
  const id = text
    .trim()
    .toLowerCase()
    .replace(/^table_/, '');
  return TABLES.find(table => table.id === id);
}
