import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FileLock } from '../../base/disk/file-lock.ts';
import type { Client } from '../../chain/api/client.ts';
import { NodeError } from '../../chain/api/errors.ts';
import { shownAddress } from '../../chain/api/request.ts';
import type { Range } from '../../chain/insight/range.ts';
import { type Boundaries, fetchBoundaries } from '../../chain/range/segment-boundaries.ts';
import type { ExportResult } from '../download/export-result.ts';
import { nothingYet, type Pause, type Progress, type SavedSlice, timeLeft } from '../download/progress.ts';
import { FolderInUseError, lockFolder } from '../manifest/folder-lock.ts';
import { createFolder, isWriteDenied, toDestinationError } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { findExportTable } from '../plan/export-tables.ts';
import type { ChainRecord } from './chain-file.ts';
import { openHistory, sliceRange } from './chain-history.ts';
import { fetchHistoryNames } from './fetch-entity-names.ts';
import { FetchPace } from './fetch-pace.ts';
import type { FetchResult } from './fetch-result.ts';
import { areNamesSaved, claimFolder, recordFetch } from './fetched-chain.ts';
import { missingSlices, type PlannedSlice, type SegmentBlocks, segmentsInRange } from './missing-slices.ts';
import { OtherHistoryError } from './other-history-error.ts';
import { countSegments, type FetchPlan, segmentsOf } from './plan-fetch.ts';
import { SegmentsGoneError } from './segments-gone-error.ts';
import { runTable, setAsideChanged, type TableRunEnd } from './table-run.ts';

export interface FetchHistoryOptions {
  readonly plan: FetchPlan;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Program and version, for the manifests. */
  readonly program: string;
  /** As of a download; 600 s and 300 s by default. */
  readonly firstByteMs?: number;
  readonly idleMs?: number;
  readonly retryMs?: number;
  readonly nowMs?: () => number;
}

/** Fetches the missing slices of a plan. Another run continues where this one ended. Never throws: the result has errors. */
export async function fetchHistory(options: FetchHistoryOptions): Promise<FetchResult> {
  const fetching = new Fetching(options);
  try {
    await fetching.run();
  } catch (error) {
    fetching.stop(error);
  }
  return fetching.result();
}

const POLL_EVERY_MS = 500;

class Fetching {
  readonly #options: FetchHistoryOptions;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  readonly #fetched: SavedSlice[] = [];
  readonly #failed: { readonly table: string; readonly range: Range; readonly result: ExportResult }[] = [];
  /** Each is said once, however many tables it is about. */
  readonly #notes = new Set<string>();
  /** First blocks of segments that the node listed before. */
  readonly #gone = new Set<bigint>();
  readonly #pace: FetchPace;
  /** Segments to fetch, by table. */
  readonly #left: Map<string, number>;
  readonly #of: number;
  #boundaries: Boundaries;
  #folder: string | null = null;
  #done = 0;
  #byOthers = 0;
  #bytes = 0;
  #rows = 0;
  #failedSegments = 0;
  readonly #slices: number;
  #last: SavedSlice | undefined;
  #savedMs = 0;
  #cause: ExportResult | undefined;

