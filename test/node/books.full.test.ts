import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseCsv } from './csv-rows.ts';
import { ask, page, withNode } from './wire.ts';

// The sums that protocol.md says agree, made once more from the rows of every table over the whole history.

const node = withNode();

type Row = Readonly<Record<string, string>>;

async function rowsOf(table: string, fromBlock = 1, toBlock = 23_500): Promise<readonly Row[]> {
  const range = `fromBlock=${fromBlock}&toBlock=${toBlock}`;
  const { bytes } = await ask(`${node.url}/api/v2/networkhistory/export?${range}&table=TABLE_${table.toUpperCase()}`);
  return Object.values(unzipSync(bytes)).flatMap(content => {
    const [header = [], ...records] = parseCsv(Buffer.from(content).toString('utf8'));
    return records.map(record => Object.fromEntries(header.map((name, at) => [name ?? '', record[at] ?? 'NULL'])));
  });
}

const idOf = (asset: string, party: string, slot: string, type: string): string =>
  `\\x${createHash('sha256').update(`${asset}${party}${slot}ACCOUNT_TYPE_${type}`).digest('hex')}`;

const bare = (type = ''): string => type.replace('TRANSFER_TYPE_', '').replace('ACCOUNT_TYPE_', '');

interface Listed {
  readonly owner: string;
  readonly asset: string;
  readonly marketId: string;
  readonly type: string;
  readonly balance: string;
}

/** Adds up by key. */
function sums<T>(rows: Iterable<T>, key: (row: T) => string, amount: (row: T) => bigint): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const row of rows) all.set(key(row), (all.get(key(row)) ?? 0n) + amount(row));
  return all;
}
const quantity = (row: Row): bigint => BigInt(row.quantity ?? '');

let ledger: readonly Row[] = [];
let balances: readonly Row[] = [];
let trades: readonly Row[] = [];
let listed: readonly Listed[] = [];
/** Whose each account is, as the node lists them. */
const owners = new Map<string, Listed>();
/** The worlds outside, of which no balance is kept. */
const outside = new Set<string>();
const ofType = (...types: readonly string[]) => ledger.filter(row => types.includes(bare(row.type)));
const owner = (id = ''): Listed | undefined => owners.get(id);

