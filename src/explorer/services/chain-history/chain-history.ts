import type { ReadyQuestion } from '../../../answers/index.ts';
import { joinRanges, type Range } from '../../../chain/insight/range.ts';
import type { WorldEffect } from '../effect.ts';
import { errorMessage } from '../failure.ts';
import type { NodeState } from '../node/node.ts';

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

export type HistoryFetch = { readonly id: number; readonly request: FetchRequest } & (
  | { readonly status: 'running'; readonly progress: HistoryProgress | null; readonly isCancelling: boolean }
  | { readonly status: 'ended'; readonly outcome: FetchOutcome }
);

/** How far a fetch is. */
export interface HistoryProgress {
  readonly step: 'asking' | 'checking' | 'fetching';
  readonly table: string;
  readonly segments: { readonly done: number; readonly of: number };
  /** Brought by this fetch. */
  readonly bytes: number;
  readonly bytesPerS: number;
  readonly leftMs: number | null;
  /** The blocks under way. */
  readonly slice: Range | null;
  /** The slice that arrived last. */
  readonly last: ArrivedSlice | null;
  /** Why nothing arrives now. */
  readonly pause: string | null;
}

export interface ArrivedSlice extends Range {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface FetchOutcome {
  readonly kind: 'fetched' | 'cancelled' | 'stopped';
  /** The result, then possible next steps. */
  readonly lines: readonly string[];
}

/** What a fetch would bring, for each table. */
export interface FetchEstimate {
  readonly tables: readonly TableEstimate[];
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
  | { readonly type: 'fetch-progressed'; readonly fetch: number; readonly progress: HistoryProgress }
  | { readonly type: 'fetch-ended'; readonly fetch: number; readonly outcome: FetchOutcome };

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
    onProgress: (progress: HistoryProgress) => void,
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
  const running = state.fetch?.status === 'running' ? state.fetch : null;
  switch (event.type) {
    case 'read-history':
      return { ...state, isWanted: true, version: state.version + 1 };
    case 'history-stored':
      return { ...state, stored: event.stored, readFor: event.readFor };
    case 'start-fetch':
      return running === null
        ? { ...state, fetch: { id, request: event.request, status: 'running', progress: null, isCancelling: false } }
        : state;
    case 'cancel-fetch':
      return running === null ? state : { ...state, fetch: { ...running, isCancelling: true } };
    case 'dismiss-fetch':
      return state.fetch?.status === 'ended' ? { ...state, fetch: null } : state;
    case 'fetch-progressed':
      return running?.id === event.fetch ? withProgress(state, running, event.progress) : state;
    case 'fetch-ended':
      return running?.id === event.fetch
        ? {
            ...state,
            isWanted: true,
            version: state.version + 1,
            fetch: { id: running.id, request: running.request, status: 'ended', outcome: event.outcome },
          }
        : state;
  }
}

// An arrived slice shows at once. A new table is read from disk, and the whole history at the end.
function withProgress(
  state: ChainHistoryState,
  running: Extract<HistoryFetch, { readonly status: 'running' }>,
  progress: HistoryProgress,
): ChainHistoryState {
  const { progress: before } = running;
  const isNextTable = before !== null && before.table !== progress.table;
  const arrived = progress.last === before?.last ? null : progress.last;
  const isNew = arrived !== null && storedRows(state, arrived.table) === undefined;
  return {
    ...state,
    version: isNextTable || isNew ? state.version + 1 : state.version,
    stored: arrived !== null && state.stored !== null ? withSlice(state.stored, arrived) : state.stored,
    fetch: { ...running, progress },
  };
}

/** Adds a slice to a table on disk. */
function withSlice(stored: StoredHistory, { table, from, to, rows, bytes }: ArrivedSlice): StoredHistory {
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

/** The fetch, while it is wanted. A cancelled one still reports the slices that arrived. */
function fetching(fetch: HistoryFetch | null): readonly WorldEffect<ChainHistoryWorld, ChainHistoryEvent>[] {
  if (fetch?.status !== 'running' || fetch.isCancelling) return [];
  const { id, request } = fetch;
  const ended = (outcome: FetchOutcome): readonly ChainHistoryEvent[] => [{ type: 'fetch-ended', fetch: id, outcome }];
  return [
    {
      key: `fetch ${id}`,
      run: async (world, signal, report) => {
        const onProgress = (progress: HistoryProgress): void =>
          report({ type: 'fetch-progressed', fetch: id, progress });
        return ended(await world.fetchHistory(request, onProgress, signal));
      },
      failed: error => ended({ kind: 'stopped', lines: [errorMessage(error)] }),
      mustFinish: true,
      reportsAfterAbort: true,
    },
  ];
}

/** Whether a fetch runs. */
export const isFetching = ({ fetch }: Pick<ChainHistoryState, 'fetch'>): boolean => fetch?.status === 'running';

/** The rows of a table on disk. */
export const storedRows = ({ stored }: Pick<ChainHistoryState, 'stored'>, table: string): StoredRows | undefined =>
  stored?.tables.find(one => one.table === table);
