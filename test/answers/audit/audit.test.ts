import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/run-command.ts';
import * as small from './small-export.ts';

let folder = '';
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const difference = v.looseObject({ what: v.string(), party: v.nullable(v.string()), block: v.nullable(v.string()) });
const row = v.nullable(v.strictObject({ block: v.nullable(v.string()), time: v.string() }));
const report = v.strictObject({
  verdict: v.picklist(['adds-up', 'differs', 'cannot-be-judged']),
  sentence: v.string(),
  chainId: v.string(),
  blocks: v.array(v.strictObject({ from: v.string(), to: v.string() })),
  counts: v.strictObject({
    amounts: v.number(),
    amountsAgreeing: v.number(),
    blockNumbers: v.number(),
    others: v.number(),
  }),
  lastRows: v.record(v.string(), row),
  checks: v.array(
    v.strictObject({
      name: v.string(),
      title: v.string(),
      kind: v.picklist(['differs', 'look']),
      isCompared: v.boolean(),
      compared: v.strictObject({ accounts: v.number(), blocks: v.number(), rows: v.number(), values: v.number() }),
      agreed: v.number(),
      total: v.number(),
      differences: v.array(difference),
      blindSpots: v.array(v.string()),
    }),
  ),
});

async function audited(tables: small.Tables, written: small.Written = {}, flags: readonly string[] = []) {
  const place = join(folder, String(count++));
  const paths = await small.writeTables(place, tables, written);
  return auditOf([...paths, ...flags]);
}

/** The verdict, and the number of differences of each check that has some. */
async function auditOf(words: readonly string[]) {
  const { code, out, err } = await run(['audit', ...words, '-o', 'json']);
  if (out === '') throw new Error(err);
  const { verdict, checks, ...said } = v.parse(report, JSON.parse(out));
  const found = Object.fromEntries(
    checks.flatMap(({ name, differences }) => (differences.length > 0 ? [[name, differences.length]] : [])),
  );
  return { code, err, verdict, found, checks, ...said };
}

test('The audit of a valid history adds up, and nothing is worth a look', async () => {
  const { code, verdict, found, checks } = await audited(small.story());
  expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: {} });
  const compared = Object.fromEntries(checks.map(({ name, compared: { values } }) => [name, values]));
  expect(compared).toMatchInlineSnapshot(`
    {
      "balance-steps": 16,
      "block-numbers": 6,
      "boundaries": 0,
      "conservation": 1,
      "conservation-partial": 0,
      "deposits": 1,
      "fees-in-ledger": 3,
      "first-versions": 2,
      "ledger-numbers": 14,
      "liquidity-fees": 2,
      "order-remainders": 3,
      "order-versions": 3,
      "pending-volume": 2,
      "rewards": 1,
      "rewards-in-ledger": 1,
      "skipped-blocks": 6,
      "trade-fees": 3,
      "trade-orders": 2,
      "unlisted-accounts": 0,
      "versions": 1,
      "withdrawals": 1,
    }
  `);
});

test('The audit compares fees that are paid in full, even if the payer has nothing left afterwards', async () => {
  const { verdict, checks } = await audited(
    moved(({ ledger }) => ledger.push(small.entry(4, small.GENERAL_1, INSURANCE, 1086, ''))),
  );
  const fees = checks.find(({ name }) => name === 'trade-fees');
  expect([verdict, fees?.compared.values, fees?.differences]).toEqual(['adds-up', 3, []]);
});

type Change = (
  tables: {
    readonly [table in
      | 'blocks'
      | 'ledger'
      | 'balances'
      | 'deposits'
      | 'withdrawals'
      | 'rewards'
      | 'trades'
      | 'positions'
      | 'orders']: small.Row[];
  },
) => void;

/** The sound history, changed. */
function changed(change: Change): small.Tables {
  const { blocks = [], ledger = [], balances = [], deposits = [], withdrawals = [], ...others } = small.story();
  const { rewards = [], trades = [], positions = [], orders = [] } = others;
  const tables = { blocks, ledger, balances, deposits, withdrawals, rewards, trades, positions, orders };
  change(tables);
  return tables;
}

/** The same with balances that follow the changed ledger. */
const moved = (change: Change): small.Tables =>
  changed(tables => {
    change(tables);
    tables.ledger.sort((one, other) => ((one.vega_time ?? '') < (other.vega_time ?? '') ? -1 : 1));
    tables.ledger.splice(0, tables.ledger.length, ...small.numbered(tables.ledger));
    tables.balances.splice(0, tables.balances.length, ...small.balancesOf(tables.ledger));
  });

const MARGIN_1 = small.account('MARGIN', small.P1, small.MARKET);
const INSURANCE = small.account('INSURANCE', 'network', small.MARKET);

