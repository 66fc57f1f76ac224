import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNamesFile } from '../../src/chain/directory/names-file.ts';
import { startNode } from '../../src/node/index.ts';
import { parseCsv } from '../node/csv-rows.ts';
import { hasRealNode, REAL_NODE, recordedNode } from '../support/recorded-node.ts';
import { run } from './run-command.ts';

const TABLES = ['ledger', 'balances', 'rewards', 'trades'] as const;

type Row = Readonly<Record<string, string>>;
type Sums = ReadonlyMap<string, bigint>;

/** A chain whose sums are compared, and how many of each there are at least. */
interface Chain {
  readonly id: string;
  readonly start: () => Promise<{ readonly url: string; readonly close: () => Promise<unknown> }>;
  /** The archive of a table that was exported apart from the history. */
  readonly archive: (table: string, url: string) => Promise<string>;
  readonly parties: number;
  readonly least: { readonly [question in 'rewards' | 'received' | 'balance' | 'fills' | 'trades']: number };
}

const demo: Chain = {
  id: 'demo-chain-1',
  start: () =>
    startNode({
      ...{ provisions: 50, historyScale: 0.2, rateLimit: { burst: 2000 } },
      clock: () => Date.UTC(2026, 8, 14, 12),
    }),
  archive: async (table, url) => {
    const out = join(root, `${table}.zip`);
    expect((await run(['export', '--node', url, '--table', table, '--range', 'all', '--out', out])).code).toBe(0);
    return out;
  },
  parties: 40,
  least: { rewards: 40, received: 80, balance: 40, fills: 40, trades: 10 },
};

const recorded: Chain = {
  id: 'testnet-001',
  start: async () => {
    const replay = await recordedNode();
    return { url: replay.url, close: async () => replay[Symbol.asyncDispose]() };
  },
  archive: async table => join(REAL_NODE, `exports/testnet-001-${table}-000001-005000.zip`),
  parties: 12,
  least: { rewards: 4, received: 12, balance: 12, fills: 4, trades: 1 },
};

let root = '';
let history: readonly string[] = [];
let rows: { readonly [table in (typeof TABLES)[number]]: readonly Row[] };
let parties: readonly string[] = [];
/** Of each account of the parties: the party, and whether fees of a provider wait in it. */
let accounts: ReadonlyMap<string, { readonly party: string; readonly isOfFees: boolean }>;

async function rowsOfArchive(path: string): Promise<readonly Row[]> {
  return Object.values(unzipSync(await readFile(path))).flatMap(csv => {
    const [header = [], ...found] = parseCsv(new TextDecoder().decode(csv));
    return found.map(row => Object.fromEntries(header.map((name, index) => [name ?? '', row[index] ?? ''])));
  });
}

/** Who has rewards, then who trades. */
const partiesIn = ({ rewards, trades }: typeof rows, most: number): readonly string[] => {
  const rewarded = new Set(rewards.map(({ party_id = '' }) => hex(party_id)));
  const trading = new Set(trades.flatMap(({ buyer = '', seller = '' }) => [hex(buyer), hex(seller)]));
  return [...new Set([...[...rewarded].toSorted(), ...[...trading].toSorted()])].slice(0, most).toSorted();
};

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

const CHAINS = hasRealNode ? [demo, recorded] : [demo];

describe.each(CHAINS)(
  'An answer from the history of $id is the sum of the raw rows of exports, for $parties parties',
  chain => {
    const { least } = chain;
    let node: Awaited<ReturnType<Chain['start']>>;
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'blockglass-sums-'));
      node = await chain.start();
      history = ['--history', root, '-o', 'json'];
      const fetched = await run(['fetch', '--tables', TABLES.join(','), '--node', node.url, '--history', root]);
      expect(fetched.code).toBe(0);
      const [ledger = [], balances = [], rewards = [], trades = []] = await Promise.all(
        TABLES.map(async table => rowsOfArchive(await chain.archive(table, node.url))),
      );
      rows = { ledger, balances, rewards, trades };
      parties = partiesIn(rows, chain.parties);
      const names = readNamesFile(join(root, chain.id, 'names.json'))?.names;
      accounts = accountsOf(parties, [...(names?.assets.keys() ?? [])], [...(names?.markets.keys() ?? [])]);
    }, 120_000);
    afterAll(async () => {
      await node.close();
      await rm(root, { recursive: true });
    });

    it('There are as many parties, and each has accounts with money', () => {
      expect(parties).toHaveLength(chain.parties);
      const paid = rows.balances.flatMap(({ account_id = '' }) => accounts.get(hex(account_id))?.party ?? []);
      expect(new Set(paid).size).toBe(chain.parties);
    });

    it('`answer rewards`: amounts by party and asset', async () => {
      const ours = await answered('rewards', ...perParty());
      const theirs = rows.rewards.filter(({ party_id = '' }) => isOf(hex(party_id)));
      expectSame(
        sumsOf(ours.map(row => [`${row.partyId} ${row.assetId}`, row.amountSmallest])),
        sumsOf(theirs.map(row => [`${hex(row.party_id ?? '')} ${hex(row.asset_id ?? '')}`, row.amount])),
        least.rewards,
      );
    });

    it('`answer received`: what came from others and went to others, by party', async () => {
      const ours = await answered('received', ...perParty());
      const kinds = ['received', 'sent', 'deposited', 'withdrawn', 'restored'];
      expectSame(
        sumsOf(ours.flatMap(row => kinds.map(kind => [`${row.partyId} ${kind}`, row[`${kind}Smallest`]] as const))),
        sumsOf(movesOf(rows.ledger)),
        least.received,
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
      expectSame(sumsOf(ours), sumsOf(theirs), least.balance);
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
        least.fills,
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
        least.trades,
      );
    });
  },
);

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
