import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertToParquet } from '../../src/answers/index.ts';
import {
  archiveNamesPath,
  parquetNamesPath,
  readNamesFile,
  saveNamesFile,
} from '../../src/chain/directory/names-file.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { completeWords } from '../../src/cli/complete.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { parseCsv } from '../node/csv-rows.ts';
import { type Ran, run } from './run-command.ts';

let node: RunningNode;
let folder = '';
let closed = '';

/** In the epochs 20 to 25 the ledger has no ids of transfers yet; the upgrade that brought them is in epoch 26. */
const EXPORTS = [
  ['ledger', 'ledger', 'e20', 'e25'],
  ['later ledger', 'ledger', 'e27', 'e33'],
  ['balances', 'balances', 'e20', 'e25'],
  ['trades', 'trades', 'e20', 'e25'],
  ['rewards', 'rewards', 'e20', 'e30'],
] as const;

/** What was exported, as it is asked. */
const files: { [table: string]: string } = {};
/** The same by its own bytes: the rows of the epochs that were asked for, and all that came with them. */
const rowsOf: { [table: string]: readonly Row[] } = {};
const allRowsOf: { [table: string]: readonly Row[] } = {};

type Row = Readonly<Record<string, string | null>>;

beforeAll(async () => {
  node = await startNode({ provisions: 50 });
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  for (const [name, table, from, to] of EXPORTS) {
    const out = join(folder, `${name}.zip`);
    const range = ['--from', from, '--to', to, '--node', node.url, '--out', out];
    const { code, err } = await run(['export', '--table', table, ...range]);
    expect(code, err).toBe(0);
    files[name] = name === 'later ledger' ? await converted(out) : out;
    const all = Object.values(unzipSync(await readFile(out))).flatMap(content => {
      const [header = [], ...records] = parseCsv(Buffer.from(content).toString('utf8'));
      return records.map(
        (record): Row => Object.fromEntries(header.map((name, at) => [name ?? '', record[at] ?? null])),
      );
    });
    const isAsked = await rangeOf(from, to);
    allRowsOf[name] = all;
    rowsOf[name] = all.filter(row => isAsked(row));
    expect(rowsOf[name].length).toBeLessThan(all.length);
  }
  // An archive is converted for each question: what many are asked of is converted once.
  files['converted trades'] = await converted(files.trades ?? '');
  closed = node.url;
}, 60_000);
afterAll(async () => {
  await node.close();
  await rm(folder, { recursive: true, force: true });
});

const epochAnswer = v.object({
  epoch: v.object({ timestamps: v.object({ startTime: v.string(), endTime: v.string() }) }),
});

/** Whether a row is of these epochs: by its own number, or by the times that the node says of them. */
async function rangeOf(from: string, to: string): Promise<(row: Row) => boolean> {
  const epochOf = async (name: string) => v.parse(epochAnswer, await get(`epoch?id=${name.slice(1)}`)).epoch.timestamps;
  const [first, end] = [BigInt((await epochOf(from)).startTime), BigInt((await epochOf(to)).endTime)];
  return ({ epoch_id: epoch, vega_time: time }) => {
    if (epoch !== undefined && epoch !== null)
      return Number(epoch) >= Number(from.slice(1)) && Number(epoch) <= Number(to.slice(1));
    const ns = timeNs(time ?? '');
    return first <= ns && ns < end;
  };
}

