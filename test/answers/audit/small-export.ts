import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columnSchema, columnsAtVersion } from '../../../src/tables/columns.ts';
import type { DatabaseType } from '../../../src/tables/table.ts';
import { zipOf } from '../../history/check/zip-bytes.ts';

/** The columns of a row that matter here; the others get a value that no check reads. */
export type Row = Readonly<Record<string, string>>;

export type Tables = { [table: string]: Row[] };

export const P1 = '11'.repeat(32);
export const P2 = '22'.repeat(32);
export const ASSET = 'aa'.repeat(32);
export const MARKET = 'bb'.repeat(32);

/** The id of an account, written out by hand: not the program's own function. */
export const account = (type: string, party = 'network', market = ''): string =>
  hash('sha256', `${ASSET}${party}${market}ACCOUNT_TYPE_${type}`, 'hex');

export const EXTERNAL = account('EXTERNAL');
export const GENERAL_1 = account('GENERAL', P1);
export const GENERAL_2 = account('GENERAL', P2);

/** Blocks are a second apart. */
export const timeOf = (block: number): string =>
  `2026-10-01 12:${String(Math.floor(block / 60)).padStart(2, '0')}:${String(block % 60).padStart(2, '0')}.000001+00`;

export const bytes = (hex: string): string => `\\x${hex}`;

/** Numbers the ledger rows of each block, as a node does: in microseconds after the time of the block. */
export function numbered(ledger: readonly Row[]): Row[] {
  const next = new Map<string, number>();
  return ledger.map(row => {
    const time = row.vega_time ?? '';
    const number = next.get(time) ?? 0;
    next.set(time, number + 1);
    return { ...row, ledger_entry_time: time.replace('000001', String(1 + number).padStart(6, '0')) };
  });
}

/** Gives rows that were added to a block the numbers behind those that are there. */
function withNumbers(ledger: readonly Row[]): readonly Row[] {
  const next = new Map(
    [...Map.groupBy(ledger, ({ vega_time: time }) => time)].map(
      ([time, rows]) => [time, rows.filter(row => row.ledger_entry_time !== undefined).length] as const,
    ),
  );
  return ledger.map(row => {
    if (row.ledger_entry_time !== undefined) return row;
    const number = next.get(row.vega_time) ?? 0;
    next.set(row.vega_time, number + 1);
    return { ...row, ledger_entry_time: (row.vega_time ?? '').replace('000001', String(1 + number).padStart(6, '0')) };
  });
}

export const entry = (block: number, from: string, to: string, quantity: number, type: string): Row => ({
  vega_time: timeOf(block),
  account_from_id: bytes(from),
  account_to_id: bytes(to),
  quantity: String(quantity),
  type: type === '' ? '' : `TRANSFER_TYPE_${type}`,
});

export const balance = (block: number, id: string, amount: number): Row => ({
  vega_time: timeOf(block),
  account_id: bytes(id),
  balance: String(amount),
});

/** Deposits of one block, party and amount are one: its rows are its states. */
export const deposit = (block: number, party: string, amount: number, status = 'FINALIZED', created = block): Row => ({
  id: bytes(hash('sha256', `${created} ${party} ${amount}`, 'hex')),
  created_timestamp: timeOf(created),
  vega_time: timeOf(block),
  status: `STATUS_${status}`,
  party_id: bytes(party),
  asset: bytes(ASSET),
  amount: String(amount),
});

export const withdrawal = (
  block: number,
  party: string,
  amount: number,
  created = block,
  status = 'FINALIZED',
): Row => ({
  ...deposit(block, party, amount, status, created),
});

export const reward = (block: number, party: string, amount: number): Row => ({
  vega_time: timeOf(block),
  party_id: bytes(party),
  asset_id: bytes(ASSET),
  amount: String(amount),
});

export const trade = (block: number, buyer: string, seller: string, size: number, more: Row = {}): Row => ({
  vega_time: timeOf(block),
  market_id: bytes(MARKET),
  size: String(size),
  buyer: bytes(buyer),
  seller: bytes(seller),
  buy_order: bytes('c1'.repeat(32)),
  sell_order: bytes('c2'.repeat(32)),
  ...Object.fromEntries(
    ['buyer', 'seller'].flatMap(side =>
      ['maker', 'infrastructure', 'liquidity'].map(fee => [`${side}_${fee}_fee`, '0']),
    ),
  ),
  ...more,
});

export const position = (block: number, party: string, pending: number, more: Row = {}): Row => ({
  vega_time: timeOf(block),
  market_id: bytes(MARKET),
  party_id: bytes(party),
  pending_open_volume: String(pending),
  open_volume: String(pending),
  loss: '0',
  adjustment: '0',
  loss_socialisation_amount: '0',
  ...more,
});

/** Orders of P1 buy, and others sell. */
export const order = (block: number, id: string, party: string, size: number, more: Row = {}): Row => ({
  side: party === P1 ? '1' : '2',
  vega_time: timeOf(block),
  id: bytes(id.repeat(32)),
  market_id: bytes(MARKET),
  party_id: bytes(party),
  size: String(size),
  remaining: String(size),
  reserved_remaining: '',
  status: '1',
  version: '1',
  type: '1',
  created_at: timeOf(block),
  ...more,
});

/** An order that was placed and filled in one block. */
export const filled = (block: number, id: string, party: string, size: number, side: string, more: Row = {}): Row[] => [
  order(block, id, party, size, { side, remaining: '0', status: '5', ...more }),
];

export const blockRow = (height: number, block = height): Row => ({
  vega_time: timeOf(block),
  height: String(height),
});

