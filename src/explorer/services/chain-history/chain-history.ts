import type { ReadyQuestion } from '../../../answers/index.ts';
import { joinRanges, type Range } from '../../../chain/insight/range.ts';
import type { SavedSlice } from '../../../history/download/progress.ts';
import type { RatedProgress } from '../../../history/download/rate.ts';
import type { WorldEffect } from '../effect.ts';
import { errorMessage } from '../failure.ts';
import type { NodeState } from '../node/node.ts';
import {
  cancelling,
  ended,
  isRunning,
  progressed,
  type RunningTransfer,
  started,
  type Transfer,
  transferEffects,
} from '../transfer.ts';

/** The history of the chain on disk, and the fetch that adds to it. Both outlive the screens. */
export interface ChainHistoryState {
  /** A screen has shown it: it is read, and again when it may have changed. */
  readonly isWanted: boolean;
  /** Goes up when the disk may have changed. */
  readonly version: number;
  /** The last reading; null before the first. */
  readonly stored: StoredHistory | null;
  /** The node and version it was read for. */
  readonly readFor: string;
  readonly fetch: HistoryFetch | null;
}

/** The history on disk for the chain of a node. */
export interface StoredHistory {
  /** The folder of the chain; null while nothing is on disk. */
  readonly folder: string | null;
  readonly chainId: string;
  /** Tables, blocks and dates, in one line; '' without a history. It may hold words of a node. */
  readonly description: string;
  readonly tables: readonly StoredRows[];
  /** Unusable files, and other chains fetched from the same address: a sentence each. */
  readonly notes: readonly string[];
  /** The engine is installed that opens tables and answers questions. */
  readonly hasEngine: boolean;
  readonly questions: readonly ReadyQuestion[];
}

/** The verified slices of a table. */
export interface StoredRows {
  readonly table: string;
  readonly folder: string;
  /** Blocks, in order, joined where they touch. */
  readonly ranges: readonly Range[];
  /** Each file has one, in order. */
  readonly slices: readonly Range[];
  /** Blocks whose file is damaged, or gone. */
  readonly damaged: readonly Range[];
  readonly rows: number;
  readonly bytes: number;
  /** When the newest slice was verified, ISO 8601. */
  readonly finished: string;
}

/** The tables and range to fetch. */
export interface FetchRequest {
  /** The purpose, in words: `a report`. */
  readonly title: string;
  readonly tables: readonly string[];
  /** As typed, see `parseFetchRange`. */
  readonly range: string;
  /** Verifies every slice in this folder of a chain, and fetches damaged ones again. */
  readonly checkedFolder?: string;
}

export type HistoryFetch = Transfer<FetchRequest, FetchOutcome>;

export interface FetchOutcome {
  readonly kind: 'fetched' | 'cancelled' | 'stopped';
  /** The result, then possible next steps. */
  readonly lines: readonly string[];
}

/** What a fetch would bring, for each table. */
export interface FetchEstimate {
  readonly tables: readonly TableEstimate[];
  /** Tables that a fetch of accounts from this node includes. */
  readonly naming: readonly string[];
  /** Bytes per second of the last fetch; null before one. */
  readonly bytesPerS: number | null;
  /** Why nothing can be fetched. */
  readonly problem: string | null;
  readonly notes: readonly string[];
}

interface TableEstimate {
  readonly table: string;
  readonly missingSegments: number;
  /** Null where nothing of the table is known. */
  readonly bytes: number | null;
}

export type ChainHistoryEvent =
  /** It is looked at, or may have changed. */
  | { readonly type: 'read-history' }
  | { readonly type: 'history-stored'; readonly stored: StoredHistory; readonly readFor: string }
  | { readonly type: 'start-fetch'; readonly request: FetchRequest }
  | { readonly type: 'cancel-fetch' | 'dismiss-fetch' }
  | { readonly type: 'fetch-progressed'; readonly fetch: number; readonly progress: RatedProgress }
  | { readonly type: 'fetch-ended'; readonly fetch: number; readonly result: FetchOutcome };

/** Whose history is meant: that of the chain, and while that is not known the one that was fetched from the address. */
export interface HistoryOwner {
  readonly chainId: string | null;
  readonly address: string;
}

/** What the history takes of the world. */
export interface ChainHistoryWorld {
  readonly storedHistory: (owner: HistoryOwner) => Promise<StoredHistory>;
  /** What the node has of this range that is not on disk. */
  readonly estimateFetch: (range: string, signal: AbortSignal) => Promise<FetchEstimate>;
  /** Deletes these tables from a history folder, or the whole history. Resolves with the bytes freed. */
  readonly forgetHistory: (folder: string, tables: readonly string[] | undefined) => Promise<number>;
  /** Never rejects for what a node or a disk does: how it ended is said. */
  readonly fetchHistory: (
    request: FetchRequest,
    onProgress: (progress: RatedProgress) => void,
    signal: AbortSignal,
  ) => Promise<FetchOutcome>;
}

export const NO_CHAIN_HISTORY: ChainHistoryState = {
  isWanted: false,
  version: 0,
  stored: null,
  readFor: '',
  fetch: null,
};

export const FETCH_RUNS = 'a fetch is running already';