function timeNs(time: string): bigint {
  const [seconds = '', fraction = ''] = time.replace('+00', '').split('.');
  return BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

async function converted(zip: string): Promise<string> {
  const out = `${zip}-parquet`;
  const { signal } = new AbortController();
  await convertToParquet({ paths: [zip], out, program: 'blockglass test', signal });
  const names = readNamesFile(archiveNamesPath(zip));
  if (names !== undefined) await saveNamesFile(parquetNamesPath(out), names);
  return out;
}

const answer = (name: string, table: string, ...words: readonly string[]): Promise<Ran> =>
  run(['answer', name, files[table] ?? '', ...words]);

const record = v.record(v.string(), v.nullable(v.string()));

async function records(name: string, table: string, ...words: readonly string[]) {
  const { code, out, err } = await answer(name, table, ...words, '-o', 'json');
  expect(code, err).toBe(0);
  return v.parse(v.array(record), JSON.parse(out));
}

const get = async (path: string): Promise<unknown> => (await fetch(`${node.url}/api/v2/${path}`)).json();

const product = v.looseObject({ settlementAsset: v.optional(v.string()), quoteAsset: v.optional(v.string()) });
const listed = v.object({
  assets: v.object({
    edges: v.array(
      v.object({ node: v.looseObject({ id: v.string(), details: v.looseObject({ decimals: v.string() }) }) }),
    ),
  }),
  markets: v.object({
    edges: v.array(
      v.object({
        node: v.looseObject({
          id: v.string(),
          decimalPlaces: v.string(),
          positionDecimalPlaces: v.string(),
          tradableInstrument: v.looseObject({
            instrument: v.looseObject({
              future: v.optional(product),
              perpetual: v.optional(product),
              spot: v.optional(product),
            }),
          }),
        }),
      }),
    ),
  }),
});

/** What the node lists, read here and by nothing of the program. */
async function listedByNode() {
  const [assets, markets] = await Promise.all([get('assets'), get('markets?includeSettled=true')]);
  const both = v.parse(listed, { ...v.parse(v.looseObject({}), assets), ...v.parse(v.looseObject({}), markets) });
  return {
    assets: both.assets.edges.map(edge => ({ id: edge.node.id, decimals: Number(edge.node.details.decimals) })),
    markets: both.markets.edges.map(({ node: { id, decimalPlaces, positionDecimalPlaces, tradableInstrument } }) => {
      const { future, perpetual, spot } = tradableInstrument.instrument;
      const asset = future?.settlementAsset ?? perpetual?.settlementAsset ?? spot?.quoteAsset ?? '';
      return { id, asset, price: Number(decimalPlaces), size: Number(positionDecimalPlaces) };
    }),
  };
}

/** The asset of each account that a party can have; fees of liquidity providers are not theirs before they leave their account. */
async function accountsOf(party: string, waiting: readonly string[] = []): Promise<ReadonlyMap<string, string>> {
  const { assets, markets } = await listedByNode();
  const id = (asset: string, market: string, type: string) =>
    `\\x${createHash('sha256').update(`${asset}${party}${market}ACCOUNT_TYPE_${type}`).digest('hex')}`;
  return new Map([
    ...assets.flatMap(({ id: asset }) =>
      ['GENERAL', 'HOLDING', 'VESTING_REWARDS', 'VESTED_REWARDS', 'LOCKED_FOR_STAKING'].map(
        type => [id(asset, '', type), asset] as const,
      ),
    ),
    ...markets.flatMap(({ id: market, asset }) =>
      ['MARGIN', 'BOND', 'ORDER_MARGIN', ...waiting].map(type => [id(asset, market, type), asset] as const),
    ),
  ]);
}

/** Those that are named most often in the trades, but for the network. */
function parties(): readonly string[] {
  const seen = new Map<string, number>();
  for (const { seller } of rowsOf.trades ?? []) seen.set(seller ?? '', (seen.get(seller ?? '') ?? 0) + 1);
  return [...seen]
    .filter(([id]) => id !== '\\x03')
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([id]) => id.slice(2));
}

