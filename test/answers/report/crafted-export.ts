import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { archiveNamesPath, saveNamesFile } from '../../../src/chain/directory/names-file.ts';
import { columnsAtVersion } from '../../../src/tables/columns.ts';
import { asset, market } from '../../chain/directory/directories.ts';
import { zipOf } from '../../history/check/zip-bytes.ts';
import type { CsvRow, Known } from './second-book.ts';

const id = (label: string): string => hash('sha256', label, 'hex');

/** One that only makes transfers, a liquidated provider, one with an AMM, and one who is in no table. */
export const [TRANSFERS, LIQUIDATED, MAKER, NOBODY] = [id('t'), id('l'), id('m'), id('n')] as const;
export const [A, B, M] = [id('asset'), id('second asset'), id('market')] as const;

/** Names as a hostile node may give them: markup, a formula, and what ends a line of a journal. */
export const SYMBOL = '=1+1|<img src=x onerror=alert(1)>"; &';
export const MARKET_CODE = '`**[x](javascript:1)**` <script>\n; : | \u001b[31mred';

export const KNOWN: Known = { assets: [A, B], markets: [{ id: M, asset: A }] };

interface Owner {
  readonly of: string;
  readonly type: string;
  readonly on?: string;
  readonly asset?: string;
}

export const account = ({ of, type, on = '', asset: own = A }: Owner): string =>
  hash('sha256', `${own}${of}${on}ACCOUNT_TYPE_${type}`, 'hex');

/** Blocks are a second apart, a day before the end of October and the beginning of November 2026. */
export const timeOf = (block: number): string =>
  block <= 5 ? `2026-10-31 23:59:5${block}.000001+00` : `2026-11-01 00:00:${String(block).padStart(2, '0')}.000001+00`;

export type Rows = { [table in 'ledger' | 'balances' | 'rewards' | 'trades']: CsvRow[] };

const general = (of: string, own = A): Owner => ({ of, type: 'GENERAL', asset: own });
const network = (type: string, on = ''): Owner => ({ of: 'network', type, on });
const own = (of: string, type: string): Owner => ({ of, type, on: M });

/** The party of an AMM, made by hand. */
const derived = hash('sha3-256', `AMMv1${M}${MAKER}0`, 'hex');

