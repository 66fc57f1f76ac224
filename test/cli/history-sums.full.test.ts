import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNamesFile } from '../../src/chain/directory/names-file.ts';
import { startNode } from '../../src/node/index.ts';
import { parseCsv } from '../node/csv-rows.ts';
import { run } from './run-command.ts';

const PARTIES = 40;
const TABLES = ['ledger', 'balances', 'rewards', 'trades'] as const;

type Row = Readonly<Record<string, string>>;
type Sums = ReadonlyMap<string, bigint>;

let root = '';
let node: Awaited<ReturnType<typeof startNode>>;
let history: readonly string[] = [];
let rows: { readonly [table in (typeof TABLES)[number]]: readonly Row[] };
let parties: readonly string[] = [];
/** Of each account of the parties: the party, and whether fees of a provider wait in it. */
let accounts: ReadonlyMap<string, { readonly party: string; readonly isOfFees: boolean }>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'blockglass-sums-'));
  const nowMs = Date.UTC(2026, 8, 14, 12);
  node = await startNode({ provisions: 50, historyScale: 0.2, clock: () => nowMs, rateLimit: { burst: 2000 } });
  history = ['--history', root, '-o', 'json'];
  const fetched = await run(['fetch', '--tables', TABLES.join(','), '--node', node.url, '--history', root]);
  expect(fetched.code).toBe(0);
  const [ledger, balances, rewards, trades] = await Promise.all(TABLES.map(rowsOfExport));
  rows = { ledger: ledger ?? [], balances: balances ?? [], rewards: rewards ?? [], trades: trades ?? [] };
  parties = [...new Set(rows.rewards.map(({ party_id = '' }) => hex(party_id)))].toSorted().slice(0, PARTIES);
  const names = readNamesFile(join(root, 'demo-chain-1', 'names.json'))?.names;
  accounts = accountsOf(parties, [...(names?.assets.keys() ?? [])], [...(names?.markets.keys() ?? [])]);
}, 120_000);
afterAll(async () => {
  await node.close();
  await rm(root, { recursive: true });
});

/** The rows of a table, from an export that knows nothing of the history. */
async function rowsOfExport(table: string): Promise<readonly Row[]> {
  const out = join(root, `${table}.zip`);
  const words = ['export', '--node', node.url, '--table', table, '--range', 'all', '--out', out];
  expect((await run(words)).code).toBe(0);
  return Object.values(unzipSync(await readFile(out))).flatMap(csv => {
    const [header = [], ...found] = parseCsv(new TextDecoder().decode(csv));
    return found.map(row => Object.fromEntries(header.map((name, index) => [name ?? '', row[index] ?? ''])));
  });
}

const hex = (id: string): string => id.replace(/^\\x/, '').toLowerCase();

const NO_MARKET = ['GENERAL', 'HOLDING', 'VESTING_REWARDS', 'VESTED_REWARDS'];
const OF_MARKET = ['MARGIN', 'BOND', 'LP_LIQUIDITY_FEES', 'ORDER_MARGIN'];

/** account-ids.md: the SHA-256 of asset, party, market and type as text. */
const accountId = (asset: string, party: string, market: string, type: string): string =>
  createHash('sha256').update(`${asset}${party}${market}ACCOUNT_TYPE_${type}`).digest('hex');

function accountsOf(owners: readonly string[], assets: readonly string[], markets: readonly string[]) {
  const found = new Map<string, { readonly party: string; readonly isOfFees: boolean }>();
  for (const party of owners)
    for (const asset of assets) {
      for (const type of NO_MARKET) found.set(accountId(asset, party, '', type), { party, isOfFees: false });
      for (const market of markets)
        for (const type of OF_MARKET)
          found.set(accountId(asset, party, market, type), { party, isOfFees: type === 'LP_LIQUIDITY_FEES' });
    }
  return found;
}

async function answered(question: string, ...words: readonly string[]): Promise<readonly Row[]> {
  const { code, out, err } = await run(['answer', question, ...words, ...history]);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return JSON.parse(out);
}

const perParty = (): readonly string[] => parties.flatMap(party => ['--party', party]);

/** Adds up, and leaves out what is 0. */
function sumsOf(pairs: Iterable<readonly [string, string | undefined]>): Sums {
  const sums = new Map<string, bigint>();
  for (const [key, amount] of pairs) sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount || '0'));
  return new Map([...sums].filter(([, sum]) => sum !== 0n).toSorted());
}

const isOf = (party: string): boolean => parties.includes(party);

/** Every party must be there: two empty sums are equal, too. */
function expectSame(ours: Sums, theirs: Sums, least: number): void {
  expect(theirs.size).toBeGreaterThanOrEqual(least);
  expect([...ours]).toEqual([...theirs]);
}

