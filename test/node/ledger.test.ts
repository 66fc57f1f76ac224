import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseCsv } from './csv-rows.ts';
import { ask, withNode } from './wire.ts';

const node = withNode();

type Row = Readonly<Record<string, string>>;

async function rowsOf(table: string, fromBlock: number, toBlock: number): Promise<readonly Row[]> {
  const range = `fromBlock=${fromBlock}&toBlock=${toBlock}`;
  const { bytes } = await ask(`${node.url}/api/v2/networkhistory/export?${range}&table=TABLE_${table.toUpperCase()}`);
  return Object.values(unzipSync(bytes)).flatMap(content => {
    const [header = [], ...records] = parseCsv(Buffer.from(content).toString('utf8'));
    return records.map(record => Object.fromEntries(header.map((name, at) => [name ?? '', record[at] ?? 'NULL'])));
  });
}

const listed = v.object({ edges: v.array(v.object({ node: v.looseObject({ id: v.string() }) })) });
const product = v.object({ settlementAsset: v.optional(v.string()), quoteAsset: v.optional(v.string()) });
const market = v.object({
  id: v.string(),
  tradableInstrument: v.object({
    instrument: v.looseObject({
      future: v.optional(product),
      perpetual: v.optional(product),
      spot: v.optional(product),
    }),
  }),
});

async function list(path: string, member: string) {
  const answer: unknown = JSON.parse((await ask(`${node.url}/api/v2/${path}`)).text);
  return v.parse(v.object({ [member]: listed }), answer)[member]?.edges.map(edge => edge.node) ?? [];
}

interface Owner {
  readonly asset: string;
  readonly party: string;
  readonly slot: string;
  readonly type: string;
}

const idOf = ({ asset, party, slot, type }: Owner): string =>
  `\\x${createHash('sha256').update(`${asset}${party}${slot}ACCOUNT_TYPE_${type}`).digest('hex')}`;

/** Whose each account is, by all that the node lists and the tables name. */
const owners = new Map<string, Owner>();
let ledger: readonly Row[] = [];
let firstRows: readonly Row[] = [];
let rewards: readonly Row[] = [];

beforeAll(async () => {
  const assets = (await list('assets', 'assets')).map(({ id }) => id);
  const markets = (await list('markets?includeSettled=true', 'markets')).map(record => {
    const { future, perpetual, spot } = v.parse(market, record).tradableInstrument.instrument;
    return { id: record.id, asset: (future ?? perpetual)?.settlementAsset ?? spot?.quoteAsset ?? '' };
  });
  firstRows = await rowsOf('ledger', 1, 1000);
  ledger = [...firstRows, ...(await rowsOf('ledger', 14_001, 15_500))];
  rewards = [...(await rowsOf('rewards', 1, 1000)), ...(await rowsOf('rewards', 14_001, 15_500))];
  const trades = await rowsOf('trades', 1, 23_500);
  const parties = [...new Set(trades.flatMap(({ seller = '', buyer = '' }) => [seller, buyer]))].map(id => id.slice(2));
  const add = (owner: Owner): unknown => owners.set(idOf(owner), owner);
  for (const asset of assets) {
    for (const party of parties)
      for (const type of ['GENERAL', 'HOLDING', 'VESTING_REWARDS', 'VESTED_REWARDS'])
        add({ asset, party, slot: '', type });
    for (const type of [
      'FEES_INFRASTRUCTURE',
      'EXTERNAL',
      'PENDING_TRANSFERS',
      'PENDING_FEE_REFERRAL_REWARD',
      'NETWORK_TREASURY',
    ])
      add({ asset, party: 'network', slot: '', type });
  }
  for (const { asset, id: slot } of markets) {
    for (const party of parties)
      for (const type of ['MARGIN', 'BOND', 'LP_LIQUIDITY_FEES', 'ORDER_MARGIN']) add({ asset, party, slot, type });
    for (const type of ['INSURANCE', 'SETTLEMENT', 'FEES_LIQUIDITY', 'FEES_MAKER', 'LIQUIDITY_FEES_BONUS_DISTRIBUTION'])
      add({ asset, party: 'network', slot, type });
  }
  for (const { asset_id = '', market_id = '', game_id = 'NULL', reward_type = '' } of rewards) {
    const slot = game_id === 'NULL' ? market_id.slice(2) : game_id.slice(2);
    add({ asset: asset_id.slice(2), party: 'network', slot, type: reward_type.replace('ACCOUNT_TYPE_', '') });
  }
});