beforeAll(async () => {
  ledger = await rowsOf('ledger');
  balances = await rowsOf('balances');
  trades = await rowsOf('trades');
  for (let after = ''; ; ) {
    const next: { [name: string]: string } = after === '' ? {} : { 'pagination.after': after };
    const { edges, pageInfo } = await page(`${node.url}/api/v2/accounts`, 'accounts', {
      'pagination.first': '5000',
      ...next,
    });
    listed = [...listed, ...edges.map(edge => JSON.parse(JSON.stringify(edge.node)))];
    for (const account of listed) {
      owners.set(idOf(account.asset, account.owner, account.marketId, bare(account.type)), account);
      outside.add(idOf(account.asset, 'network', '', 'EXTERNAL'));
    }
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
}, 60_000);

describe('Balances of the demo chain', () => {
  it('Balances change by the net of the ledger, per account and block, from zero at block 1', () => {
    const net = new Map<string, Map<string, bigint>>();
    const add = (time: string, id: string, change: bigint): void => {
      if (outside.has(id)) return;
      const block = net.get(time) ?? new Map<string, bigint>();
      net.set(time, block.set(id, (block.get(id) ?? 0n) + change));
    };
    for (const row of ledger) {
      add(row.vega_time ?? '', row.account_from_id ?? '', -quantity(row));
      add(row.vega_time ?? '', row.account_to_id ?? '', quantity(row));
    }
    const last = new Map<string, bigint>();
    let steps = 0;
    for (const { vega_time: time = '', account_id: id = '', balance = '' } of balances) {
      const step = BigInt(balance) - (last.get(id) ?? 0n);
      expect(step).toBe(net.get(time)?.get(id) ?? 'no ledger row');
      expect(BigInt(balance)).toBeGreaterThanOrEqual(0n);
      last.set(id, BigInt(balance));
      net.get(time)?.delete(id);
      steps += 1;
    }
    expect([...net.values()].flatMap(block => [...block])).toEqual([]);
    expect(steps).toBeGreaterThan(10_000);
  });

  it('Balances begin in a segment as they ended in the previous one', async () => {
    const [before, later] = [await rowsOf('balances', 13_001, 14_500), await rowsOf('balances', 14_501, 15_500)];
    expect([...before, ...later]).toEqual(await rowsOf('balances', 13_001, 15_500));
    const known = new Set(balances.map(row => JSON.stringify(row)));
    for (const row of [...before, ...later]) expect(known.has(JSON.stringify(row))).toBe(true);
  });

  it('Balances of each asset add up to what came from outside and has not gone back', () => {
    const assetOf = (row: Row): string => (owner(row.account_from_id) ?? owner(row.account_to_id))?.asset ?? '';
    const came = sums(ofType('DEPOSIT', 'CHECKPOINT_BALANCE_RESTORE'), assetOf, quantity);
    const gone = sums(ofType('WITHDRAW'), assetOf, quantity);
    const last = new Map(balances.map(row => [row.account_id ?? '', BigInt(row.balance ?? '')]));
    const there = sums(
      last,
      ([id]) => owner(id)?.asset ?? '',
      ([, balance]) => balance,
    );
    expect(there.size).toBe(5);
    for (const [asset, sum] of there) expect(sum).toBe((came.get(asset) ?? 0n) - (gone.get(asset) ?? 0n));
    expect(came.has('')).toBe(false);
  });

  it('Balances agree with the list of accounts, except for changes since the last segment', () => {
    const last = new Map(balances.map(row => [row.account_id ?? '', row.balance]));
    const moved = [...owners].filter(([id, { balance }]) => last.get(id) !== balance);
    expect(moved.length).toBeLessThan(200);
    expect([...last.keys()].filter(id => !owners.has(id))).toEqual([]);
  });
});

describe('Ledger of the demo chain and other tables', () => {
  it('A deposit is credited in the block that makes it final, and not before', async () => {
    const key = (time = '', id = '', amount = '') => `${time} ${id} ${amount}`;
    const deposits = (await rowsOf('deposits')).filter(({ status }) => status === 'STATUS_FINALIZED');
    const said = deposits.map(row =>
      key(row.vega_time, idOf(row.asset?.slice(2) ?? '', row.party_id?.slice(2) ?? '', '', 'GENERAL'), row.amount),
    );
    const made = ofType('DEPOSIT').map(row => key(row.vega_time, row.account_to_id, row.quantity));
    expect(said.toSorted()).toEqual(made.toSorted());
    expect(said.length).toBeGreaterThan(100);
  });

  it('A withdrawal is debited in the block that requests it', async () => {
    const key = (time = '', id = '', amount = '') => `${time} ${id} ${amount}`;
    const asked = (await rowsOf('withdrawals')).filter(
      row => row.status === 'STATUS_FINALIZED' && row.vega_time === row.created_timestamp,
    );
    const said = asked.map(row =>
      key(row.vega_time, idOf(row.asset?.slice(2) ?? '', row.party_id?.slice(2) ?? '', '', 'GENERAL'), row.amount),
    );
    const made = ofType('WITHDRAW').map(row => key(row.vega_time, row.account_from_id, row.quantity));
    expect(said.toSorted()).toEqual(made.toSorted());
    expect(said.length).toBeGreaterThan(80);
  });

  it('The fees of a trade are paid by the side given in the trade, per block and kind', async () => {
    const markets = await page(`${node.url}/api/v2/markets`, 'markets');
    const assets = new Map(
      markets.edges.map(({ node: market }) => {
        const text = JSON.stringify(market);
        return [market.id, /"(?:settlementAsset|quoteAsset)":"(\w+)"/.exec(text)?.[1] ?? ''];
      }),
    );
    const kinds = ['maker', 'infrastructure', 'liquidity'] as const;
    const said = trades.flatMap(row => {
      const market = row.market_id?.slice(2) ?? '';
      const asset = assets.get(market) ?? '';
      return (['buyer', 'seller'] as const).flatMap(side => {
        const party = row[side]?.slice(2) ?? '';
        const from = party === '03' ? idOf(asset, 'network', market, 'INSURANCE') : idOf(asset, party, '', 'GENERAL');
        return kinds.map(kind => ({
          key: `${row.vega_time} ${from} ${kind.toUpperCase()}_FEE_PAY`,
          amount: BigInt(row[`${side}_${kind}_fee`] ?? ''),
        }));
      });
    });
    const transfers = new Set(ofType('TRANSFER_FUNDS_SEND').map(row => `${row.vega_time} ${row.account_from_id}`));
    const isOfTransfer = (key: string): boolean => transfers.has(key.split(' ').slice(0, 3).join(' '));
    const paid = sums(
      ofType('MAKER_FEE_PAY', 'INFRASTRUCTURE_FEE_PAY', 'LIQUIDITY_FEE_PAY'),
      row => `${row.vega_time} ${row.account_from_id} ${bare(row.type)}`,
      quantity,
    );
    const owed = sums(
      said.filter(({ amount }) => amount > 0n),
      ({ key }) => key,
      ({ amount }) => amount,
    );
    const without = (all: ReadonlyMap<string, bigint>) =>
      [...all].filter(([key]) => !isOfTransfer(key)).map(([key, amount]) => `${key} ${amount}`);
    expect(without(paid).toSorted()).toEqual(without(owed).toSorted());
    expect(without(paid).length).toBeGreaterThan(2000);
  });

  it('Rewards, liquidity fees and penalties of an epoch are paid in the first block of the next one', async () => {
    const times = new Map((await rowsOf('blocks')).map(({ height, vega_time }) => [height, vega_time]));
    const firstBlock = new Map<string, string>();
    for (let epoch = 2; epoch <= 42; epoch++) {
      const { text } = await ask(`${node.url}/api/v2/epoch?id=${epoch}`);
      const first = /"firstBlock":"(\d+)"/.exec(text)?.[1] ?? '';
      firstBlock.set(times.get(first) ?? '', String(epoch - 1));
    }
    const rewards = await rowsOf('rewards');
    expect(new Set(rewards.map(row => row.epoch_id)).size).toBe(41);
    for (const row of rewards) expect(firstBlock.get(row.vega_time ?? '')).toBe(row.epoch_id);
    const paid = ofType(
      'REWARD_PAYOUT',
      'LIQUIDITY_FEE_ALLOCATE',
      'LIQUIDITY_FEE_NET_DISTRIBUTE',
      'SLA_PENALTY_BOND_APPLY',
    );
    for (const row of paid) expect(firstBlock.has(row.vega_time ?? '')).toBe(true);
  });

  it('Paid fees are allotted per provider after their epoch, and paid out less penalties, plus bonuses', async () => {
    const said: string[] = [];
    for (let epoch = 2; epoch <= 41; epoch++) {
      const parameters = { epochSeq: String(epoch), 'pagination.first': '5000' };
      const { edges } = await page(`${node.url}/api/v2/liquidity/paidfees`, 'paidLiquidityFees', parameters);
      for (const { node: fee } of edges) {
        const { market, asset, feesPaidPerParty, totalFeesPaid } = JSON.parse(JSON.stringify(fee));
        let total = 0n;
        for (const { party, amount } of feesPaidPerParty) {
          said.push(`${idOf(asset, party, market, 'LP_LIQUIDITY_FEES')} ${amount}`);
          total += BigInt(amount);
        }
        expect(String(total)).toBe(totalFeesPaid);
      }
    }
    const allotted = ofType('LIQUIDITY_FEE_ALLOCATE').map(row => `${row.account_to_id} ${row.quantity}`);
    expect(allotted.toSorted()).toEqual(said.toSorted());
    // Nothing stays on an account that money only passes through.
    const last = new Map(balances.map(row => [row.account_id ?? '', row.balance]));
    for (const [id, { type }] of owners)
      if (/LP_LIQUIDITY_FEES|BONUS|SETTLEMENT|FEES_MAKER|PENDING/.test(type)) expect(last.get(id) ?? '0').toBe('0');
    for (const type of ['LIQUIDITY_FEE_NET_DISTRIBUTE', 'LIQUIDITY_FEE_UNPAID_COLLECT'])
      expect(ofType(type).length).toBeGreaterThan(100);
    expect(ofType('SLA_PERFORMANCE_BONUS_DISTRIBUTE').length).toBeGreaterThan(100);
  });

  it('Positions change by the trades, and a party that is closed out holds nothing', async () => {
    const held = new Map<string, bigint>();
    const steps = new Map<string, bigint>();
    for (const row of trades) {
      for (const side of ['buyer', 'seller'] as const) {
        const key = `${row.market_id} ${row[side]}`;
        held.set(key, (held.get(key) ?? 0n) + (side === 'buyer' ? 1n : -1n) * BigInt(row.size ?? ''));
        steps.set(`${row.vega_time} ${key}`, held.get(key) ?? 0n);
      }
    }
    const positions = await rowsOf('positions');
    const said = new Map(
      positions.map(row => [
        `${row.vega_time} ${row.market_id} ${row.party_id}`,
        BigInt(row.pending_open_volume ?? ''),
      ]),
    );
    expect(said).toEqual(steps);
    const closed = positions.filter(row => row.distressed_status === 'POSITION_STATUS_CLOSED_OUT');
    expect(closed.length).toBeGreaterThan(5);
    for (const row of closed) expect(row.pending_open_volume).toBe('0');
  });

  it('Orders keep what their trades have not filled', async () => {
    const traded = sums(
      trades.flatMap(row =>
        [row.buy_order, row.sell_order].map(id => ({ id: id ?? '', size: BigInt(row.size ?? '') })),
      ),
      ({ id }) => id,
      ({ size }) => size,
    );
    const latest = new Map((await rowsOf('orders')).map(row => [row.id ?? '', row]));
    const number = (text = '') => (text === 'NULL' ? 0n : BigInt(text));
    for (const [id, row] of latest) {
      const left = number(row.remaining) + number(row.reserved_remaining);
      // What waits at the end of the history trades after it.
      expect(number(row.size) - left).toBe(traded.get(id) ?? 0n);
    }
    expect([...traded.keys()].filter(id => !latest.has(id))).toEqual([]);
  });
});

describe('Close-outs of the demo chain', () => {
  const closed = () => trades.filter(({ type }) => type === '3');
  const disposed = () => trades.filter(({ type }) => type === '2');
  const network = (row: Row) => (row.aggressor === '1' ? row.buyer : row.seller);

  it('A close-out has the network as the aggressor, and no fees', () => {
    expect(closed().length).toBeGreaterThan(5);
    for (const row of closed()) {
      expect(network(row)).toBe('\\x03');
      for (const [name, value] of Object.entries(row)) if (/_fee$/.test(name)) expect(value).toBe('0');
    }
  });

  it('A closed-out position is sold later, in several trades whose fees the insurance pool pays', () => {
    expect(disposed().length).toBeGreaterThan(closed().length);
    for (const row of disposed()) {
      expect(network(row)).toBe('\\x03');
      const side = row.aggressor === '1' ? 'buyer' : 'seller';
      expect(BigInt(row[`${side}_infrastructure_fee`] ?? '')).toBeGreaterThan(0n);
    }
    const left = sums(
      [...closed(), ...disposed()],
      row => row.market_id ?? '',
      row => (row.buyer === '\\x03' ? 1n : -1n) * BigInt(row.size ?? ''),
    );
    for (const volume of left.values()) expect(volume).toBe(0n);
  });
});

describe('Proportions of the demo chain', () => {
  it('Fees are a few hundredths of the traded value, and rewards are less than fees', async () => {
    const assets = await page(`${node.url}/api/v2/assets`, 'assets');
    const quantum = new Map(
      assets.edges.map(({ node: asset }) => [
        asset.id,
        BigInt(/"quantum":"(\d+)"/.exec(JSON.stringify(asset))?.[1] ?? '1'),
      ]),
    );
    const inQuanta = (rows: readonly Row[]) =>
      rows.reduce((sum, row) => {
        const asset = (owner(row.account_from_id) ?? owner(row.account_to_id))?.asset ?? '';
        return sum + Number(quantity(row)) / Number(quantum.get(asset) ?? 1n);
      }, 0);
    const fees = inQuanta(ofType('MAKER_FEE_PAY', 'INFRASTRUCTURE_FEE_PAY', 'LIQUIDITY_FEE_PAY'));
    const rewards = inQuanta(ofType('REWARD_PAYOUT'));
    const most = Math.max(...ofType('REWARD_PAYOUT').map(row => inQuanta([row])));
    expect(rewards).toBeLessThan(fees);
    expect(rewards).toBeGreaterThan(fees / 100);
    expect(most).toBeLessThan(2000);
  });

  it('Provisions ask for a fee of 0.05 % to 2 %', async () => {
    const rows = await rowsOf('liquidity_provisions');
    const asked = rows.map(({ fee }) => Number(fee));
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(0.0005);
    expect(Math.max(...asked)).toBeLessThanOrEqual(0.02);
  });

  it('Bonds equal the commitments, except for a few that were slashed', async () => {
    const bonds = new Map(
      listed.filter(({ type }) => bare(type) === 'BOND').map(one => [`${one.marketId}/${one.owner}`, one]),
    );
    const markets = [...new Set([...bonds.values()].map(({ marketId }) => marketId))];
    let [sound, slashed] = [0, 0];
    for (const marketId of markets) {
      const parameters = { marketId, live: 'true', 'pagination.first': '5000' };
      const { edges } = await page(`${node.url}/api/v2/liquidity/provisions`, 'liquidityProvisions', parameters);
      for (const { node: row } of edges) {
        if (row.status !== 'STATUS_ACTIVE') continue;
        const bond = BigInt(bonds.get(`${marketId}/${row.partyId}`)?.balance ?? '0');
        if (bond < BigInt(String(row.commitmentAmount))) slashed += 1;
        else sound += 1;
      }
    }
    expect(slashed).toBeGreaterThan(0);
    expect(slashed).toBeLessThan(sound / 10);
  });
});
