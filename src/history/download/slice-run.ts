import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { formatByteCount } from '../../base/text/byte-count.ts';
import { NetworkError, RateLimitedError, RefusedError, TimeoutError } from '../../chain/api/errors.ts';
import { type Boundaries, checkRange } from '../../chain/range/segment-boundaries.ts';
import { createSliceRecord, type SliceRecord } from '../manifest/manifest.ts';
import type { SliceBook } from '../manifest/slice-book.ts';
import { segmentBefore, sliceSegmentIds } from '../manifest/slice-notes.ts';
import { freeSpace, MIN_FREE_BYTES, toDestinationError } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { archiveName, type ExportPlan } from '../plan/export-plan.ts';
import { type Slice, slicePlan } from '../plan/slices.ts';
import { type DownloadOptions, download } from './download.ts';
import { removePartOnFullDisk, removeParts, reuseEarlierSlice } from './earlier-slices.ts';
import type { ExportResult } from './export-result.ts';
import { type PartCounts, type Pause, type Progress, type RetryPause, timeLeftOfParts } from './progress.ts';

interface SliceRunOptions extends DownloadOptions {
  readonly boundaries: Boundaries;
  readonly folder: string;
  /** In the order in which they are fetched; with their segments, where the node does not list them. */
  readonly slices: readonly (Slice & { readonly segments?: number })[];
  /** Where verified slices are recorded. */
  readonly book: SliceBook;
  /** Slices downloaded at once. */
  readonly parallel: number;
  readonly startedMs: number;
  /** First wait before a retry, in ms. Default 1000. */
  readonly retryMs?: number;
  /** Told of each slice that was downloaded and recorded. */
  readonly onSaved?: (record: SliceRecord) => void;
  /** Whether the other slices are still fetched after one failed so. Default: never. */
  readonly isSkipped?: (result: ExportResult) => boolean;
  /** Stops after this many failed slices. */
  readonly mostFailed?: number;
}

/** A slice that could not be had, while others were fetched. */
export interface FailedSlice {
  readonly slice: Slice;
  readonly result: ExportResult;
}

const REPORT_PAUSE_EVERY_MS = 500;

/** Fetches slices of one table into a folder that the caller has locked. */
export class SliceRun {
  readonly #options: SliceRunOptions;
  readonly #nowMs: () => number;
  /** How many segments each slice has. */
  readonly #segments: ReadonlyMap<string, number>;
  readonly #done = new Map<string, SliceRecord>();
  readonly #underWay = new Map<string, Progress>();
  readonly #pauses = new Map<string, { readonly reason: RetryPause['reason']; readonly untilMs: number }>();
  readonly #missing: Slice[] = [];
  readonly #failed: FailedSlice[] = [];
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #failure: ExportResult | undefined;
  #isCounted = false;
  /** What earlier runs had, and when this one began to fetch, and has saved a slice last. */
  #earlier = { bytes: 0, segments: 0 };
  #fetchingMs = 0;
  #savedMs = 0;