describe('Normal node behaviour', () => {
  test.each<readonly [string, small.Tables]>([
    [
      'a balance row that repeats the balance, and a ledger row of quantity 0',
      changed(({ ledger, balances }) => {
        ledger.push(small.entry(6, small.GENERAL_1, MARGIN_1, 0, 'MARGIN_LOW'));
        balances.push(small.balance(6, small.GENERAL_1, 1086));
      }),
    ],
    [
      'movements that cancel out in a block, without a balance row',
      changed(({ ledger }) => {
        ledger.push(small.entry(6, small.GENERAL_1, MARGIN_1, 5, 'MARGIN_LOW'));
        ledger.push(small.entry(6, MARGIN_1, small.GENERAL_1, 5, 'MARGIN_HIGH'));
      }),
    ],
    [
      'several recipients of one payment',
      moved(({ ledger }) => {
        ledger.push(small.entry(6, small.GENERAL_1, MARGIN_1, 5, 'MARGIN_LOW'));
        ledger.push(small.entry(6, small.GENERAL_1, INSURANCE, 6, ''));
      }),
    ],
    [
      'a deposit that stays open, and one that was rejected',
      changed(({ deposits }) => {
        deposits.push(small.deposit(3, small.P2, 9, 'OPEN'), small.deposit(3, small.P2, 10, 'DUPLICATE_REJECTED'));
      }),
    ],
    [
      'a deposit to nobody, which is a gift to the rewards',
      moved(({ deposits, ledger }) => {
        deposits.push(small.deposit(4, '0'.repeat(64), 9));
        ledger.push(small.entry(4, small.EXTERNAL, small.account('GLOBAL_REWARD'), 9, 'DEPOSIT'));
      }),
    ],
    [
      'a withdrawal that completes on Ethereum later, and one that is rejected',
      changed(({ withdrawals }) => {
        withdrawals.push(small.withdrawal(5, small.P2, 50, 3), small.withdrawal(5, small.P1, 9, 5, 'REJECTED'));
      }),
    ],
    [
      'infrastructure fees that are paid to the general account, and two rewards of one validator',
      moved(({ rewards, ledger }) => {
        const infrastructure = small.account('FEES_INFRASTRUCTURE');
        for (const _ of [1, 2]) {
          rewards.push(small.reward(6, small.P2, 1));
          ledger.push(small.entry(6, infrastructure, small.GENERAL_2, 1, 'REWARD_PAYOUT'));
        }
      }),
    ],
    [
      'a fee that is paid from general and margin account',
      moved(({ ledger }) => {
        ledger.push(small.entry(4, small.GENERAL_1, MARGIN_1, 5, 'MARGIN_LOW'));
        const fee = ledger.findIndex(({ type }) => type === 'TRANSFER_TYPE_LIQUIDITY_FEE_PAY');
        const liquidity = small.account('FEES_LIQUIDITY', 'network', small.MARKET);
        ledger.splice(fee, 1);
        ledger.push(small.entry(5, small.GENERAL_1, liquidity, 4, 'LIQUIDITY_FEE_PAY'));
        ledger.push(small.entry(5, MARGIN_1, liquidity, 5, 'LIQUIDITY_FEE_PAY'));
      }),
    ],
    [
      'the fee of a transfer in the block of a trade',
      moved(({ ledger }) => {
        const pending = small.account('PENDING_TRANSFERS');
        ledger.push(small.entry(5, small.GENERAL_1, small.account('FEES_INFRASTRUCTURE'), 1, 'INFRASTRUCTURE_FEE_PAY'));
        ledger.push(small.entry(5, small.GENERAL_1, pending, 30, 'TRANSFER_FUNDS_SEND'));
        ledger.push(small.entry(5, pending, small.GENERAL_2, 30, 'TRANSFER_FUNDS_DISTRIBUTE'));
      }),
    ],
    [
      'a fee that an empty account pays short',
      moved(({ ledger, trades, orders, positions }) => {
        positions.push(small.position(5, POOR, 1), small.position(5, 'ff'.repeat(32), -1));
        orders.push(...small.filled(5, 'd1', POOR, 1, '1'), ...small.filled(5, 'd2', 'ff'.repeat(32), 1, '2'));
        const own = small.account('GENERAL', POOR);
        ledger.push(small.entry(4, small.EXTERNAL, own, 2, 'CHECKPOINT_BALANCE_RESTORE'));
        ledger.push(small.entry(5, own, small.account('FEES_INFRASTRUCTURE'), 2, 'INFRASTRUCTURE_FEE_PAY'));
        const of = { buy_order: small.bytes('d1'.repeat(32)), sell_order: small.bytes('d2'.repeat(32)) };
        trades.push(small.trade(5, POOR, 'ff'.repeat(32), 1, { ...of, buyer_infrastructure_fee: '7' }));
      }),
    ],
    [
      'a close-out, in which the network pays from the insurance pool',
      moved(({ ledger, trades, positions, orders }) => {
        orders.push(...small.filled(6, 'd1', small.P2, 10, '1'));
        const of = { buy_order: small.bytes('d1'.repeat(32)), sell_order: small.bytes('d2'.repeat(32)) };
        trades.push({
          ...small.trade(6, small.P2, 'ff'.repeat(32), 10, of),
          seller: '\\x03',
          seller_maker_fee: '4',
        });
        positions.push(small.position(6, small.P2, 0));
        ledger.push(small.entry(6, small.EXTERNAL, INSURANCE, 1, 'CHECKPOINT_BALANCE_RESTORE'));
        ledger.push(
          small.entry(6, INSURANCE, small.account('FEES_MAKER', 'network', small.MARKET), 1, 'MAKER_FEE_PAY'),
        );
      }),
    ],
    [
      'a position that is settled or liquidated without a trade',
      changed(({ positions }) => {
        positions.push(small.position(6, small.P1, 0), small.position(6, small.P2, 0));
      }),
    ],
    [
      'a shared loss, which resets the pending volume',
      changed(({ positions }) => {
        positions.push(small.position(6, small.P1, 4, { loss_socialisation_amount: '-3' }));
      }),
    ],
    [
      'open volume that lags behind',
      changed(({ positions }) => {
        positions[0] = small.position(5, small.P1, 10, { open_volume: '0' });
      }),
    ],
    [
      'trades of a spot market, which have no positions',
      changed(({ trades, orders }) => {
        const market = { market_id: small.bytes('cc'.repeat(32)) };
        const of = { ...market, buy_order: small.bytes('d1'.repeat(32)), sell_order: small.bytes('d2'.repeat(32)) };
        orders.push(
          ...small.filled(6, 'd1', small.P1, 3, '1', market),
          ...small.filled(6, 'd2', small.P2, 3, '2', market),
        );
        trades.push(small.trade(6, small.P1, small.P2, 3, of));
      }),
    ],
    [
      'an order that is stopped after it matched, and one of the network',
      changed(({ orders }) => {
        orders.push(small.order(6, 'c7', small.P1, 10, { remaining: '4', status: '4' }));
        orders.push({
          ...small.order(6, 'c8', small.P1, 10, { remaining: '0', status: '5', type: '3' }),
          party_id: '\\x03',
        });
      }),
    ],
    [
      'an order whose size is cut below what is filled, and an iceberg',
      changed(({ orders }) => {
        orders.push(small.order(6, 'c2', small.P2, 8, { remaining: '0', version: '2', created_at: small.timeOf(4) }));
        orders.push(small.order(6, 'c9', small.P2, 8, { remaining: '3', reserved_remaining: '5' }));
      }),
    ],
    [
      'allocations that are rounded down, and penalties that take all of them',
      moved(({ ledger }) => {
        const provided = small.account('LP_LIQUIDITY_FEES', small.P1, small.MARKET);
        const liquidity = small.account('FEES_LIQUIDITY', 'network', small.MARKET);
        ledger.push(small.entry(6, liquidity, provided, 1, 'LIQUIDITY_FEE_ALLOCATE'));
        ledger.push(small.entry(6, provided, INSURANCE, 1, 'SLA_PENALTY_LP_FEE_APPLY'));
      }),
    ],
  ])('The audit reports no difference for normal node behaviour: %s', async (_what, tables) => {
    const { code, verdict, found } = await audited(tables);
    expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: {} });
  });

  test('The audit accepts money of a test asset, whose id is a word that the node stores as one byte', async () => {
    const asset = { asset: '\\x0c', asset_id: '\\x0c' };
    const [outside, own] = [accountOfWord('EXTERNAL', 'network'), accountOfWord('GENERAL', small.P1)];
    const tables = moved(({ ledger, deposits, withdrawals, rewards }) => {
      deposits.push({ ...small.deposit(4, small.P1, 9), ...asset });
      withdrawals.push({ ...small.withdrawal(5, small.P1, 3), ...asset });
      rewards.push({ ...small.reward(6, small.P1, 2), ...asset });
      ledger.push(small.entry(4, outside, own, 9, 'DEPOSIT'));
      ledger.push(small.entry(5, own, outside, 3, 'WITHDRAW'));
      ledger.push(small.entry(6, own, accountOfWord('VESTING_REWARDS', small.P1), 2, 'REWARD_PAYOUT'));
    });
    const balances = tables.balances?.filter(({ account_id: id }) => id !== small.bytes(outside)) ?? [];
    const { code, verdict, found, checks } = await audited({ ...tables, balances });
    expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: {} });
    const values = (name: string) => checks.find(check => check.name === name)?.compared.values;
    expect([values('deposits'), values('withdrawals'), values('rewards')]).toEqual([2, 2, 2]);
    expect(values('conservation')).toBe(2);
  });

  test('The audit accepts an order, a deposit and a withdrawal from before the range', async () => {
    const tables = changed(({ orders, deposits, withdrawals }) => {
      orders.push(small.order(6, 'c6', small.P2, 8, { remaining: '2', created_at: '2026-09-01 00:00:00+00' }));
      deposits.push(small.deposit(6, small.P2, 9, 'CANCELLED', 2));
      withdrawals.push(small.withdrawal(6, small.P2, 9, 1));
    });
    const { code, verdict, found } = await audited(small.rowsBetween(tables, 3, 6), { from: 3, to: 6 });
    expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: {} });
  });

  test('The audit accepts a trade that changes no position in a range after block 1', async () => {
    const tables = changed(({ positions }) => positions.splice(1, 1));
    const { found } = await audited(small.rowsBetween(tables, 3, 6), { from: 3, to: 6 });
    expect(found).toEqual({ 'pending-volume': 1 });
  });

  test('The audit accepts missing first rows in a range after block 1', async () => {
    const tables = changed(({ orders, deposits, positions }) => {
      orders.push(small.order(6, 'c6', small.P2, 8, { remaining: '2', created_at: small.timeOf(5) }));
      deposits.push(small.deposit(3, small.P2, 8, 'OPEN'), small.deposit(6, small.P2, 9, 'FINALIZED', 5));
      positions.push(small.position(6, POOR, 5), small.position(6, POOR, 5));
    });
    const { found } = await audited(small.rowsBetween(tables, 3, 6), { from: 3, to: 6 });
    expect(found).toMatchObject({ 'first-versions': 1, 'order-versions': 1, 'pending-volume': 1 });
  });

  test('The audit treats opening balances after block 1 as unknown, so a first row is no difference', async () => {
    const { code, verdict, found } = await audited(small.rowsBetween(small.story(), 3, 6), { from: 3, to: 6 });
    expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: {} });
  });
});