const inUnits = (value: bigint, decimals: number): string => {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`;
};

describe.each([
  ['of the epochs 20 to 25', 'ledger'],
  ['of later epochs', 'later ledger'],
])('`answer` on the ledger %s', (_, table) => {
  test('`answer received` matches whole-number sums from the CSV bytes, by asset and month', async () => {
    const { assets } = await listedByNode();
    for (const party of parties()) {
      const accounts = await accountsOf(party);
      const sums = new Map<string, { received: bigint; sent: bigint }>();
      const ledger = rowsOf[table] ?? [];
      const halves = (side: 'account_from_id' | 'account_to_id', type: string) =>
        ledger.filter(row => accounts.has(row[side] ?? '') && row.type === `TRANSFER_TYPE_TRANSFER_FUNDS_${type}`);
      const arrived = new Set(halves('account_to_id', 'DISTRIBUTE').map(row => row.transfer_id));
      const toItself = new Set(
        halves('account_from_id', 'SEND').flatMap(row =>
          row.transfer_id && arrived.has(row.transfer_id) ? [row.transfer_id] : [],
        ),
      );
      for (const row of ledger) {
        const [from, to] = [accounts.get(row.account_from_id ?? ''), accounts.get(row.account_to_id ?? '')];
        if ((from === undefined) === (to === undefined) || toItself.has(row.transfer_id ?? '')) continue;
        const key = `${from ?? to} ${row.vega_time?.slice(0, 7)}`;
        const sum = sums.get(key) ?? { received: 0n, sent: 0n };
        sums.set(key, sum);
        if (/_(DEPOSIT|WITHDRAW|CHECKPOINT_BALANCE_RESTORE)$/.test(row.type ?? '')) continue;
        sum[to === undefined ? 'sent' : 'received'] += BigInt(row.quantity ?? 0);
      }
      const rows = await records('received', table, '--party', party);
      const said = rows.map(row => [
        `${row.assetId} ${row.month}`,
        row.receivedSmallest,
        row.sentSmallest,
        row.received,
        row.net,
      ]);
      const expected = [...sums].map(([key, { received, sent }]) => {
        const decimals = assets.find(({ id }) => key.startsWith(id))?.decimals ?? 0;
        return [key, String(received), String(sent), inUnits(received, decimals), inUnits(received - sent, decimals)];
      });
      expect(said.length).toBeGreaterThan(1);
      expect(said.toSorted()).toEqual(expected.toSorted());
    }
  });

  test('`answer received` says in a sentence how much came as transfers from others', async () => {
    const ledger = rowsOf[table] ?? [];
    let count = 0;
    for (const party of parties()) {
      const accounts = await accountsOf(party);
      const sent = new Set(ledger.filter(row => accounts.has(row.account_from_id ?? '')).map(row => row.transfer_id));
      const isFromOthers = ({ transfer_id: id }: Row) => id === undefined || !sent.has(id);
      const total = ledger
        .filter(row => row.type === 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE' && accounts.has(row.account_to_id ?? ''))
        .filter(isFromOthers)
        .reduce((sum, row) => sum + BigInt(row.quantity ?? 0), 0n);
      const rows = await records('received', table, '--party', party, '--types');
      const transfers = rows.filter(({ why }) => why === 'transfer received');
      expect(transfers.reduce((sum, row) => sum + BigInt(row.receivedSmallest ?? 0), 0n)).toBe(total);
      count += transfers.length;
    }
    expect(count).toBeGreaterThan(0);
  });

  test('`answer received` tells people its sources, with names and units', async () => {
    const [party = ''] = parties();
    const { out, err, code } = await answer('received', table, '--party', party);
    expect(code, err).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^ASSET +MONTH +RECEIVED +SENT +NET +MOVES(?: +[A-Z ]+)?$/);
    expect(out).toMatch(/^USD[TC] +\d{4}-\d\d +[\d ]+(\.\d+)? /m);
    expect(err).toContain(
      'note: accounts were computed from 5 assets and 14 markets: accounts of other assets and markets are not included',
    );
    expect(err).not.toContain('not known: ');
    expect(err).toMatch(/^Use --sql to print the SQL that was run$/m);
  });
});

test('`answer balance` at a time has the newest rows until then, and the ledger gives the same balances', async () => {
  const [party = ''] = parties();
  const accounts = await accountsOf(party, ['LP_LIQUIDITY_FEES']);
  const times = (rowsOf.balances ?? []).map(row => row.vega_time ?? '');
  const at = times[Math.floor(times.length * 0.9)] ?? '';
  const newest = new Map<string, string>();
  for (const row of allRowsOf.balances ?? [])
    if (accounts.has(row.account_id ?? '') && stamp(row.vega_time) <= stamp(at))
      newest.set(row.account_id ?? '', row.balance ?? '');
  const rows = await records('balance', 'balances', '--party', party, '--at', at.replace('+00', ''));
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.map(row => row.balanceSmallest).toSorted()).toEqual([...newest.values()].toSorted());
  const byLedger = await records('balance', 'ledger', '--party', party, '--at', at.replace('+00', ''));
  const known = new Map(byLedger.map(row => [[row.assetId, row.account, row.marketId].join(), row.balanceSmallest]));
  for (const row of rows) expect(known.get([row.assetId, row.account, row.marketId].join())).toBe(row.balanceSmallest);
});

const stamp = (time: string | null | undefined): string => {
  const [seconds = '', fraction = ''] = (time ?? '').replace('+00', '').split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
};

test('`answer trades` by market and day matches whole-number sums from the CSV bytes', async () => {
  const { markets, assets } = await listedByNode();
  const fees = ['maker_fee', 'infrastructure_fee', 'liquidity_fee'].flatMap(fee => [`buyer_${fee}`, `seller_${fee}`]);
  const days = new Map<
    string,
    { trades: bigint; volume: bigint; turnover: bigint; fees: bigint; first: string; last: string }
  >();
  for (const row of rowsOf.trades ?? []) {
    const key = `${row.market_id?.slice(2)} ${row.vega_time?.slice(0, 10)}`;
    const price = row.price ?? '';
    const day = days.get(key) ?? { trades: 0n, volume: 0n, turnover: 0n, fees: 0n, first: price, last: price };
    days.set(key, {
      trades: day.trades + 1n,
      volume: day.volume + BigInt(row.size ?? 0),
      turnover: day.turnover + BigInt(row.size ?? 0) * BigInt(price),
      fees: fees.reduce((sum, fee) => sum + BigInt(row[fee] ?? 0), day.fees),
      first: day.first,
      last: price,
    });
  }
  const expected = [...days].map(([key, day]) => {
    const market = markets.find(({ id }) => key.startsWith(id));
    const decimals = assets.find(({ id }) => id === market?.asset)?.decimals ?? 0;
    const [price, size] = [market?.price ?? 0, market?.size ?? 0];
    return [
      ...[key, String(day.trades), inUnits(day.volume, size), inUnits(day.turnover, price + size)],
      ...[inUnits(BigInt(day.first), price), inUnits(BigInt(day.last), price), inUnits(day.fees, decimals)],
    ];
  });
  const rows = await records('trades', 'trades');
  const said = rows.map(row => [
    ...[`${row.marketId} ${row.day}`, row.trades, row.volume, row.turnover, row.firstPrice, row.lastPrice, row.fees],
  ]);
  expect(said.length).toBeGreaterThan(5);
  expect(said.toSorted()).toEqual(expected.toSorted());
});

test('`answer rewards` by party, asset and epoch matches sums from the CSV bytes, by game if types are requested', async () => {
  const sums = (keyOf: (row: Row) => string) => {
    const totals = new Map<string, bigint>();
    for (const row of rowsOf.rewards ?? [])
      totals.set(keyOf(row), (totals.get(keyOf(row)) ?? 0n) + BigInt(row.amount ?? 0));
    return [...totals].map(([key, total]) => `${key} ${total}`).toSorted();
  };
  const base = (row: Row) => `${row.party_id?.slice(2)} ${row.asset_id?.slice(2)} ${row.epoch_id}`;
  const rows = await records('rewards', 'rewards');
  expect(rows.map(row => `${row.partyId} ${row.assetId} ${row.epoch} ${row.amountSmallest}`).toSorted()).toEqual(
    sums(base),
  );
  const [party = ''] = parties();
  const byGame = await records('rewards', 'rewards', '--types', '--party', party);
  expect(
    byGame
      .map(row => `${row.partyId} ${row.assetId} ${row.epoch} ${row.reason} ${row.game} ${row.amountSmallest}`)
      .toSorted(),
  ).toEqual(
    sums(row => `${base(row)} ${row.reward_type} ${row.game_id?.slice(2) ?? null}`).filter(line =>
      line.startsWith(party),
    ),
  );
  expect(byGame.some(({ game }) => game !== null)).toBe(true);
});

test('`answer fills` lists the trades of a party from its side', async () => {
  const [party = ''] = parties();
  const expected = (rowsOf.trades ?? []).flatMap(row =>
    (['buyer', 'seller'] as const).flatMap(side => {
      if (row[side] !== `\\x${party}`) return [];
      const fee = ['maker_fee', 'infrastructure_fee', 'liquidity_fee'].reduce(
        (sum, name) => sum + BigInt(row[`${side}_${name}`] ?? 0),
        0n,
      );
      const traded =
        row.aggressor === '0' ? 'auction' : (row.aggressor === '1') === (side === 'buyer') ? 'taker' : 'maker';
      const role = row.type === '3' ? 'close-out' : traded;
      return [[row.id?.slice(2), side === 'buyer' ? 'buy' : 'sell', row.price, row.size, String(fee), role]];
    }),
  );
  const rows = await records('fills', 'trades', '--party', party);
  expect(
    rows.map(row => [row.trade, row.side, row.priceSmallest, row.sizeSmallest, row.feeSmallest, row.role]),
  ).toEqual(expected);
  expect(expected.length).toBeGreaterThan(3);
});

test.each(['day', 'month'] as const)(
  '`answer fills` by %s matches whole-number sums from the CSV bytes, also when run as SQL',
  async by => {
    const { markets, assets } = await listedByNode();
    for (const party of parties()) {
      const sums = new Map<string, bigint[]>();
      for (const row of rowsOf.trades ?? [])
        for (const [side, other, own] of [
          ['buyer', 'seller', '1'],
          ['seller', 'buyer', '2'],
        ] as const) {
          if (row[side] !== `\\x${party}`) continue;
          const fee = (of: string, kind: string) => BigInt(row[`${of}_${kind}_fee`] ?? 0);
          const isClosed = row.type === '3';
          const isMaker = !isClosed && row.aggressor !== '0' && row.aggressor !== own;
          const [price, size] = [BigInt(row.price ?? 0), BigInt(row.size ?? 0)];
          const paid = fee(side, 'maker') + fee(side, 'infrastructure') + fee(side, 'liquidity');
          const isTaker = !isClosed && row.aggressor === own;
          const roles = [isMaker, isTaker, !isClosed && row.aggressor === '0', isClosed];
          const volumes = isClosed ? [0n, 0n, size] : [size, price * size, 0n];
          const numbers = [...roles.map(is => (is ? 1n : 0n)), ...volumes, paid, isMaker ? fee(other, 'maker') : 0n];
          const key = `${row.vega_time?.slice(0, by === 'day' ? 10 : 7)} ${row.market_id?.slice(2)}`;
          const before = sums.get(key) ?? numbers.map(() => 0n);
          sums.set(
            key,
            numbers.map((number, at) => number + (before[at] ?? 0n)),
          );
        }
      const rows = await records('fills', 'converted trades', '--party', party, '--by', by);
      const expected = [...sums].map(([key, numbers]) => {
        const { asset = '' } = markets.find(({ id }) => key.endsWith(id)) ?? {};
        const decimals = assets.find(({ id }) => id === asset)?.decimals ?? 0;
        const inAsset = numbers.slice(7).map(number => inUnits(number, decimals));
        return [key, ...numbers.map(String), ...inAsset, asset];
      });
      const said = rows.map(row => [
        ...[`${row[by]} ${row.marketId}`, row.maker, row.taker, row.auction, row.closeouts, row.volumeSmallest],
        ...[row.turnoverSmallest, row.closedOutSmallest],
        ...[row.paidSmallest, row.receivedSmallest, row.paid, row.received, row.assetId],
      ]);
      expect(said.toSorted()).toEqual(expected.toSorted());
      expect(said.length).toBeGreaterThan(0);
      const { out: sql } = await answer('fills', 'converted trades', '--party', party, '--by', by, '--sql');
      const queried = await run(['query', sql, files['converted trades'] ?? '', '-o', 'json']);
      const paid = v.parse(v.array(v.looseObject({ paid: v.string() })), JSON.parse(queried.out));
      expect(paid.map(row => row.paid)).toEqual(rows.map(row => row.paidSmallest));
    }
  },
  // Each of its questions starts an engine.
  120_000,
);

/** A node that says what chain it is of, and nothing else. */
async function nodeOfChain(chainId: string) {
  const server = createServer((_, response) => response.end(JSON.stringify({ statistics: { chainId } })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('`answer` command', () => {
  test('`answer` completes assets and markets from the names files of the exports', async () => {
    const known = {
      profiles: {},
      usualNode: undefined,
      names: async () => ({}),
      mine: () => ({}),
      tabs: [],
    };
    const tab = (...words: readonly string[]) =>
      completeWords(['answer', 'trades', files.trades ?? '', ...words], COMMANDS, known);
    expect(await tab('--asset', 'US')).toEqual(['USDC', 'USDT']);
    expect(await tab('--market', 'BTC/USDT-')).toEqual(expect.arrayContaining(['BTC/USDT-PERP', 'BTC/USDT-JUL']));
    expect((await tab('--party', ''))[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  test('`answer` prints SQL on request, and that SQL runs unchanged', async () => {
    const [party = ''] = parties();
    const { out, code } = await answer('received', 'ledger', '--party', party, '--sql');
    expect(code).toBe(0);
    expect(out).toMatch(/^WITH parties\(party\) AS \(VALUES\n {2}\('[0-9a-f]{64}'\)\),/);
    expect(out).toContain('FROM ledger JOIN accounts');
  });

  test('`answer` works without a node, and without names uses smallest units or says what it needs', async () => {
    const path = `${files.trades}`;
    await rm(archiveNamesPath(path));
    const [party = ''] = parties();
    const fills = await run(['answer', 'fills', path, '--party', party, '-o', 'csv']);
    expect(fills.code).toBe(0);
    expect(fills.err).toContain('are not known: amounts are in smallest units');
    expect(fills.out.split('\r\n')[0]).toContain('price,priceSmallest');
    await rm(archiveNamesPath(files.ledger ?? ''));
    const received = await answer('received', 'ledger', '--party', party);
    expect([received.code, received.err]).toEqual([2, expect.stringContaining('no asset of the chain is known')]);
    const asked = await answer('received', 'ledger', '--party', party, '--node', closed);
    expect([asked.code, asked.out]).toEqual([0, expect.stringMatching(/USD/)]);
  });

  test('`answer` takes no names of another chain, neither from a names file nor from a node', async () => {
    const zip = join(folder, 'other.zip');
    await copyFile(files.balances ?? '', zip);
    const names = readNamesFile(archiveNamesPath(files.balances ?? ''))?.names;
    if (names === undefined) throw new Error('no names');
    await saveNamesFile(archiveNamesPath(zip), { chainId: 'another-chain', names });
    const [party = ''] = parties();
    const { code, err } = await run(['answer', 'balance', zip, '--party', party]);
    expect(code).toBe(2);
    expect(err).toContain('are not used: they are from chain another-chain, not demo-chain-1');
    await using other = await nodeOfChain('another-chain');
    const asked = await run(['answer', 'balance', zip, '--party', party, '--node', other.url]);
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('the node is on chain another-chain')]);
  });

  test('`answer` takes no names from a file that the program did not write, with a note', async () => {
    const path = files.rewards ?? '';
    await writeFile(archiveNamesPath(path), '{"format":1}');
    const { code, err } = await answer('rewards', 'rewards');
    expect(code).toBe(0);
    expect(err).toContain('are not used: it is not a names file');
  });

  test.each([
    [['answer'], 'missing argument: received, balance, rewards, fills, trades. Usage: blockglass answer'],
    [['answer', 'recieved', 'x'], 'question "recieved" not found'],
    [['answer', 'trades', '--history', '/nowhere'], 'no history on disk'],
    [
      ['answer', 'trades', 'x', '--at', '2026-01-01'],
      'answer trades does not accept --at. It accepts --market, --from, --to, --whole, --by',
    ],
    [['answer', 'trades', 'x', '--by', 'year'], '--by must be day or month, not "year"'],
  ])('`answer` refuses %j: %s', async (line, message) => {
    const { code, err } = await run(line);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