  constructor(options: SliceRunOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#segments = new Map(
      options.slices.map(slice => [segmentListKey(slice), slice.segments ?? countSegments(options.boundaries, slice)]),
    );
  }

  get elapsedMs(): number {
    return this.#nowMs() - this.#options.startedMs;
  }

  /** Why it stopped before all slices were fetched. */
  get failure(): ExportResult | undefined {
    return this.#failure;
  }

  /** Slices that failed without ending the run. */
  get failed(): readonly FailedSlice[] {
    return this.#failed;
  }

  /** Whether all slices of earlier runs were found. */
  get isCounted(): boolean {
    return this.#isCounted;
  }

  /** The verified slices so far, in order. */
  get done(): readonly SliceRecord[] {
    return this.#options.slices.flatMap(slice => this.#done.get(segmentListKey(slice)) ?? []);
  }

  /** Looks for slices that earlier runs completed. */
  async findMissing(): Promise<void> {
    const { folder, slices, book } = this.#options;
    await removeParts(folder);
    for (const slice of slices) {
      const earlier = await reuseEarlierSlice(folder, this.#planOf(slice), book.manifest, this.#signal);
      if (earlier === undefined) this.#missing.push(slice);
      else {
        this.#done.set(segmentListKey(slice), earlier);
        this.#earlier = {
          bytes: this.#earlier.bytes + earlier.bytes,
          segments: this.#earlier.segments + this.#segmentsOf(slice),
        };
        book.note(earlier);
      }
      this.#report();
    }
    this.#isCounted = true;
  }

  async fetchMissing(): Promise<void> {
    const queue = [...this.#missing];
    this.#fetchingMs = this.elapsedMs;
    const workers = Array.from({ length: Math.min(this.#options.parallel, Math.max(1, queue.length)) }, () =>
      this.#work(queue),
    );
    await Promise.all(workers);
  }

  async #work(queue: Slice[]): Promise<void> {
    for (;;) {
      const slice = queue.shift();
      if (slice === undefined || this.#signal.aborted) return;
      if (this.#failed.length >= (this.#options.mostFailed ?? Number.POSITIVE_INFINITY)) return;
      try {
        await this.#fetch(slice);
      } catch (error) {
        this.#failure ??= {
          kind: 'failed',
          error: toDestinationError(this.#options.folder, error),
          partPath: null,
          elapsedMs: this.elapsedMs,
        };
        this.#stop.abort();
        return;
      }
    }
  }

  async #fetch(slice: Slice): Promise<void> {
    const plan = this.#planOf(slice);
    const { client, retryMs: baseMs = 1000 } = this.#options;
    for (let times = 1; ; times++) {
      await this.#checkSpace();
      // A rate limit that another slice met holds for this one too.
      await this.#pause(slice, { reason: 'rate-limit', leftMs: client.budget.blockedUntilMs - this.#nowMs() });
      const started = this.#time();
      const onProgress = (progress: Progress) => this.#report(slice, progress);
      const result = await download({ ...this.#options, plan, signal: this.#signal, onProgress });
      this.#underWay.delete(segmentListKey(slice));
      if (result.kind === 'saved') return this.#saveRecord(slice, result, started);
      const pause = retryPause(result, { times, baseMs, nowMs: this.#nowMs() });
      if (pause === undefined && this.#options.isSkipped?.(result)) {
        if ('partPath' in result && result.partPath !== null) await rm(result.partPath, { force: true });
        this.#failed.push({ slice, result: withoutPart(result) });
        return;
      }
      if (pause === undefined && result.kind !== 'cancelled') {
        this.#failure ??= await removePartOnFullDisk(result);
        this.#stop.abort();
        return;
      }
      // A partial download cannot be resumed.
      if ('partPath' in result && result.partPath !== null) await rm(result.partPath, { force: true });
      if (pause === undefined || this.#signal.aborted) return;
      await this.#pause(slice, pause);
    }
  }

  async #saveRecord(
    slice: Slice,
    saved: Extract<ExportResult, { readonly kind: 'saved' }>,
    started: string,
  ): Promise<void> {
    const file = basename(saved.path);
    const { boundaries, book, onSaved } = this.#options;
    const before = book.recorded(file);
    const { sha256 } = saved.verdict;
    const record: SliceRecord = {
      ...createSliceRecord(slice, file, saved.verdict, { started, finished: this.#time() }),
      segmentIds: [...sliceSegmentIds(boundaries, slice)],
      previousSegmentId: segmentBefore(boundaries, slice),
      differsFrom: before === undefined || before.sha256 === sha256 ? null : before.sha256,
    };
    this.#done.set(segmentListKey(slice), record);
    this.#savedMs = this.elapsedMs;
    book.note(record);
    await book.write();
    this.#report();
    onSaved?.(record);
  }

  /** Waits, and reports the remaining time. */
  async #pause(slice: Slice, { reason, leftMs }: RetryPause): Promise<void> {
    if (leftMs <= 0) return;
    this.#pauses.set(segmentListKey(slice), { reason, untilMs: this.#nowMs() + leftMs });
    this.#report();
    const reporting = setInterval(() => this.#report(), REPORT_PAUSE_EVERY_MS);
    try {
      await wait(leftMs, undefined, { signal: this.#signal });
    } finally {
      clearInterval(reporting);
      this.#pauses.delete(segmentListKey(slice));
    }
  }

  async #checkSpace(): Promise<void> {
    const { folder, parallel, slices, book } = this.#options;
    const free = await freeSpace(folder);
    const largest = book.manifest.slices.reduce((most, { bytes }) => Math.max(most, bytes), 0);
    const needed = Math.max(MIN_FREE_BYTES, Math.ceil(largest * 1.2) * parallel);
    if (free === null || free >= needed) return;
    throw new DestinationError(
      `${folder} has ${formatByteCount(free)} free, and the next slice needs up to ${formatByteCount(needed)}. Free some space and run the same command again; ${this.#done.size} of ${slices.length} slices are saved`,
    );
  }

  #planOf(slice: Slice): ExportPlan {
    const { plan, boundaries, folder } = this.#options;
    return slicePlan(plan, boundaries, slice, join(folder, archiveName({ ...plan, ...slice })));
  }

  #segmentsOf(slice: Slice): number {
    return this.#segments.get(segmentListKey(slice)) ?? 0;
  }

  #parts(): PartCounts {
    const { slices } = this.#options;
    const failed = new Set(this.#failed.map(({ slice }) => segmentListKey(slice)));
    const count = (of: { readonly has: (key: string) => boolean }): number =>
      sum(slices, slice => (of.has(segmentListKey(slice)) ? this.#segmentsOf(slice) : 0));
    return {
      ...{ unit: 'segment', done: count(this.#done), failed: count(failed), underWay: count(this.#underWay) },
      of: count(this.#segments),
    };
  }

  #report(slice?: Slice, progress?: Progress): void {
    if (slice !== undefined && progress !== undefined) this.#underWay.set(segmentListKey(slice), progress);
    const now = this.#nowMs();
    const parts = this.#parts();
    const { table } = this.#options.plan;
    this.#options.onProgress(
      combineProgress({
        ...{ table: table.id, parts, earlierBytes: this.#earlier.bytes },
        leftMs: timeLeftOfParts({
          done: parts.done - this.#earlier.segments,
          underWay: parts.underWay,
          left: parts.of - parts.done - parts.failed,
          doneMs: this.#savedMs - this.#fetchingMs,
          nowMs: this.elapsedMs - this.#fetchingMs,
        }),
        done: [...this.#done.values()],
        underWay: [...this.#underWay.values()],
        pauses: [...this.#pauses.values()].map(({ reason, untilMs }) => ({
          reason,
          leftMs: Math.max(0, untilMs - now),
        })),
        total: this.#options.slices.length,
        elapsedMs: this.elapsedMs,
      }),
    );
  }

  #time(): string {
    return new Date(this.#nowMs()).toISOString();
  }
}

/** A result whose file was removed. */
const withoutPart = (result: ExportResult): ExportResult =>
  result.kind === 'not-complete' || result.kind === 'failed' ? { ...result, partPath: null } : result;

const segmentListKey = ({ fromBlock, toBlock }: Slice): string => `${fromBlock}-${toBlock}`;

/** A slice begins and ends with a segment. */
function countSegments(boundaries: Boundaries, { fromBlock, toBlock }: Slice): number {
  const range = checkRange(boundaries, fromBlock, toBlock);
  return range.isValid ? Number(range.segments) : 1;
}

interface SliceProgressState extends Pick<Progress, 'table' | 'parts' | 'leftMs'> {
  /** In the slices of earlier runs. */
  readonly earlierBytes: number;
  readonly done: readonly SliceRecord[];
  readonly underWay: readonly Progress[];
  readonly pauses: readonly Pause[];
  readonly total: number;
  readonly elapsedMs: number;
}

/** The progress of all slices together. */
export function combineProgress(state: SliceProgressState): Progress {
  const { done, underWay, pauses, total, elapsedMs, earlierBytes, table, parts, leftMs } = state;
  const [pause] = pauses;
  const [first] = underWay;
  return {
    phase: underWay.some(({ phase }) => phase === 'receiving') ? 'receiving' : (first?.phase ?? 'checking'),
    ...{ table, blocks: first?.blocks ?? null, parts, leftMs },
    bytes: sum(underWay, ({ bytes }) => bytes) + sum(done, ({ bytes }) => bytes) - earlierBytes,
    elapsedMs,
    entries: sum(underWay, ({ entries }) => entries) + sum(done, ({ csvs }) => csvs.length),
    rows: sum(underWay, ({ rows }) => rows) + sum(done, ({ rows }) => rows),
    entryName: first?.entryName ?? '',
    csvs: first?.csvs ?? [],
    slices: { done: done.length, total },
    ...(pause !== undefined && { pause }),
  };
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

/** Attempts per slice after lost connections. An error of the node ends the export at once. */
const MAX_ATTEMPTS = 4;

interface SliceAttempt {
  /** Attempts so far. */
  readonly times: number;
  /** The first wait in ms; each further one is twice as long. */
  readonly baseMs: number;
  readonly nowMs: number;
}

/** How long to wait before a retry, and why; undefined when a retry would not help. */
export function retryPause(result: ExportResult, { times, baseMs, nowMs }: SliceAttempt): RetryPause | undefined {
  if (times >= MAX_ATTEMPTS || result.kind === 'cancelled') return undefined;
  const leftMs = baseMs * 2 ** (times - 1) * (0.75 + Math.random() / 2);
  const broken: RetryPause = { reason: 'broken-line', leftMs };
  if (result.kind === 'not-complete') return isConnectionLost(result) ? broken : undefined;
  if (result.kind !== 'failed') return undefined;
  const { error } = result;
  if (error instanceof RateLimitedError)
    return { reason: 'rate-limit', leftMs: Math.max(leftMs, error.retryAtMs - nowMs) };
  if (error instanceof NetworkError || error instanceof TimeoutError) return broken;
  return error instanceof RefusedError && [502, 503, 504].includes(error.status) ? broken : undefined;
}

const LINE_FAULTS = new Set(['cut', 'unconfirmed-end', 'empty-body']);

function isConnectionLost({ verdict }: Extract<ExportResult, { readonly kind: 'not-complete' }>): boolean {
  const [gravest] = verdict.findings;
  return gravest !== undefined && LINE_FAULTS.has(gravest.fault);
}