const POOR = '33'.repeat(32);

const accountOfWord = (type: string, party: string): string =>
  hash('sha256', `fUSDC${party}ACCOUNT_TYPE_${type}`, 'hex');

describe('Possibly harmless findings', () => {
  test.each<readonly [string, string, small.Tables]>([
    ['a reward whose transfer failed', 'rewards', changed(({ rewards }) => rewards.push(small.reward(6, small.P2, 5)))],
    ['a payout without a reward', 'rewards', changed(({ rewards }) => rewards.splice(0))],
    ['a trade that is missing', 'order-remainders', changed(({ trades }) => trades.splice(0))],
    ['a fee that is not paid', 'trade-fees', moved(({ ledger }) => ledger.splice(7, 1))],
    [
      'an order filled by more than its trades',
      'order-remainders',
      changed(({ orders }) => {
        orders[1] = small.order(5, 'c1', small.P1, 11, { remaining: '0', status: '5' });
      }),
    ],
    [
      'a position that moves by more than its trades',
      'pending-volume',
      changed(({ positions }) => {
        positions[0] = small.position(5, small.P1, 11);
      }),
    ],
    [
      'a penalty that leaves a part of what was allocated',
      'liquidity-fees',
      moved(({ ledger }) => {
        const provided = small.account('LP_LIQUIDITY_FEES', small.P1, small.MARKET);
        const liquidity = small.account('FEES_LIQUIDITY', 'network', small.MARKET);
        ledger.push(small.entry(6, liquidity, provided, 1, 'LIQUIDITY_FEE_ALLOCATE'));
        ledger.push(small.entry(6, provided, INSURANCE, 0, 'SLA_PENALTY_LP_FEE_APPLY'));
      }),
    ],
    [
      'a provider who is paid less than allocated',
      'liquidity-fees',
      moved(({ ledger }) => {
        ledger[11] = small.entry(
          6,
          small.account('LP_LIQUIDITY_FEES', small.P2, small.MARKET),
          small.GENERAL_2,
          4,
          'LIQUIDITY_FEE_NET_DISTRIBUTE',
        );
      }),
    ],
  ])('The audit marks a finding with a possibly harmless cause as worth a look: %s', async (_what, name, tables) => {
    const { code, verdict, found } = await audited(tables);
    expect({ code, verdict, found }).toMatchObject({
      code: 0,
      verdict: 'adds-up',
      found: { [name]: expect.any(Number) },
    });
  });
});