  constructor(options: FetchHistoryOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#startedMs = this.#nowMs();
    const { plan } = options;
    this.#boundaries = plan.boundaries;
    this.#of = plan.segments.missing;
    this.#slices = plan.tables.reduce((sum, { missing }) => sum + missing.length, 0);
    this.#left = new Map(plan.tables.map(({ table, missing }) => [table, countSegments(missing)]));
    this.#pace = new FetchPace(
      new Map(
        plan.tables.flatMap(({ table, missing, estimatedBytes }) => {
          const segments = countSegments(missing);
          return estimatedBytes === null || segments === 0 ? [] : [[table, estimatedBytes / segments] as const];
        }),
      ),
    );
  }

  async run(): Promise<void> {
    const { plan, client, signal } = this.#options;
    if (plan.problem !== undefined)
      throw plan.problem.kind === 'other-history'
        ? new OtherHistoryError(plan.problem.text)
        : new DestinationError(plan.problem.text);
    signal.throwIfAborted();
    const folder = await claimFolder(plan, client, this.#nowMs()).catch((error: unknown) => {
      // A read-only history with nothing to add is complete.
      if (plan.segments.missing > 0 || plan.history === undefined || !isWriteDenied(error)) throw error;
      this.#folder = plan.history.folder;
      return undefined;
    });
    if (folder === undefined) return;
    this.#folder = folder;
    const wanted = plan.tables.filter(({ missing }) => missing.length > 0).map(({ table }) => table);
    const stop = new AbortController();
    const names = fetchHistoryNames({
      ...{
        client,
        folder,
        chainId: plan.chainId,
        range: plan.range,
        isNeeded: wanted.length > 0 || !areNamesSaved(folder, plan.range),
      },
      signal: AbortSignal.any([signal, stop.signal]),
    });
    // It may fail while the tables are still fetched, and is awaited after them.
    names.catch(() => {});
    try {
      await this.#fetchTables(folder, wanted);
    } catch (error) {
      stop.abort();
      await names.catch(() => {});
      throw error;
    }
    const { notes, blockTimes } = await names;
    for (const note of notes) this.#notes.add(note);
    await this.#recordFetch(folder, blockTimes);
  }

  stop(error: unknown): void {
    const { signal, plan } = this.#options;
    const { elapsedMs } = this;
    if (signal.aborted) this.#cause = { kind: 'cancelled', partPath: null, elapsedMs };
    else if (this.#cause === undefined) {
      const place = this.#folder ?? plan.folder;
      this.#cause = { kind: 'failed', error: toDestinationError(place, error), partPath: null, elapsedMs };
    }
  }

  get elapsedMs(): number {
    return this.#nowMs() - this.#startedMs;
  }

  result(): FetchResult {
    return {
      kind: this.#cause !== undefined ? 'stopped' : this.#failed.length > 0 ? 'partial' : 'complete',
      ...{ folder: this.#folder, fetched: this.#fetched, failed: this.#failed },
      notes: [...this.#notes, ...goneNotes(this.#gone)],
      ...(this.#cause !== undefined && { cause: this.#cause }),
      segments: { done: this.#done, of: this.#of, byOthers: this.#byOthers },
      elapsedMs: this.elapsedMs,
    };
  }

  /** A table that another fetch is writing is tried again after the others. */
  async #fetchTables(folder: string, tables: readonly string[]): Promise<void> {
    const postponed: string[] = [];
    for (const [index, table] of tables.entries()) {
      const lock = await this.#lock(join(folder, table));
      if (lock === undefined) {
        this.#notes.add(`${table}: another fetch was writing it, so it was waited for`);
        postponed.push(table);
      } else await this.#fetchLocked(table, lock, index + 1 < tables.length);
    }
    for (const table of postponed) {
      const lock = await this.#waitForLock(table, join(folder, table));
      await this.#fetchLocked(table, lock, true);
    }
  }

  /** Undefined when another program has it. */
  async #lock(folder: string): Promise<FileLock | undefined> {
    await createFolder(folder);
    return lockFolder(folder).catch((error: unknown) => {
      if (error instanceof FolderInUseError) return undefined;
      throw error;
    });
  }

  async #waitForLock(table: string, folder: string): Promise<FileLock> {
    for (;;) {
      const lock = await this.#lock(folder);
      if (lock !== undefined) return lock;
      this.#report(nothingYet(table), { reason: 'other-fetch', leftMs: null });
      await wait(POLL_EVERY_MS, undefined, { signal: this.#options.signal });
    }
  }

  async #fetchLocked(table: string, lock: FileLock, hasNext: boolean): Promise<void> {
    try {
      const end = await this.#fetchTable(table);
      this.#options.signal.throwIfAborted();
      await this.#checkSegments(table, end, hasNext);
      if (end.failure !== undefined) {
        this.#cause = end.failure;
        throw new Error('stopped');
      }
    } finally {
      await lock.release();
    }
  }

  async #fetchTable(tableId: string): Promise<TableRunEnd> {
    const { plan, signal, firstByteMs = 600_000, idleMs = 300_000 } = this.#options;
    const folder = join(this.#folder ?? plan.folder, tableId);
    const table = findExportTable(tableId);
    if (table === undefined) throw new DestinationError(`table ${tableId} not found`);
    const slices = await this.#missing(tableId);
    let received = 0;
    const [before, rowsBefore] = [this.#bytes, this.#rows];
    const segmentsFrom = (block: string): number =>
      slices.find(({ fromBlock }) => String(fromBlock) === block)?.segments ?? 0;
    return await runTable({
      ...this.#options,
      ...{ table, folder, slices, signal, firstByteMs, idleMs },
      ...{ chainId: plan.chainId, boundaries: this.#boundaries, sliceSegments: plan.sliceSegments },
      onProgress: progress => {
        received = Math.max(received, progress.bytes);
        this.#bytes = before + received;
        this.#rows = rowsBefore + progress.rows;
        this.#report(progress, progress.pause);
      },
      onSaved: record => {
        const segments = segmentsFrom(record.fromBlock);
        this.#pace.add(tableId, segments, record);
        this.#done += segments;
        this.#savedMs = this.elapsedMs;
        this.#left.set(tableId, Math.max(0, (this.#left.get(tableId) ?? 0) - segments));
        this.#last = { table: tableId, ...sliceRange(record), rows: record.rows, bytes: record.bytes };
        this.#fetched.push(this.#last);
        this.#report(nothingYet(tableId));
      },
    }).then(end => {
      for (const note of end.notes) this.#notes.add(note);
      for (const { slice, result } of end.failed) {
        this.#failed.push({ table: tableId, range: { from: slice.fromBlock, to: slice.toBlock }, result });
        this.#failedSegments += segmentsFrom(String(slice.fromBlock));
      }
      return end;
    });
  }

  /** The planned slices still missing: another fetch may have brought some, and segments may be gone. */
  async #missing(table: string): Promise<readonly PlannedSlice[]> {
    const { plan } = this.#options;
    if (plan.range === null) return [];
    const { tables } = await openHistory(this.#folder ?? plan.folder);
    const stored = tables.find(found => found.table === table)?.ranges ?? [];
    const planned = plan.tables.find(found => found.table === table)?.missing ?? [];
    // The same cuts as planned, as long as the same segments are missing.
    const unrecorded = planned.map(({ fromBlock, toBlock }) => ({ from: fromBlock, to: toBlock }));
    const cuts = { ...plan, unrecorded };
    const wanted = segmentsWithin(segmentsInRange(plan.ground, plan.range), unrecorded);
    const now = this.#boundaries.kind === 'rule' ? plan.ground : this.#boundaries;
    const listed = new Set(segmentsInRange(now, plan.range).map(segmentKey));
    const isListed = (segment: SegmentBlocks): boolean => listed.has(segmentKey(segment));
    const { slices } = missingSlices(wanted.filter(isListed), stored, cuts);
    const lost = wanted.filter(segment => !isListed(segment));
    const gone = missingSlices(lost, stored, { order: plan.order, sliceSegments: Number.POSITIVE_INFINITY }).slices;
    for (const { fromBlock, toBlock } of gone) {
      const error = new SegmentsGoneError('the node no longer lists its segments. Another --node may have them');
      const range = { from: fromBlock, to: toBlock };
      const { elapsedMs } = this;
      this.#failed.push({ table, range, result: { kind: 'failed', error, partPath: null, elapsedMs } });
    }
    // Slices that another fetch brought, or that the node has deleted, no longer need time.
    const found = countSegments(slices);
    const byOthers = (this.#left.get(table) ?? 0) - found - countSegments(gone);
    this.#failedSegments += countSegments(gone);
    this.#done += byOthers;
    this.#byOthers += byOthers;
    this.#left.set(table, found);
    return slices;
  }

  /** Lists the segments again after a table: they may be gone, or be of another history. */
  async #checkSegments(table: string, { saved, failed }: TableRunEnd, hasNext: boolean): Promise<void> {
    const { plan, client, signal } = this.#options;
    const before = this.#boundaries;
    if (before.kind === 'rule' || plan.range === null || saved.length + failed.length === 0) return;
    let now: Boundaries;
    try {
      now = segmentsOf(plan.chainId, (await fetchBoundaries(client, signal)).boundaries);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      this.#notes.add(`cannot tell whether the history of the node changed during the fetch: ${error.message}`);
      return;
    }
    if (now.kind === 'rule') {
      this.#notes.add('cannot tell whether the history of the node changed during the fetch: it lists no segments now');
      return;
    }
    if (now.segments.length === 0)
      throw new OtherHistoryError(
        `the node no longer lists segments of ${plan.chainId}: it serves another chain now, or none. The fetched part belongs to ${plan.chainId}. Fetch the rest from another --node`,
      );
    const folder = join(this.#folder ?? plan.folder, table);
    const changed = await setAsideChanged(folder, saved, { before: before.segments, now: now.segments });
    if (changed.length > 0)
      throw new OtherHistoryError(
        `the history of the node changed while ${table} was fetched: it lists other segments for ${changed.length === 1 ? 'one slice' : `${changed.length} slices`} (the first is ${changed[0]?.file}). They were set aside as .changed. Fetch again, from a node of the history on disk`,
      );
    if (!hasNext && failed.length === 0) return;
    const wanted = segmentsInRange(before, plan.range);
    const listed = new Map(now.segments.map(segment => [segment.fromHeight, segment]));
    const gone = wanted.filter(({ fromHeight, toHeight }) => listed.get(fromHeight)?.toHeight !== toHeight);
    for (const { fromHeight } of gone) this.#gone.add(fromHeight);
    this.#boundaries = now;
  }

  async #recordFetch(folder: string, blockTimes: ChainRecord['blockTimes']): Promise<void> {
    const { client, plan } = this.#options;
    const rate = this.#fetched.length > 0 ? this.#pace.bytesPerS : undefined;
    const node = { address: shownAddress(client.base), rate, nowMs: this.#nowMs() };
    await recordFetch(folder, { node, blockTimes, named: plan.range });
  }

  /** The progress of a table, as that of the whole fetch. */
  #report(current: Progress, pause?: Pause): void {
    const { failed, underWay } = current.parts;
    this.#options.onProgress({
      ...current,
      parts: {
        ...{ unit: 'segment', done: this.#done, failed: this.#failedSegments + failed, underWay, of: this.#of },
      },
      ...{ bytes: this.#bytes, rows: this.#rows, elapsedMs: this.elapsedMs },
      leftMs: timeLeft({
        ...{ measuredMs: this.#pace.measuredMs, restMs: this.#pace.msOf(this.#left) },
        ...{
          underWayMs: this.#pace.msOf(new Map([[current.table, underWay]])),
          sinceMs: this.elapsedMs - this.#savedMs,
        },
      }),
      slices: { done: this.#fetched.length, total: this.#slices },
      ...(this.#last !== undefined && { last: this.#last }),
      ...(pause !== undefined && { pause }),
    });
  }
}

function goneNotes(gone: ReadonlySet<bigint>): readonly string[] {
  const [first] = [...gone].toSorted((one, other) => (one < other ? -1 : 1));
  if (first === undefined) return [];
  const segments = gone.size === 1 ? 'a segment' : `${gone.size} segments`;
  return [
    `the node no longer lists ${segments} that it listed before, from block ${first} on. To fetch the rest, use another node: --node URL`,
  ];
}

const segmentKey = ({ fromHeight, toHeight }: SegmentBlocks): string => `${fromHeight}-${toHeight}`;

/** Of neighbouring segments, oldest first, those inside of ranges. */
function segmentsWithin(segments: readonly SegmentBlocks[], ranges: readonly Range[]): readonly SegmentBlocks[] {
  const ordered = ranges.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  let at = 0;
  return segments.filter(({ fromHeight, toHeight }) => {
    for (let range = ordered[at]; range !== undefined && range.to < fromHeight; range = ordered[++at]);
    const range = ordered[at];
    return range !== undefined && range.from <= fromHeight && toHeight <= range.to;
  });
}