const from = ({ account_from_id = '' }: Row): Owner | undefined => owners.get(account_from_id);
const to = ({ account_to_id = '' }: Row): Owner | undefined => owners.get(account_to_id);

describe('Ledger of the demo chain', () => {
  test('The ledger has only accounts that its assets, markets, parties and pools can have', () => {
    expect(ledger.filter(row => from(row) === undefined || to(row) === undefined)).toEqual([]);
  });

  test('The ledger moves each amount between two accounts of one asset', () => {
    expect(ledger.filter(row => from(row)?.asset !== to(row)?.asset)).toEqual([]);
  });

  test.each([
    ['MAKER_FEE_PAY', 'GENERAL|INSURANCE', 'FEES_MAKER'],
    ['MAKER_FEE_RECEIVE', 'FEES_MAKER', 'GENERAL'],
    ['INFRASTRUCTURE_FEE_PAY', 'GENERAL|INSURANCE', 'FEES_INFRASTRUCTURE'],
    ['LIQUIDITY_FEE_PAY', 'GENERAL|INSURANCE', 'FEES_LIQUIDITY'],
    ['LIQUIDITY_FEE_ALLOCATE', 'FEES_LIQUIDITY', 'LP_LIQUIDITY_FEES'],
    ['LIQUIDITY_FEE_NET_DISTRIBUTE', 'LP_LIQUIDITY_FEES', 'GENERAL'],
    ['LIQUIDITY_FEE_UNPAID_COLLECT', 'LP_LIQUIDITY_FEES', 'LIQUIDITY_FEES_BONUS_DISTRIBUTION'],
    ['SLA_PERFORMANCE_BONUS_DISTRIBUTE', 'LIQUIDITY_FEES_BONUS_DISTRIBUTION', 'GENERAL'],
    ['CHECKPOINT_BALANCE_RESTORE', 'EXTERNAL', 'GENERAL|MARGIN|NETWORK_TREASURY'],
    ['MARGIN_CONFISCATED', 'MARGIN', 'INSURANCE'],
    ['BOND_HIGH', 'BOND', 'GENERAL'],
    ['MTM_LOSS', 'MARGIN|INSURANCE', 'SETTLEMENT'],
    ['MTM_WIN', 'SETTLEMENT', 'MARGIN'],
    ['PERPETUALS_FUNDING_LOSS', 'MARGIN', 'SETTLEMENT'],
    ['PERPETUALS_FUNDING_WIN', 'SETTLEMENT', 'MARGIN'],
    ['MARGIN_LOW', 'GENERAL', 'MARGIN'],
    ['MARGIN_HIGH', 'MARGIN', 'GENERAL'],
    ['ORDER_MARGIN_LOW', 'GENERAL', 'ORDER_MARGIN'],
    ['BOND_LOW', 'GENERAL', 'BOND'],
    ['SLA_PENALTY_BOND_APPLY', 'BOND', 'INSURANCE'],
    ['REWARDS_VESTED', 'VESTING_REWARDS', 'VESTED_REWARDS'],
    ['REWARD_PAYOUT', 'GLOBAL_REWARD|REWARD_.*|FEES_INFRASTRUCTURE', 'VESTING_REWARDS|GENERAL'],
    ['DEPOSIT', 'EXTERNAL', 'GENERAL'],
    ['WITHDRAW', 'GENERAL', 'EXTERNAL'],
    ['TRANSFER_FUNDS_SEND', 'GENERAL|VESTED_REWARDS|NETWORK_TREASURY', 'PENDING_TRANSFERS'],
    ['TRANSFER_FUNDS_DISTRIBUTE', 'PENDING_TRANSFERS', 'GENERAL|GLOBAL_REWARD|REWARD_.*'],
    ['SPOT', 'GENERAL|HOLDING', 'GENERAL'],
    ['HOLDING_LOCK', 'GENERAL', 'HOLDING'],
    ['CLEAR_ACCOUNT', 'MARGIN', 'GENERAL'],
  ])('The ledger has the type %s, and only for moves from %s to %s', (type, payer, payee) => {
    const rows = ledger.filter(row => row.type === `TRANSFER_TYPE_${type}`);
    expect(rows.length).toBeGreaterThan(0);
    const odd = rows.filter(
      row =>
        !new RegExp(`^(${payer})$`).test(from(row)?.type ?? '') ||
        !new RegExp(`^(${payee})$`).test(to(row)?.type ?? ''),
    );
    expect(odd).toEqual([]);
  });

  test('The ledger pays each reward once, from its pool to its party', () => {
    const paid = ledger.filter(({ type }) => type === 'TRANSFER_TYPE_REWARD_PAYOUT');
    const said = (party: string, asset: string, slot: string, type: string, amount: string, time: string) =>
      [party, asset, slot, type, amount, time].join(' ');
    expect(
      paid
        .map(row => {
          const pool = from(row);
          return said(
            ...([to(row)?.party ?? '', pool?.asset ?? '', pool?.slot ?? '', pool?.type ?? ''] as const),
            ...([row.quantity ?? '', row.vega_time ?? ''] as const),
          );
        })
        .toSorted(),
    ).toEqual(
      rewards
        .map(row => {
          const slot = (row.game_id ?? 'NULL') === 'NULL' ? row.market_id : row.game_id;
          const type = row.reward_type?.replace('ACCOUNT_TYPE_', '') ?? '';
          return said(
            ...([row.party_id?.slice(2) ?? '', row.asset_id?.slice(2) ?? '', slot?.slice(2) ?? '', type] as const),
            ...([row.amount ?? '', row.vega_time ?? ''] as const),
          );
        })
        .toSorted(),
    );
  });

  test('The ledger has both halves of a transfer under one id, and the empty id elsewhere', () => {
    const withId = ledger.filter(({ transfer_id: id = 'NULL' }) => id !== 'NULL');
    const halves = new Map<string, string[]>();
    for (const { transfer_id: id = '', type = '', quantity = '' } of withId) {
      if (id === '\\x') expect(type).not.toMatch(/TRANSFER_FUNDS/);
      else
        halves.set(id, [...(halves.get(id) ?? []), `${type.replace('TRANSFER_TYPE_TRANSFER_FUNDS_', '')} ${quantity}`]);
    }
    expect(halves.size).toBeGreaterThan(5);
    for (const [first = '', second = '', ...more] of halves.values()) {
      expect([first.replace('SEND', 'DISTRIBUTE'), more]).toEqual([second, []]);
      expect(first).toMatch(/^SEND/);
    }
  });

  test('The ledger gives the balance of both accounts after each move, never below zero', () => {
    const known = new Map<string, bigint>();
    for (const row of firstRows) {
      const { account_from_id: payer = '', account_to_id: payee = '', quantity = '' } = row;
      const after = { from: BigInt(row.account_from_balance ?? ''), to: BigInt(row.account_to_balance ?? '') };
      expect(after.from).toBeGreaterThanOrEqual(0n);
      if (from(row)?.type !== 'EXTERNAL') {
        const before = known.get(payer);
        if (before !== undefined) expect(after.from).toBe(before - BigInt(quantity));
        known.set(payer, after.from);
      }
      if (to(row)?.type !== 'EXTERNAL') {
        const before = known.get(payee);
        if (before !== undefined && payer !== payee) expect(after.to).toBe(before + BigInt(quantity));
        known.set(payee, after.to);
      }
    }
  });
});

test('Margin levels belong to margin accounts, with the order margin account of the same party and market', async () => {
  const levels = await rowsOf('margin_levels', 14_501, 15_500);
  expect(new Set(levels.map(row => `${row.vega_time} ${row.account_id}`)).size).toBe(levels.length);
  for (const { account_id = '', order_margin_account_id = '' } of levels) {
    const margin = owners.get(account_id);
    expect(margin?.type).toBe('MARGIN');
    expect(owners.get(order_margin_account_id)).toEqual({ ...margin, type: 'ORDER_MARGIN' });
  }
});

test('Ledger rows from before the upgrade may lack their type, and have no transfer id', () => {
  const old = ledger.filter(row => !('transfer_id' in row));
  expect(old.some(({ type }) => type === 'NULL')).toBe(true);
  expect(ledger.filter(row => 'transfer_id' in row && row.type === 'NULL')).toEqual([]);
});