describe('Difference report', () => {
  const linesOf = async (tables: small.Tables): Promise<string> => {
    const paths = await small.writeTables(join(folder, String(count++)), tables);
    return (await run(['audit', ...paths])).out;
  };

  test('The audit names the account that the ledger paid to in a difference in a reward', async () => {
    const out = await linesOf(changed(({ rewards }) => rewards.splice(0, 1, small.reward(4, small.P1, 14))));
    expect(out).toMatch(
      /^ {2}a reward has another amount than its payout in the ledger, block 4, party 1.*, VESTING_REWARDS account, .*reward 14, ledger 7$/m,
    );
    expect(out).toContain('1 more is worth a look');
  });

  test('The audit shows both amounts of a difference in a balance or in provider fees, and what each one is', async () => {
    const out = await linesOf(
      changed(({ balances, ledger }) => {
        const at = balances.findIndex(({ vega_time: time }) => time === small.timeOf(2));
        balances[at] = { ...balances[at], balance: '1101' };
        ledger[11] = small.entry(
          6,
          small.account('LP_LIQUIDITY_FEES', small.P2, small.MARKET),
          small.GENERAL_2,
          4,
          'LIQUIDITY_FEE_NET_DISTRIBUTE',
        );
      }),
    );
    expect(out).toMatch(
      /in the ledger: an error path of the node, or rows missing, doubled or changed, .*, balances 101, ledger 100$/m,
    );
    expect(out).toMatch(
      /the fees paid out or withheld are not those allocated to the provider, .*, allocated 8, paid or withheld 7$/m,
    );
  });
});

describe('Audit differences', () => {
  test.each<readonly [string, string, string, string, small.Tables]>([
    [
      'a dropped balance row',
      'balance-steps',
      'balances has no row',
      '2',
      changed(({ balances }) => {
        balances.splice(
          balances.findIndex(({ vega_time: time }) => time === small.timeOf(2)),
          1,
        );
      }),
    ],
    [
      'a doubled balance row',
      'balance-steps',
      'balances has 2 rows',
      '2',
      changed(({ balances }) => {
        const at = balances.findIndex(({ vega_time: time }) => time === small.timeOf(2));
        balances.splice(at, 0, ...balances.slice(at, at + 1));
      }),
    ],
    [
      'a balance that is one unit too high',
      'balance-steps',
      'by another amount',
      '2',
      changed(({ balances }) => {
        const at = balances.findIndex(({ vega_time: time }) => time === small.timeOf(2));
        balances[at] = { ...balances[at], balance: '1101' };
      }),
    ],
    [
      'money that moves without a ledger row',
      'balance-steps',
      'without ledger rows',
      '6',
      changed(({ balances }) => {
        balances.push(small.balance(6, small.GENERAL_1, 1085));
      }),
    ],
    [
      'a deposit of another amount',
      'deposits',
      'another amount',
      '2',
      changed(({ deposits }) => {
        deposits[1] = small.deposit(2, small.P1, 101);
      }),
    ],
    [
      'a deposit that the ledger lacks',
      'deposits',
      'has no row for it',
      '3',
      changed(({ deposits }) => {
        deposits.push(small.deposit(3, small.P1, 101));
      }),
    ],
    [
      'a deposit row that is missing',
      'deposits',
      'the deposits do not have',
      '2',
      changed(({ deposits }) => deposits.splice(1)),
    ],
    [
      'a withdrawal row that is missing',
      'withdrawals',
      'the withdrawals do not have',
      '3',
      changed(({ withdrawals }) => withdrawals.splice(0)),
    ],
    [
      'a withdrawal row that is doubled',
      'withdrawals',
      'has no row for it',
      '3',
      changed(({ withdrawals }) => withdrawals.push(...withdrawals)),
    ],
  ])('The audit reports a difference once, with its place: %s', async (_what, name, words, block, tables) => {
    const { code, verdict, checks } = await audited(tables);
    expect({ code, verdict }).toEqual({ code: 5, verdict: 'differs' });
    const [first] = checks.find(check => check.name === name)?.differences ?? [];
    expect(first).toMatchObject({ what: expect.stringContaining(words), block });
    expect([small.P1, small.P2]).toContain(first?.party);
  });

  test('The audit finds a missing ledger row on both accounts, and in no other block', async () => {
    const { checks } = await audited(changed(({ ledger }) => ledger.splice(5, 1)));
    const steps = checks.find(({ name }) => name === 'balance-steps');
    expect(steps?.differences.map(({ block }) => block)).toEqual(['4', '4']);
  });

  test('The audit finds that money from nowhere breaks the conservation of its asset', async () => {
    const { verdict, found } = await audited(changed(({ balances }) => balances.push(small.balance(6, MARGIN_1, 5))));
    expect({ verdict, found }).toMatchObject({ verdict: 'differs', found: { conservation: 1 } });
  });

  test('The audit accepts moves between accounts of an unknown asset without ledger rows as conserved money', async () => {
    const [one, other] = ['e1'.repeat(32), 'e2'.repeat(32)];
    const tables = moved(({ ledger }) => {
      ledger.push(small.entry(1, small.EXTERNAL, one, 9, 'CHECKPOINT_BALANCE_RESTORE'));
      ledger.push(small.entry(1, small.EXTERNAL, other, 9, 'CHECKPOINT_BALANCE_RESTORE'));
    });
    tables.balances?.push(small.balance(6, one, 4), small.balance(6, other, 14));
    expect((await audited(tables)).found).toEqual({ 'balance-steps': 2 });
  });

  test('The audit accepts moves of a node error path without ledger rows as conserved money', async () => {
    const { found } = await audited(
      changed(({ balances }) => balances.push(small.balance(6, MARGIN_1, 5), small.balance(6, small.GENERAL_1, 1081))),
    );
    expect(found).toEqual({ 'balance-steps': 2 });
  });
});

