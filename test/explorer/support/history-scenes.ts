import type { Boundaries } from '../../../src/chain/range/segment-boundaries.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { open } from '../../../src/explorer/openings.ts';
import type {
  FetchEstimate,
  FetchOutcome,
  StoredHistory,
  StoredRows,
} from '../../../src/explorer/services/chain-history/chain-history.ts';
import type { RatedProgress } from '../../../src/history/download/rate.ts';
import { ratedProgress } from '../../support/progress.ts';
import { segment } from './export-scenes.ts';
import { FakeWorld, last, press, type StartOptions, startSession, told } from './fake-world.ts';

/** Five segments of 1000 blocks. */
export const SEGMENTS = listedBoundaries([1, 1001, 2001, 3001, 4001].map(from => segment(from, from + 999)));

/** A table on disk up to this block, a file for each segment. */
export function storedTable(table: string, toBlock: number, more: Partial<StoredRows> = {}): StoredRows {
  const slices = Array.from({ length: toBlock / 1000 }, (_, at) => ({
    from: BigInt(at * 1000 + 1),
    to: BigInt(at * 1000 + 1000),
  }));
  return {
    ...{ table, folder: `/data/fake-chain-1/${table}`, ranges: [{ from: 1n, to: BigInt(toBlock) }], slices },
    ...{ damaged: [], rows: toBlock / 10, bytes: toBlock * 4, finished: '2026-10-01T12:00:00.000Z' },
    ...more,
  };
}

export const QUESTIONS = [
  { name: 'received', title: 'what a party received and sent, by asset and month', needsParty: true },
  { name: 'trades', title: 'trades by market and day', needsParty: false },
] as const;

/** A history with the whole ledger, a part of the balances, and nothing else. */
export const STORED: StoredHistory = {
  folder: '/data/fake-chain-1',
  chainId: 'fake-chain-1',
  description: 'history of fake-chain-1: ledger; blocks 1-5000; balances: blocks 1-3000',
  tables: [storedTable('ledger', 5000), storedTable('balances', 3000)],
  notes: [],
  hasEngine: true,
  questions: QUESTIONS,
};

export const NOTHING_FETCHED: StoredHistory = {
  ...{ folder: null, chainId: 'fake-chain-1', description: '', tables: [], notes: [] },
  ...{ hasEngine: true, questions: QUESTIONS },
};

export const ESTIMATE: FetchEstimate = {
  tables: [
    { table: 'ledger', missingSegments: 0, bytes: 0 },
    { table: 'balances', missingSegments: 2, bytes: 8000 },
    { table: 'rewards', missingSegments: 5, bytes: null },
  ],
  ...{ naming: [], bytesPerS: 1000, problem: null, notes: [] },
};

export const PROGRESS: RatedProgress = ratedProgress({
  ...{ table: 'balances', blocks: { from: 4001n, to: 5000n }, bytes: 4000, elapsedMs: 2000, leftMs: 2000, rows: 100 },
  parts: { unit: 'segment', done: 1, failed: 0, underWay: 1, of: 2 },
  slices: { done: 1, total: 2 },
});

interface HistoryStart extends StartOptions {
  readonly stored?: StoredHistory;
  readonly boundaries?: Boundaries;
}

/** The History tab, with what the node and the disk have. */
export async function onHistory({ stored = STORED, boundaries = SEGMENTS, ...options }: HistoryStart = {}) {
  const world = options.world ?? new FakeWorld();
  world.stored = stored;
  const { session } = await startSession({ ...options, world, tab: 'history' });
  last(world.segments).answer({ boundaries, hint: null });
  await told();
  return { session, world };
}

/** A fetch for a report runs. */
export async function fetching(options: HistoryStart = {}) {
  const { session, world } = await onHistory(options);
  press(session, 'f');
  last(world.estimates).answer(ESTIMATE);
  await told();
  press(session, 'enter');
  await told();
  return { session, world };
}

/** Ends the fetch that runs. */
export async function endFetch(_: Session, world: FakeWorld, outcome: FetchOutcome = FETCHED): Promise<void> {
  last(world.fetches).answer(outcome);
  await told();
}

export const FETCHED: FetchOutcome = {
  kind: 'fetched',
  lines: ['Complete: 7 segments fetched, 90 rows, 12.0 kB in 3 s, verified.'],
};

export const PARTY = 'ab'.repeat(32);

/** What a party earned: asked for, with what the node has beyond it. */
export async function onEarned({ stored = STORED, ...options }: HistoryStart = {}) {
  const world = options.world ?? new FakeWorld();
  world.stored = stored;
  const { session } = await startSession({ ...options, world });
  session.dispatch(open('earned', { party: PARTY }));
  await told();
  last(world.estimates).answer(ESTIMATE);
  await told();
  return { session, world };
}

const NO_GAP = { notes: [], gap: null } as const;
const COLUMNS = [
  { title: 'asset', align: 'left' },
  { title: 'received', align: 'right' },
] as const;

export const ANSWERS: Parameters<FakeWorld['earnings'][number]['answer']>[0] = {
  covered: [
    {
      ...{ table: 'ledger', fromBlock: '1', toBlock: '5000', rows: '500' },
      ...{ firstTime: '2023-01-18T01:08:00Z', lastTime: '2023-01-18T01:38:00Z' },
    },
  ],
  warnings: ['Not known, because a table is missing or cannot be used: Rewards.'],
  sections: [
    {
      ...{ id: 'money', title: 'Money in and out', about: '', ...NO_GAP },
      figures: [
        {
          ...{ title: 'By asset', columns: COLUMNS, rows: [['HUSD', '1 234.50']], records: [], sql: '' },
          ...{ charts: [], isDetail: false },
        },
      ],
    },
    { id: 'fees', title: 'Fees', about: '', figures: [], ...NO_GAP },
    {
      ...{ id: 'rewards', title: 'Rewards', about: '', figures: [], notes: [] },
      gap: { why: 'These exports have no table rewards.', command: '' },
    },
  ],
};

/** The same with the answer. */
export async function earned(options: HistoryStart = {}): Promise<{ session: Session; world: FakeWorld }> {
  const { session, world } = await onEarned(options);
  last(world.earnings).answer(ANSWERS);
  await told();
  return { session, world };
}