describe('An answer from the history is the sum of the raw rows of exports, for 40 parties', () => {
  it('There are as many parties, and each has accounts with money', () => {
    expect(parties).toHaveLength(PARTIES);
    const paid = rows.balances.flatMap(({ account_id = '' }) => accounts.get(hex(account_id))?.party ?? []);
    expect(new Set(paid).size).toBe(PARTIES);
  });

  it('`answer rewards`: amounts by party and asset', async () => {
    const ours = await answered('rewards', ...perParty());
    const theirs = rows.rewards.filter(({ party_id = '' }) => isOf(hex(party_id)));
    expectSame(
      sumsOf(ours.map(row => [`${row.partyId} ${row.assetId}`, row.amountSmallest])),
      sumsOf(theirs.map(row => [`${hex(row.party_id ?? '')} ${hex(row.asset_id ?? '')}`, row.amount])),
      PARTIES,
    );
  });

  it('`answer received`: what came from others and went to others, by party', async () => {
    const ours = await answered('received', ...perParty());
    const kinds = ['received', 'sent', 'deposited', 'withdrawn', 'restored'];
    expectSame(
      sumsOf(ours.flatMap(row => kinds.map(kind => [`${row.partyId} ${kind}`, row[`${kind}Smallest`]] as const))),
      sumsOf(movesOf(rows.ledger)),
      PARTIES * 2,
    );
  });

  it('`answer balance`: the last balance of each account', async () => {
    const ours = new Map<string, string>();
    for (const row of await answered('balance', ...perParty(), '--by', 'month')) {
      const type = row.account?.replace('ACCOUNT_TYPE_', '') ?? '';
      ours.set(accountId(row.assetId ?? '', row.partyId ?? '', row.marketId ?? '', type), row.balanceSmallest ?? '');
    }
    const theirs = new Map<string, string>();
    for (const { account_id = '', balance = '' } of rows.balances)
      if (accounts.has(hex(account_id))) theirs.set(hex(account_id), balance);
    expectSame(sumsOf(ours), sumsOf(theirs), PARTIES);
  });

  it('`answer fills`: volume and fees by party and market', async () => {
    const ours = await answered('fills', ...perParty(), '--by', 'month');
    const sides = ['buyer', 'seller'] as const;
    const theirs = rows.trades.flatMap(row =>
      sides.flatMap(side => {
        const place = `${hex(row[side] ?? '')} ${hex(row.market_id ?? '')}`;
        if (!isOf(hex(row[side] ?? ''))) return [];
        const fees = FEES.map(fee => [`${place} paid`, row[`${side}_${fee}`]] as const);
        return [[`${place} size`, row.size] as const, ...fees];
      }),
    );
    expectSame(
      sumsOf(
        ours.flatMap(row => [
          [`${row.partyId} ${row.marketId} size`, row.volumeSmallest],
          [`${row.partyId} ${row.marketId} size`, row.closedOutSmallest],
          [`${row.partyId} ${row.marketId} paid`, row.paidSmallest],
        ]),
      ),
      sumsOf(theirs),
      PARTIES,
    );
  });

  it('`answer trades`: trades and fees by market', async () => {
    const ours = await answered('trades');
    const theirs = rows.trades.flatMap(row => {
      const fees = ['buyer', 'seller'].flatMap(side =>
        FEES.map(fee => [`${hex(row.market_id ?? '')} fees`, row[`${side}_${fee}`]] as const),
      );
      return [[`${hex(row.market_id ?? '')} trades`, '1'] as const, ...fees];
    });
    expectSame(
      sumsOf(
        ours.flatMap(row => [
          [`${row.marketId} trades`, row.trades],
          [`${row.marketId} fees`, row.feesSmallest],
        ]),
      ),
      sumsOf(theirs),
      10,
    );
  });
});

const FEES = ['maker_fee', 'infrastructure_fee', 'liquidity_fee'];

/** The party whose money an account is. Fees of a provider arrive when they leave their fee account. */
function ownerOf(account: string | undefined): string | undefined {
  const owned = accounts.get(hex(account ?? ''));
  return owned?.isOfFees === true ? undefined : owned?.party;
}

/** What ledger rows move to and from each party; a transfer to oneself passes through an account of the network. */
function movesOf(ledger: readonly Row[]) {
  const halves = (type: string, end: 'account_from_id' | 'account_to_id') =>
    new Set(
      ledger
        .filter(row => row.type === `TRANSFER_TYPE_${type}` && hex(row.transfer_id ?? '') !== '')
        .map(row => `${ownerOf(row[end])} ${row.transfer_id}`),
    );
  const toOneself = halves('TRANSFER_FUNDS_SEND', 'account_from_id').intersection(
    halves('TRANSFER_FUNDS_DISTRIBUTE', 'account_to_id'),
  );
  return ledger.flatMap(({ account_from_id, account_to_id, quantity = '', type = '', transfer_id }) => {
    const [from, to] = [ownerOf(account_from_id), ownerOf(account_to_id)];
    if (from === to || toOneself.has(`${from ?? to} ${transfer_id}`)) return [];
    const kind = type.replace('TRANSFER_TYPE_', '');
    const came = kind === 'DEPOSIT' ? 'deposited' : kind === 'CHECKPOINT_BALANCE_RESTORE' ? 'restored' : 'received';
    const went = kind === 'WITHDRAW' ? 'withdrawn' : 'sent';
    return [
      ...(to === undefined ? [] : [[`${to} ${came}`, quantity] as const]),
      ...(from === undefined ? [] : [[`${from} ${went}`, quantity] as const]),
    ];
  });
}