/** Every kind of movement that a report tells apart, in amounts beyond what a number holds. */
export function story(): Rows {
  const made: (readonly [block: number, from: Owner, to: Owner, amount: bigint, type: string, transfer?: string])[] = [
    [1, network('EXTERNAL'), network('FEES_LIQUIDITY', M), 160n, 'CHECKPOINT_BALANCE_RESTORE'],
    [1, network('EXTERNAL'), network('GLOBAL_REWARD'), 13n, 'CHECKPOINT_BALANCE_RESTORE'],
    [1, network('EXTERNAL'), general(TRANSFERS), 10n ** 21n, 'DEPOSIT'],
    [1, network('EXTERNAL'), general(LIQUIDATED), 5n * 10n ** 20n + 1n, 'CHECKPOINT_BALANCE_RESTORE'],
    [1, network('EXTERNAL'), general(MAKER), 7n * 10n ** 20n, 'DEPOSIT'],
    [2, general(TRANSFERS), network('PENDING_TRANSFERS'), 300n, 'TRANSFER_FUNDS_SEND', 't1'],
    [3, network('PENDING_TRANSFERS'), general(MAKER), 300n, 'TRANSFER_FUNDS_DISTRIBUTE', 't1'],
    [3, general(TRANSFERS), network('FEES_INFRASTRUCTURE'), 2n, 'INFRASTRUCTURE_FEE_PAY', 't1'],
    [4, { of: TRANSFERS, type: 'VESTED_REWARDS' }, network('PENDING_TRANSFERS'), 40n, 'TRANSFER_FUNDS_SEND', 't2'],
    [4, network('PENDING_TRANSFERS'), general(TRANSFERS), 40n, 'TRANSFER_FUNDS_DISTRIBUTE', 't2'],
    [4, general(MAKER), { of: derived, type: 'GENERAL' }, 10n ** 18n, 'AMM_LOW'],
    [5, { of: derived, type: 'GENERAL' }, { of: derived, type: 'MARGIN', on: M }, 5n * 10n ** 17n, 'MARGIN_LOW'],
    [5, general(LIQUIDATED), own(LIQUIDATED, 'MARGIN'), 900n, 'MARGIN_LOW'],
    [6, network('FEES_MAKER', M), { of: derived, type: 'GENERAL' }, 11n, 'MAKER_FEE_RECEIVE'],
    [6, own(LIQUIDATED, 'MARGIN'), network('FEES_MAKER', M), 11n, 'MAKER_FEE_PAY'],
    [6, own(LIQUIDATED, 'MARGIN'), network('FEES_INFRASTRUCTURE'), 4n, 'INFRASTRUCTURE_FEE_PAY'],
    [7, own(LIQUIDATED, 'MARGIN'), network('SETTLEMENT', M), 500n, 'MTM_LOSS'],
    [7, network('SETTLEMENT', M), { of: derived, type: 'MARGIN', on: M }, 500n, 'MTM_WIN'],
    [8, own(LIQUIDATED, 'MARGIN'), network('INSURANCE', M), 385n, 'MARGIN_CONFISCATED'],
    [9, network('FEES_LIQUIDITY', M), own(LIQUIDATED, 'LP_LIQUIDITY_FEES'), 100n, 'LIQUIDITY_FEE_ALLOCATE'],
    [9, own(LIQUIDATED, 'LP_LIQUIDITY_FEES'), general(LIQUIDATED), 70n, 'LIQUIDITY_FEE_NET_DISTRIBUTE'],
    [
      ...([9, own(LIQUIDATED, 'LP_LIQUIDITY_FEES'), network('LIQUIDITY_FEES_BONUS_DISTRIBUTION', M), 30n] as const),
      'LIQUIDITY_FEE_UNPAID_COLLECT',
    ],
    [
      ...([9, network('LIQUIDITY_FEES_BONUS_DISTRIBUTION', M), general(LIQUIDATED), 5n] as const),
      'SLA_PERFORMANCE_BONUS_DISTRIBUTE',
    ],
    [9, network('FEES_LIQUIDITY', M), own(derived, 'LP_LIQUIDITY_FEES'), 60n, 'LIQUIDITY_FEE_ALLOCATE'],
    [9, own(derived, 'LP_LIQUIDITY_FEES'), general(derived), 50n, 'LIQUIDITY_FEE_NET_DISTRIBUTE'],
    [
      ...([9, own(derived, 'LP_LIQUIDITY_FEES'), network('LIQUIDITY_FEES_BONUS_DISTRIBUTION', M), 10n] as const),
      'LIQUIDITY_FEE_UNPAID_COLLECT',
    ],
    [9, network('GLOBAL_REWARD'), { of: MAKER, type: 'VESTING_REWARDS' }, 13n, 'REWARD_PAYOUT'],
    [9, general(TRANSFERS), network('EXTERNAL'), 10n ** 20n, 'WITHDRAW'],
  ];
  const ledger = made.map(([block, from, to, amount, type, transfer = ''], at) => ({
    ledger_entry_time: timeOf(block).replace('000001', String(at + 1).padStart(6, '0')),
    account_from_id: `\\x${account(from)}`,
    account_to_id: `\\x${account(to)}`,
    quantity: String(amount),
    tx_hash: '\\x00',
    vega_time: timeOf(block),
    transfer_time: timeOf(block),
    type: `TRANSFER_TYPE_${type}`,
    account_from_balance: '0',
    account_to_balance: '0',
    transfer_id: transfer === '' ? '\\x' : `\\x${id(transfer)}`,
  }));
  return { ledger, balances: balancesOf(ledger), rewards: [reward(9, MAKER, 13n)], trades: trades() };
}

/** The last state of each account in each block. Vested rewards of before the export are 1,000. */
export function balancesOf(ledger: readonly CsvRow[]): CsvRow[] {
  const held = new Map([[`\\x${account({ of: TRANSFERS, type: 'VESTED_REWARDS' })}`, 1000n]]);
  return [...Map.groupBy(ledger, ({ vega_time: time }) => time ?? '')].flatMap(([time, rows]) => {
    const changed = new Set<string>();
    for (const { account_from_id: from = '', account_to_id: to = '', quantity = '' } of rows) {
      held.set(from, (held.get(from) ?? 0n) - BigInt(quantity));
      held.set(to, (held.get(to) ?? 0n) + BigInt(quantity));
      changed.add(from).add(to);
    }
    changed.delete(`\\x${account(network('EXTERNAL'))}`);
    return [...changed].toSorted().map(of => ({
      ...{ account_id: of, tx_hash: '\\x00', vega_time: time, balance: String(held.get(of)) },
    }));
  });
}