describe('Easily detected damage', () => {
  const party = (id: string) => ({ party_id: small.bytes(id) });

  test.each<readonly [string, string, string, small.Tables]>([
    [
      'a deposit whose open row has another amount',
      'versions',
      'differs',
      changed(({ deposits }) => deposits.splice(0, 1, { ...deposits[0], amount: '101' })),
    ],
    [
      'a deposit whose open row is of another party',
      'versions',
      'differs',
      changed(({ deposits }) => deposits.splice(0, 1, { ...deposits[0], ...party(small.P2) })),
    ],
    [
      'a withdrawal that completes with another asset',
      'versions',
      'differs',
      changed(({ withdrawals }) =>
        withdrawals.push({ ...small.withdrawal(5, small.P2, 50, 3), asset: small.bytes('ab'.repeat(32)) }),
      ),
    ],
    [
      'a row of an open deposit that appears twice',
      'versions',
      'differs',
      changed(({ deposits }) => deposits.push(...deposits.slice(0, 1))),
    ],
    [
      'a deposit whose first row is missing',
      'first-versions',
      'adds-up',
      changed(({ deposits }) => deposits.splice(0, 1)),
    ],
    [
      'a ledger row that is missing with its balances',
      'ledger-numbers',
      'differs',
      changed(({ ledger, balances }) => {
        ledger.splice(7, 1);
        balances.splice(0, balances.length, ...small.balancesOf(ledger));
      }),
    ],
    [
      'a ledger row that appears twice, with balances to match',
      'ledger-numbers',
      'differs',
      changed(({ ledger, balances }) => {
        ledger.splice(7, 0, ...ledger.slice(7, 8));
        balances.splice(0, balances.length, ...small.balancesOf(ledger));
      }),
    ],
    ['an order of a trade without a row', 'trade-orders', 'adds-up', changed(({ orders }) => orders.splice(1, 1))],
    [
      'an order that changes its party',
      'order-versions',
      'adds-up',
      changed(({ orders }) => orders.splice(0, 1, { ...orders[0], ...party(small.P1) })),
    ],
    [
      'an order whose version goes up by two',
      'order-versions',
      'adds-up',
      changed(({ orders }) => orders.splice(2, 1, { ...orders[2], version: '3' })),
    ],
    ['an order whose first row is missing', 'order-versions', 'adds-up', changed(({ orders }) => orders.splice(0, 1))],
    [
      'a trade of another party than its order',
      'trade-orders',
      'adds-up',
      changed(({ trades }) => trades.splice(0, 1, { ...trades[0], buyer: small.bytes('77'.repeat(32)) })),
    ],
    [
      'a position that appears twice',
      'pending-volume',
      'adds-up',
      changed(({ positions }) => positions.splice(1, 0, ...positions.slice(1))),
    ],
  ])('The audit detects damage that is cheap to see: %s', async (_what, name, expected, tables) => {
    const { verdict, checks } = await audited(tables);
    expect(verdict).toBe(expected);
    expect(checks.find(check => check.name === name)?.differences.length).toBeGreaterThan(0);
  });
});

describe('Incomplete ledger', () => {
  /** Blocks 7 to 12, each with a reward and a trade with fees; the ledger and the balances end at a block. */
  const longer = (end: number, change: Change = () => {}): small.Tables => {
    const tables = moved(({ ledger, blocks, rewards, trades, orders, positions }) => {
      for (let block = 7; block <= 12; block++) {
        blocks.push(small.blockRow(block));
        rewards.push(small.reward(block, small.P1, 7));
        ledger.push(small.entry(block, small.account('GLOBAL_REWARD'), VESTING_1, 7, 'REWARD_PAYOUT'));
        ledger.push(
          small.entry(block, small.GENERAL_1, small.account('FEES_INFRASTRUCTURE'), 2, 'INFRASTRUCTURE_FEE_PAY'),
        );
        const [buy, sell] = [`b${block % 10}`, `a${block % 10}`];
        const of = { buy_order: small.bytes(buy.repeat(32)), sell_order: small.bytes(sell.repeat(32)) };
        trades.push(small.trade(block, small.P1, small.P2, 1, { ...of, buyer_infrastructure_fee: '2' }));
        orders.push(...small.filled(block, buy, small.P1, 1, '1'), ...small.filled(block, sell, small.P2, 1, '2'));
        positions.push(small.position(block, small.P1, block + 4), small.position(block, small.P2, -block - 4));
      }
    });
    const until = small.timeOf(end);
    const isBefore = ({ vega_time: time = '' }: small.Row): boolean => time <= until;
    const { blocks = [], ledger = [], balances = [], deposits = [], withdrawals = [], ...others } = tables;
    const { rewards = [], trades = [], positions = [], orders = [] } = others;
    const cut = { ledger: ledger.filter(isBefore), balances: balances.filter(isBefore) };
    const made = { blocks, ...cut, deposits, withdrawals, rewards, trades, positions, orders };
    change(made);
    return made;
  };
  const WRITTEN = { to: 12 };
  const VESTING_1 = small.account('VESTING_REWARDS', small.P1);

  test('The audit of a complete ledger adds up, counts money apart from blocks, and shows both ends', async () => {
    const whole = await audited(longer(12), WRITTEN);
    expect([whole.code, whole.found]).toEqual([0, {}]);
    expect(whole.counts).toEqual({ amounts: 43, amountsAgreeing: 43, blockNumbers: 12, others: 43 });
    expect(whole.sentence).toBe(
      'the money adds up in blocks 1 to 12: 43 amounts compared, all agree; all 12 block numbers in order; the last ledger row is in block 12, the last balance row is in block 12',
    );
    expect(whole.blocks).toEqual([{ from: '1', to: '12' }]);
  });

  test.each([6, 7, 9])('The audit does not add up if the ledger and the balances are cut after block %d', async end => {
    const { code, verdict, sentence, lastRows } = await audited(longer(end), WRITTEN);
    expect([code, verdict]).toEqual([5, 'differs']);
    expect(sentence).toMatch(
      new RegExp(`in a row have \\w.*the last ledger row is in block ${end}, the last balance row`),
    );
    expect([lastRows.ledger?.block, lastRows.trades?.block]).toEqual([String(end), '12']);
  });

  test('The audit detects an incomplete ledger with only rewards, only trades, no blocks, and for one party', async () => {
    const without = (...names: readonly string[]): small.Tables =>
      Object.fromEntries(Object.entries(longer(6)).filter(([name]) => !names.includes(name)));
    for (const tables of [without('rewards'), without('trades', 'orders', 'positions')]) {
      expect((await audited(tables, WRITTEN)).verdict).toBe('differs');
      expect((await audited(tables, WRITTEN, ['--party', small.P1])).verdict).toBe('differs');
    }
    const { sentence } = await audited(without('blocks'), WRITTEN);
    expect(sentence).toContain('the last ledger row is of 2026-10-01 12:00:06.000001 UTC');
  });

  test('The audit marks one or two failed payments as worth a look, but not a large share of payouts without rewards', async () => {
    const unpaid = longer(12, ({ rewards }) =>
      rewards.push(small.reward(12, small.P2, 5), small.reward(12, small.P2, 6)),
    );
    expect(await audited(unpaid, WRITTEN)).toMatchObject({ verdict: 'adds-up', found: { rewards: 2 } });
    const emptied = await audited(
      longer(12, ({ rewards }) => rewards.splice(0)),
      WRITTEN,
    );
    expect(emptied).toMatchObject({ verdict: 'differs', found: { 'rewards-in-ledger': 1 } });
    expect(emptied.sentence).toContain('7 of 7 payouts in the ledger have no row in rewards');
  });

  test('The audit reports a large share of ledger fees without trades as a difference, but not transfer fees', async () => {
    const without = (type: string, count: number): small.Tables =>
      longer(12, ({ ledger, trades }) => {
        for (const [at, row] of ledger.entries())
          if (row.type?.endsWith('INFRASTRUCTURE_FEE_PAY')) ledger[at] = { ...row, type: `TRANSFER_TYPE_${type}` };
        trades.splice(-count);
      });
    for (const type of ['MAKER_FEE_PAY', 'LIQUIDITY_FEE_PAY']) {
      const { code, verdict, sentence } = await audited(without(type, 3), WRITTEN);
      expect([code, verdict]).toEqual([5, 'differs']);
      expect(sentence).toContain('3 of 7 blocks in which the ledger has fees of trades have no trade');
      expect((await audited(without(type, 3), WRITTEN, ['--party', small.P1])).verdict).toBe('differs');
      expect((await audited(without(type, 2), WRITTEN)).verdict).toBe('adds-up');
    }
    expect((await audited(without('INFRASTRUCTURE_FEE_PAY', 3), WRITTEN)).verdict).toBe('adds-up');
  });

  test('The audit does not skip rewards and trades in an unusual form', async () => {
    for (const table of ['rewards', 'trades']) {
      const whole = longer(12);
      const odd = await audited({ ...whole, [table]: (whole[table] ?? []).toReversed() }, WRITTEN);
      expect(odd).toMatchObject({ code: 5, verdict: 'cannot-be-judged' });
    }
  });

  test('The audit reports blocks as missing if they start or end inside the range', async () => {
    const ended = longer(12, ({ blocks }) => blocks.splice(8));
    expect(await audited(ended, WRITTEN)).toMatchObject({ verdict: 'differs', found: { 'block-numbers': 1 } });
    const begun = longer(12, ({ blocks }) => blocks.splice(0, 3));
    expect(await audited(begun, WRITTEN)).toMatchObject({ verdict: 'differs', found: { 'block-numbers': 1 } });
    const last = longer(12, ({ blocks }) => blocks.splice(11));
    expect((await audited(last, WRITTEN)).verdict).toBe('differs');
  });
});