/** The same object where an event changes nothing; `id` is for a fetch that starts. */
export function chainHistoryAfter(state: ChainHistoryState, event: ChainHistoryEvent, id: number): ChainHistoryState {
  const { fetch } = state;
  const withFetch = (after: HistoryFetch | null): ChainHistoryState =>
    after === fetch ? state : { ...state, fetch: after };
  switch (event.type) {
    case 'read-history':
      return { ...state, isWanted: true, version: state.version + 1 };
    case 'history-stored':
      return { ...state, stored: event.stored, readFor: event.readFor };
    case 'start-fetch':
      return withFetch(started(fetch, id, event.request));
    case 'cancel-fetch':
      return withFetch(cancelling(fetch));
    case 'dismiss-fetch':
      return withFetch(fetch?.status === 'ended' ? null : fetch);
    case 'fetch-progressed': {
      const after = withFetch(progressed(fetch, event.fetch, event.progress));
      return after === state || fetch?.status !== 'running' ? state : withArrived(after, fetch, event.progress);
    }
    case 'fetch-ended': {
      const after = withFetch(ended(fetch, event.fetch, event.result));
      return after === state ? state : { ...after, isWanted: true, version: state.version + 1 };
    }
  }
}

// An arrived slice shows at once. A new table is read from disk, and the whole history at the end.
function withArrived(
  state: ChainHistoryState,
  { progress: before }: RunningTransfer<FetchRequest>,
  progress: RatedProgress,
): ChainHistoryState {
  const isNextTable = before !== null && before.table !== progress.table;
  const arrived = progress.last === before?.last ? undefined : progress.last;
  const isNew = arrived !== undefined && storedRows(state, arrived.table) === undefined;
  return {
    ...state,
    version: isNextTable || isNew ? state.version + 1 : state.version,
    stored: arrived !== undefined && state.stored !== null ? withSlice(state.stored, arrived) : state.stored,
  };
}

/** Adds a slice to a table on disk. */
function withSlice(stored: StoredHistory, { table, from, to, rows, bytes }: SavedSlice): StoredHistory {
  const tables = stored.tables.map(known =>
    known.table === table
      ? {
          ...known,
          ranges: joinRanges([...known.ranges, { from, to }].toSorted(byBlock)),
          slices: [...known.slices, { from, to }].toSorted(byBlock),
          rows: known.rows + rows,
          bytes: known.bytes + bytes,
        }
      : known,
  );
  return { ...stored, tables };
}

const byBlock = (one: Range, other: Range): number => (one.from < other.from ? -1 : 1);

/** The state after a change of node: a running fetch is cancelled. A later one fetches the rest. */
export const chainHistoryAfterSwitch = ({ isWanted, version }: ChainHistoryState): ChainHistoryState => ({
  ...NO_CHAIN_HISTORY,
  isWanted,
  version,
});

type NodeOfHistory = Pick<NodeState, 'chainId' | 'address' | 'moment' | 'status'>;

/** What runs for the history: it is read where it may have changed, and the fetch. */
export function chainHistoryEffects(
  { isWanted, version, readFor, fetch }: ChainHistoryState,
  node: NodeOfHistory,
): readonly WorldEffect<ChainHistoryWorld, ChainHistoryEvent>[] {
  const owner = { chainId: node.chainId, address: node.address };
  const wanted = `${version} ${owner.chainId} ${owner.address}`;
  const isRead = !isWanted || readFor === wanted;
  return [...(isRead ? [] : [reading(owner, wanted)]), ...fetching(fetch)];
}

const reading = (owner: HistoryOwner, readFor: string): WorldEffect<ChainHistoryWorld, ChainHistoryEvent> => ({
  key: `stored history ${readFor}`,
  run: async world => [{ type: 'history-stored', stored: await world.storedHistory(owner), readFor }],
  failed: error => [{ type: 'history-stored', stored: { ...NOTHING_STORED, notes: [errorMessage(error)] }, readFor }],
});

export const NOTHING_STORED: StoredHistory = {
  folder: null,
  chainId: '',
  description: '',
  tables: [],
  notes: [],
  hasEngine: true,
  questions: [],
};

const fetching = (fetch: HistoryFetch | null): readonly WorldEffect<ChainHistoryWorld, ChainHistoryEvent>[] =>
  transferEffects(fetch, {
    name: 'fetch',
    run: (world: ChainHistoryWorld, request, onProgress, signal) => world.fetchHistory(request, onProgress, signal),
    failed: (error): FetchOutcome => ({ kind: 'stopped', lines: [errorMessage(error)] }),
    progressed: (id, progress): ChainHistoryEvent => ({ type: 'fetch-progressed', fetch: id, progress }),
    ended: (id, result) => ({ type: 'fetch-ended', fetch: id, result }),
  });

/** Whether a fetch runs. */
export const isFetching = ({ fetch }: Pick<ChainHistoryState, 'fetch'>): boolean => isRunning(fetch);

/** The rows of a table on disk. */
export const storedRows = ({ stored }: Pick<ChainHistoryState, 'stored'>, table: string): StoredRows | undefined =>
  stored?.tables.find(one => one.table === table);