const reward = (block: number, party: string, amount: bigint): CsvRow => ({
  party_id: `\\x${party}`,
  asset_id: `\\x${A}`,
  market_id: '\\x',
  epoch_id: '20',
  amount: String(amount),
  percent_of_total: '100',
  timestamp: timeOf(block),
  tx_hash: '\\x00',
  vega_time: timeOf(block),
  seq_num: '1',
  reward_type: 'ACCOUNT_TYPE_GLOBAL_REWARD',
  locked_until_epoch_id: '21',
  quantum_amount: '1',
  game_id: '',
});

/** The liquidated party takes from the AMM, and is closed out later. */
const trades = (): CsvRow[] => [
  { ...trade(6, '2'), aggressor: '1', type: '1', buyer_maker_fee: '11', buyer_infrastructure_fee: '4' },
  { ...trade(8, '3'), aggressor: '1', type: '3', buyer: '\\x03', seller: `\\x${LIQUIDATED}` },
];

const trade = (block: number, digit: string): CsvRow => ({
  synthetic_time: timeOf(block),
  tx_hash: '\\x00',
  vega_time: timeOf(block),
  seq_num: '0',
  id: `\\x${digit.repeat(64)}`,
  market_id: `\\x${M}`,
  price: '12345678901234567890',
  size: '21',
  buyer: `\\x${LIQUIDATED}`,
  seller: `\\x${derived}`,
  aggressor: '1',
  buy_order: `\\x${'c1'.repeat(32)}`,
  sell_order: `\\x${'c2'.repeat(32)}`,
  type: '1',
  ...Object.fromEntries(
    ['buyer', 'seller'].flatMap(side => [
      ...['maker', 'infrastructure', 'liquidity'].map(fee => [`${side}_${fee}_fee`, '0']),
      ...['maker', 'infrastructure', 'liquidity'].flatMap(fee => [
        [`${side}_${fee}_fee_referral_discount`, '0'],
        [`${side}_${fee}_fee_volume_discount`, '0'],
      ]),
    ]),
  ),
  buyer_auction_batch: '0',
  seller_auction_batch: '0',
});

/** Writes an archive for each table, each with the names of a chain whose assets have other decimals. */
export async function writeExport(
  folder: string,
  tables: Partial<Rows> & Record<string, CsvRow[]>,
  { to = 9 } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [table, rows] of Object.entries(tables)) {
    const columns = columnsAtVersion(table, 93) ?? [];
    const missing = columns.filter(column => rows.some(row => row[column] === undefined));
    if (missing.length > 0) throw new Error(`${table} lacks ${missing.join(', ')}`);
    const lines = [columns.join(','), ...rows.map(row => columns.map(column => row[column]).join(','))];
    const path = join(folder, `crafted-9-${table}-000001-00000${to}.zip`);
    await writeFile(
      path,
      zipOf([{ name: `crafted-9-${table}-093-000001-00000${to}.csv`, content: `${lines.join('\n')}\n` }]),
    );
    const names = {
      ...NO_NAMES,
      assets: new Map([
        [A, asset({ symbol: SYMBOL, decimals: 18 })],
        [B, asset({ symbol: 'B', decimals: 0 })],
      ]),
      markets: new Map([[M, market({ code: MARKET_CODE, asset: A, decimalPlaces: 3, positionDecimalPlaces: -1 })]]),
    };
    await saveNamesFile(archiveNamesPath(path), { chainId: 'crafted-9', names });
  }
}

/** What an audit needs beside them: the deposits and the withdrawal of the story, and its blocks. */
export function auditedTables(): Record<string, CsvRow[]> {
  const paid = (block: number, party: string, amount: bigint): CsvRow => ({
    ...{ id: `\\x${id(`${party} ${block}`)}`, status: 'STATUS_FINALIZED', party_id: `\\x${party}`, asset: `\\x${A}` },
    ...{ amount: String(amount), tx_hash: '\\x00', foreign_tx_hash: '0x', ext: '{}', ref: '1', expiry: '0' },
    ...{ credited_timestamp: timeOf(block), created_timestamp: timeOf(block), withdrawn_timestamp: timeOf(block) },
    vega_time: timeOf(block),
  });
  return {
    deposits: [paid(1, TRANSFERS, 10n ** 21n), paid(1, MAKER, 7n * 10n ** 20n)],
    withdrawals: [paid(9, TRANSFERS, 10n ** 20n)],
    blocks: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(block => ({
      ...{ vega_time: timeOf(block), height: String(block), hash: '\\x00' },
    })),
  };
}