describe('Inconclusive audit', () => {
  const { ledger = [], balances = [], blocks = [], deposits = [], withdrawals = [] } = small.story();

  test('The audit of a single table lists the missing tables and the commands that fetch them', async () => {
    const { code, verdict, err } = await audited({ ledger });
    expect({ code, verdict }).toEqual({ code: 5, verdict: 'cannot-be-judged' });
    for (const table of ['balances', 'deposits', 'withdrawals', 'blocks'])
      expect(err).toContain(`blockglass export --table ${table} --from 1 --to 6`);
    expect(err).not.toContain('--table ledger');
  });

  test('The audit of tables with other blocks lists the missing blocks', async () => {
    const place = join(folder, String(count++));
    const others = await small.writeTables(place, { ledger, blocks, deposits, withdrawals });
    const some = await small.writeTables(place, small.rowsBetween({ balances }, 1, 3), { to: 3 });
    const { code, verdict, err } = await auditOf([...others, ...some]);
    expect({ code, verdict }).toEqual({ code: 5, verdict: 'cannot-be-judged' });
    expect(err).toContain('blockglass export --table balances --from 1 --to 6');
  });

  test('The audit cannot judge a party that appears in no row', async () => {
    const { code, verdict } = await audited(small.story(), {}, ['--party', 'ab'.repeat(32)]);
    expect({ code, verdict }).toEqual({ code: 5, verdict: 'cannot-be-judged' });
  });

  describe('Consecutive files', () => {
    /** The story in two halves, with what an export saves about the segments of each. */
    async function halves(ids: readonly [first: string, beforeSecond: string], more: object = {}) {
      const place = join(folder, String(count++));
      const paths: string[] = [];
      for (const [from, to, segments] of [
        [1, 3, { before: '', last: ids[0] }],
        [4, 6, { before: ids[1], last: 'QmLast' }],
      ] as const) {
        const files = await small.writeTables(place, small.rowsBetween(small.story(), from, to), { from, to });
        for (const path of files) {
          const table = /small-1-(\w+)-/.exec(path)?.[1] ?? '';
          const range = { table, fromBlock: String(from), toBlock: String(to), name: 'x', from: null, until: null };
          const names = { format: 1, chainId: 'small-1', markets: [], assets: [], validators: [] };
          const saved = {
            ...names,
            ranges: [{ ...range, segments: { ...segments, ...(from === 4 && more) } }],
            epochs: [],
          };
          await writeFile(path.replace('.zip', '.names.json'), JSON.stringify(saved));
          paths.push(path);
        }
      }
      return await auditOf(paths);
    }

    test('The audit cannot judge files of two starts of a chain, even if the rows of all tables match', async () => {
      const { code, verdict, found, checks } = await halves(['QmOne', 'QmOther']);
      expect({ code, verdict, found }).toEqual({ code: 5, verdict: 'cannot-be-judged', found: {} });
      expect(checks[0]?.blindSpots.join()).toContain('name different segments up to block 3');
    });

    test('The audit cannot judge files from segments that were not one chain, and reports the block', async () => {
      const breaks = [{ at: '4', against: '3', reason: 'its segment names none as the one before it, which is QmOne' }];
      const { code, verdict, found, checks } = await halves(['QmOne', ''], { breaks });
      expect({ code, verdict, found }).toEqual({ code: 5, verdict: 'cannot-be-judged', found: {} });
      expect(checks[0]?.blindSpots.join()).toContain(
        'the segments do not form one chain at block 4: its segment names none',
      );
    });

    test('Files that contain only one side of a broken link add up in the audit', async () => {
      const breaks = [{ at: '4', against: '0', reason: 'x' }];
      expect(await halves(['QmOne', ''], { breaks })).toMatchObject({ code: 0, verdict: 'adds-up' });
    });

    test('Files of one history add up in the audit', async () => {
      const { code, verdict } = await halves(['QmOne', 'QmOne']);
      expect({ code, verdict }).toEqual({ code: 0, verdict: 'adds-up' });
    });

    test('The audit does not take files of a node that dropped its older segments for another history', async () => {
      expect(await halves(['QmOne', ''])).toMatchObject({ code: 0, verdict: 'adds-up' });
    });
  });

  test('The audit cannot judge tables of two runs of a chain that share no block time', async () => {
    const late = balances.map(row => ({ ...row, vega_time: (row.vega_time ?? '').replace('2026', '2027') }));
    const { code, verdict, checks } = await audited({ ...small.story(), balances: late });
    expect({ code, verdict }).toEqual({ code: 5, verdict: 'cannot-be-judged' });
    expect(checks[0]?.blindSpots.join()).toContain('other times');
  });

  test.each(['deposits', 'withdrawals', 'balances'])(
    'The audit without blocks cannot judge %s of another start of the chain, with no block time in common',
    async table => {
      const { blocks: _, ...story } = small.story();
      const late = (story[table] ?? []).map(row =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value.replace('.000001+00', '.5+00')])),
      );
      const { code, verdict, found, checks } = await audited({ ...story, [table]: late });
      expect({ code, verdict, found }).toEqual({ code: 5, verdict: 'cannot-be-judged', found: {} });
      expect(checks.map(({ blindSpots }) => blindSpots.join()).join()).toContain('two starts of one');
    },
  );

  test('The audit without blocks places a deposit without its ledger row on this chain by its balance', async () => {
    const { blocks: _, ledger: entries = [], ...story } = small.story();
    const rest = entries.filter(({ type }) => type !== 'TRANSFER_TYPE_DEPOSIT');
    const { verdict, found } = await audited({ ...story, ledger: rest });
    expect(verdict).toBe('differs');
    expect(found).toMatchObject({ deposits: 1 });
  });

  test.each([
    ['a header without a column', 'balance', 'no column balance'],
    ['a header without a time', 'vega_time', 'no column vega_time'],
  ])('The audit cannot judge %s', async (_what, column, words) => {
    const place = join(folder, String(count++));
    const { balances: rows = [], ...others } = small.story();
    const paths = await small.writeTables(place, others);
    const odd = await small.writeTables(place, { balances: rows }, { without: [column] });
    const { code, out, err } = await run(['audit', ...paths, ...odd]);
    expect({ code, said: `${out}${err}` }).toEqual({ code: 5, said: expect.stringMatching(/header|no column/) });
    expect(`${out}${err}`.includes(words) || `${out}${err}`.includes('damaged')).toBe(true);
  });

  test('The audit cannot judge a row out of order', async () => {
    const late = changed(tables => tables.balances.push(small.balance(2, small.GENERAL_1, 1)));
    const { code, verdict } = await audited(late);
    expect({ code, verdict }).toEqual({ code: 5, verdict: 'cannot-be-judged' });
  });

  test.each<readonly [string, small.Row]>([
    ['an amount that is no number', { ...small.balance(6, small.GENERAL_1, 1), balance: 'NaN' }],
    ['an amount with a fraction', { ...small.balance(6, small.GENERAL_1, 1), balance: '1.5' }],
    ['an id that is none', { ...small.balance(6, small.GENERAL_1, 1), account_id: '\\xzz' }],
    ['a time that is none', { ...small.balance(6, small.GENERAL_1, 1), vega_time: 'tomorrow' }],
    ['an enormous value', { ...small.balance(6, small.GENERAL_1, 1), balance: '9'.repeat(100_000) }],
  ])('The audit reports %s as damage, like verify', async (_what, row) => {
    const place = join(folder, String(count++));
    await small.writeTables(
      place,
      changed(tables => tables.balances.push(row)),
    );
    const path = join(place, 'small-1-balances-000001-000006.zip');
    const [audit, verified] = [await run(['audit', place]), await run(['verify', path])];
    expect([audit.code, verified.code]).toEqual([5, 5]);
    const reason = /damaged: (.*)/.exec(verified.out)?.[1] ?? '';
    expect(reason).toContain('in row 17, which is not ');
    expect(audit.err).toContain(reason);
  });
});