/** The last state of each account in each block, as a node writes `balances`. EXTERNAL has none. */
export function balancesOf(ledger: readonly Row[]): Row[] {
  const held = new Map<string, number>();
  const rows: Row[] = [];
  for (const [time, entries] of Map.groupBy(ledger, ({ vega_time }) => vega_time)) {
    const changed = new Set<string>();
    for (const { account_from_id: from = '', account_to_id: to = '', quantity } of entries) {
      held.set(from, (held.get(from) ?? 0) - Number(quantity));
      held.set(to, (held.get(to) ?? 0) + Number(quantity));
      changed.add(from).add(to);
    }
    changed.delete(bytes(EXTERNAL));
    for (const id of [...changed].toSorted())
      rows.push({ vega_time: time ?? '', account_id: id, balance: String(held.get(id)) });
  }
  return rows;
}

/** A sound history of six blocks from block 1: restored balances, a deposit, a withdrawal, a reward, a trade, fees of providers. */
export function story(): Tables {
  const [vesting, pool, maker] = [
    account('VESTING_REWARDS', P1),
    account('GLOBAL_REWARD'),
    account('FEES_MAKER', 'network', MARKET),
  ];
  const [infrastructure, liquidity] = [account('FEES_INFRASTRUCTURE'), account('FEES_LIQUIDITY', 'network', MARKET)];
  const provided = account('LP_LIQUIDITY_FEES', P2, MARKET);
  const bonus = account('LIQUIDITY_FEES_BONUS_DISTRIBUTION', 'network', MARKET);
  const ledger = numbered([
    entry(1, EXTERNAL, GENERAL_1, 1000, 'CHECKPOINT_BALANCE_RESTORE'),
    entry(1, EXTERNAL, GENERAL_2, 500, 'CHECKPOINT_BALANCE_RESTORE'),
    entry(1, EXTERNAL, pool, 100, 'CHECKPOINT_BALANCE_RESTORE'),
    entry(2, EXTERNAL, GENERAL_1, 100, 'DEPOSIT'),
    entry(3, GENERAL_2, EXTERNAL, 50, 'WITHDRAW'),
    entry(4, pool, vesting, 7, 'REWARD_PAYOUT'),
    entry(5, GENERAL_1, maker, 3, 'MAKER_FEE_PAY'),
    entry(5, GENERAL_1, infrastructure, 2, 'INFRASTRUCTURE_FEE_PAY'),
    entry(5, GENERAL_1, liquidity, 9, 'LIQUIDITY_FEE_PAY'),
    entry(5, maker, GENERAL_2, 3, 'MAKER_FEE_RECEIVE'),
    entry(6, liquidity, provided, 8, 'LIQUIDITY_FEE_ALLOCATE'),
    entry(6, provided, GENERAL_2, 5, 'LIQUIDITY_FEE_NET_DISTRIBUTE'),
    entry(6, provided, bonus, 3, 'LIQUIDITY_FEE_UNPAID_COLLECT'),
    entry(6, bonus, GENERAL_2, 3, 'SLA_PERFORMANCE_BONUS_DISTRIBUTE'),
  ]);
  return {
    blocks: [1, 2, 3, 4, 5, 6].map(height => blockRow(height)),
    ledger,
    balances: balancesOf(ledger),
    deposits: [deposit(1, P1, 100, 'OPEN'), deposit(2, P1, 100, 'FINALIZED', 1)],
    withdrawals: [withdrawal(3, P2, 50)],
    rewards: [reward(4, P1, 7)],
    trades: [trade(5, P1, P2, 10, { buyer_maker_fee: '3', buyer_infrastructure_fee: '2', buyer_liquidity_fee: '9' })],
    positions: [position(5, P1, 10), position(5, P2, -10)],
    orders: [
      order(4, 'c2', P2, 15),
      order(5, 'c1', P1, 10, { remaining: '0', status: '5' }),
      order(5, 'c2', P2, 15, { remaining: '5', created_at: timeOf(4) }),
    ],
  };
}

export interface Written {
  readonly from?: number;
  readonly to?: number;
  readonly chain?: string;
  /** Columns that the header lacks. */
  readonly without?: readonly string[];
}

const digits = (block: number): string => String(block).padStart(6, '0');

/** Writes one archive per table; resolves with their paths. */
export async function writeTables(
  folder: string,
  tables: Tables,
  { from = 1, to = 6, chain = 'small-1', without = [] }: Written = {},
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [table, given] of Object.entries(tables)) {
    const rows = table === 'ledger' ? withNumbers(given) : given;
    const columns = (columnsAtVersion(table, 93) ?? []).filter(column => !without.includes(column));
    const lines = [
      columns.join(','),
      ...rows.map(row => columns.map(column => row[column] ?? plainValue(table, column)).join(',')),
    ];
    const path = join(folder, `${chain}-${table}-${digits(from)}-${digits(to)}.zip`);
    const name = `${chain}-${table}-093-${digits(from)}-${digits(to)}.csv`;
    await writeFile(path, zipOf([{ name, content: `${lines.join('\n')}\n` }]));
    paths.push(path);
  }
  return paths;
}

/** A value that says nothing. */
export function plainValue(table: string, column: string): string {
  const { stored = 'text' } = columnSchema(table, column) ?? {};
  const plain: { readonly [stored in DatabaseType]?: string } = {
    ...{ bytea: '\\x', timestamp: '1970-01-01 00:00:00+00', boolean: 'f', label: 'UNSPECIFIED', jsonb: '{}' },
  };
  return plain[stored] ?? '0';
}

/** The rows of some blocks. */
export function rowsBetween(tables: Tables, from: number, to: number): Tables {
  const isInside = ({ vega_time: time = '' }: Row): boolean => time >= timeOf(from) && time <= timeOf(to);
  return Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.filter(isInside)]));
}