describe('Audit input files', () => {
  test('The audit has the same result for slices and one file, and the end of a slice is a boundary', async () => {
    const place = join(folder, String(count++));
    for (const [from, to] of [
      [1, 2],
      [3, 4],
      [5, 6],
    ] as const)
      await small.writeTables(place, small.rowsBetween(small.story(), from, to), { from, to });
    const { code, verdict, found, checks } = await auditOf([place]);
    expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: {} });
    const values = (name: string) => checks.find(check => check.name === name)?.compared.values;
    expect((values('balance-steps') ?? 0) + (values('boundaries') ?? 0)).toBe(16);
    expect(values('boundaries')).toBeGreaterThan(0);
  });

  test('The audit finds a difference at the boundary if a slice begins with another balance than the last one', async () => {
    const place = join(folder, String(count++));
    const { first, last } = {
      first: small.rowsBetween(small.story(), 1, 4),
      last: small.rowsBetween(small.story(), 5, 6),
    };
    await small.writeTables(place, first, { to: 4 });
    const shifted = last.balances?.map(row =>
      row.account_id === small.bytes(small.GENERAL_1) ? { ...row, balance: '86' } : row,
    );
    await small.writeTables(place, { ...last, balances: shifted ?? [] }, { from: 5, to: 6 });
    expect((await auditOf([place])).found).toMatchObject({ boundaries: 1 });
  });

  test('The audit treats openings after a gap as unknown, with a note', async () => {
    const place = join(folder, String(count++));
    await small.writeTables(place, small.rowsBetween(small.story(), 1, 2), { to: 2 });
    await small.writeTables(place, small.rowsBetween(small.story(), 4, 6), { from: 4, to: 6 });
    const { code, found, err } = await auditOf([place]);
    expect({ code, found }).toEqual({ code: 0, found: {} });
    expect(err).toContain('the files have gaps');
  });

  test.each<readonly [string, readonly small.Written[], RegExp]>([
    ['of two chains', [{}, { chain: 'other-2' }], /one chain at a time/],
    ['that overlap', [{ to: 4 }, { from: 3, to: 6 }], /counted twice/],
  ])('The audit refuses files %s', async (_what, written, words) => {
    const place = join(folder, String(count++));
    for (const of of written) await small.writeTables(place, small.rowsBetween(small.story(), of.from ?? 1, 6), of);
    const { code, err } = await run(['audit', place]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(words) });
  });

  test('The audit reads files once that contain each other or are given twice', async () => {
    const place = join(folder, String(count++));
    const paths = await small.writeTables(place, small.story());
    await small.writeTables(place, small.rowsBetween(small.story(), 2, 6), { from: 2 });
    const { code, err } = await run(['audit', place, ...paths]);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('ledger-000002-000006.zip') });
  });

  test('The audit refuses a truncated archive', async () => {
    const paths = await small.writeTables(join(folder, String(count++)), small.story());
    const [first = ''] = paths;
    const bytes = await readFile(first);
    await writeFile(first, bytes.subarray(0, bytes.length - 30));
    const { code, out, err } = await run(['audit', ...paths]);
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err).toMatch(/incomplete.*\n {2}try: export it again\n/);
  });

  test('The audit of a folder without exports, or with Parquet, says what to give instead', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    expect(await run(['audit', empty])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no export found in'),
    });
    await writeFile(join(empty, 'blockglass-parquet.json'), '{}');
    expect((await run(['audit', empty])).code).toBe(2);
  });

  test('The audit treats ids in another case as the same ids', async () => {
    const tables = changed(({ balances }) => {
      for (const [at, row] of balances.entries())
        if (at % 2 === 0) balances[at] = { ...row, account_id: `\\x${row.account_id?.slice(2).toUpperCase()}` };
    });
    const { code, found } = await audited(tables);
    expect({ code, found }).toEqual({ code: 0, found: {} });
  });

  test('The audit never passes a control sequence from a file to the terminal', async () => {
    const evil = '\u001b]0;owned\u0007\u202e';
    const tables = changed(({ ledger, orders, balances }) => {
      ledger.push({ ...small.entry(6, small.GENERAL_1, small.GENERAL_2, 5, ''), type: evil });
      orders.push(small.order(6, 'c4', small.P1, 5, { reference: evil, remaining: '1', status: evil }));
      balances.push({ ...small.balance(6, small.GENERAL_2, 5), balance: evil });
    });
    const place = join(folder, String(count++));
    const paths = await small.writeTables(place, tables);
    for (const flags of [[], ['-o', 'json']]) {
      const { code, out, err } = await run(['audit', ...paths, ...flags]);
      expect(code).toBe(5);
      expect(`${out}${err}`).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });

  test('The audit counts many differences and shows the first', async () => {
    const tables = changed(({ deposits }) => {
      for (let amount = 1; amount <= 250; amount++) deposits.push(small.deposit(5, small.P1, amount));
    });
    const paths = await small.writeTables(join(folder, String(count++)), tables);
    const { out } = await run(['audit', ...paths]);
    expect(out).toContain('and 240 more, 250 in all');
    expect((await auditOf(paths)).found).toEqual({ deposits: 100 });
  });
});

describe('Audit of one party', () => {
  test('The audit of one party counts only the differences of that party', async () => {
    const tables = changed(({ deposits }) => deposits.push(small.deposit(5, small.P2, 9)));
    const paths = await small.writeTables(join(folder, String(count++)), tables);
    expect(await auditOf([...paths, '--party', small.P2])).toMatchObject({ code: 5, verdict: 'differs' });
    const other = await auditOf([...paths, '--party', `0x${small.P1.toUpperCase()}`]);
    expect(other).toMatchObject({ code: 0, verdict: 'adds-up' });
    expect(other.checks.map(({ name }) => name)).not.toContain('conservation');
  });

  test('The audit refuses a party name that matches nobody', async () => {
    const paths = await small.writeTables(
      join(folder, String(count++)),
      changed(() => {}),
    );
    const refused = await run(['audit', ...paths, '--party', 'xyz']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--party') });
  });
});

describe('Block numbers in the audit', () => {
  const withBlocks = (rows: readonly small.Row[]) => changed(({ blocks }) => blocks.splice(0, blocks.length, ...rows));
  const heights = (...numbers: readonly number[]) => numbers.map(height => small.blockRow(height));

  /** Without trades, whose rows are at the time of block 5. */
  const quiet = (...numbers: readonly number[]): small.Tables => {
    const tables = withBlocks(heights(...numbers));
    return { ...tables, trades: [], positions: [], orders: [] };
  };

  test('The audit accepts one missing block without activity as one that the node skipped', async () => {
    const { code, verdict, found } = await audited(
      { ...quiet(1, 2, 3, 4, 5, 6, 8), ledger: small.story().ledger ?? [] },
      { to: 8 },
    );
    expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: { 'skipped-blocks': 1 } });
  });

  test.each<readonly [string, readonly number[], number]>([
    ['one missing block in which money moved', [1, 2, 3, 4, 6], 6],
    ['two missing blocks', [1, 2, 3, 4, 5, 6, 9], 9],
  ])('The audit reports %s as a difference', async (_what, numbers, to) => {
    const { code, found } = await audited(quiet(...numbers), { to });
    expect({ code, found }).toEqual({ code: 5, found: { 'block-numbers': 1 } });
  });

  test('The audit accepts the number 1 for both genesis and the first block', async () => {
    const genesis = { ...small.blockRow(1), vega_time: small.timeOf(0) };
    const { code, found } = await audited(withBlocks([genesis, ...heights(1, 2, 3, 4, 5, 6)]));
    expect({ code, found }).toEqual({ code: 0, found: {} });
  });
});
