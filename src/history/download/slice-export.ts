import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NetworkError, NodeError, RateLimitedError, RefusedError, TimeoutError } from '../../chain/api/errors.ts';
import { shownAddress } from '../../chain/api/request.ts';
import { type Boundaries, fetchBoundaries } from '../../chain/range/segment-boundaries.ts';
import { lockFolder } from '../manifest/folder-lock.ts';
import {
  createManifest,
  createSliceRecord,
  type Manifest,
  resumeManifest,
  type SliceRecord,
  writeManifest,
} from '../manifest/manifest.ts';
import { historyNotes, limitSliceNotes, sliceSegmentIds, UNKNOWN_CHANGE_NOTE } from '../manifest/slice-notes.ts';
import { destinationFolder, freeSpace, MIN_FREE_BYTES, toDestinationError, writeProblem } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { archiveName, type ExportPlan, type SliceChoice, sliceFolderName } from '../plan/export-plan.ts';
import { cutIntoSlices, type Slice, slicePlan } from '../plan/slices.ts';
import { type DownloadOptions, download } from './download.ts';
import { removePartOnFullDisk, removeParts, reuseEarlierSlice } from './earlier-slices.ts';
import type { ExportResult } from './export-result.ts';
import type { Progress, RetryPause } from './progress.ts';

export interface SliceOptions extends DownloadOptions {
  readonly boundaries: Boundaries;
  readonly slices: SliceChoice;
  /** Program and version, for the manifest. */
  readonly program: string;
  /** First wait before a retry, in ms. Default 1000. */
  readonly retryMs?: number;
}

const REPORT_PAUSE_EVERY_MS = 500;

/**
 * Exports a range as verified slices with a manifest, in a folder of their own. Another run downloads only what is
 * missing. Never throws: errors are in the result.
 */
export async function exportSlices(options: SliceOptions): Promise<ExportResult> {
  const folder = join(destinationFolder(options.plan), sliceFolderName(options.plan));
  const run = new SliceRun(options, folder);
  try {
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw new DestinationError(writeProblem(folder, error));
    });
    const lock = await lockFolder(folder);
    try {
      return await run.start();
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (options.signal.aborted) return run.stopped({ kind: 'cancelled', partPath: null, elapsedMs: run.elapsedMs });
    return run.stopped({
      kind: 'failed',
      error: toDestinationError(folder, error),
      partPath: null,
      elapsedMs: run.elapsedMs,
    });
  }
}

class SliceRun {
  readonly #options: SliceOptions;
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  readonly #slices: readonly Slice[];
  readonly #done = new Map<string, SliceRecord>();
  /** Records in the manifest of an earlier run, by file. */
  readonly #recorded = new Map<string, SliceRecord>();
  readonly #underWay = new Map<string, Progress>();
  readonly #pauses = new Map<string, { readonly reason: RetryPause['reason']; readonly untilMs: number }>();
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #manifest: Manifest;
  #failure: ExportResult | undefined;
  #isCounted = false;

  constructor(options: SliceOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#startedMs = this.#nowMs();
    this.#slices = cutIntoSlices(options.plan, options.boundaries, options.slices.segmentsPerSlice);
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
    const { client, plan, slices, program } = options;
    const node = shownAddress(client.base);
    this.#manifest = createManifest({ program, node, plan, slices, startedMs: this.#startedMs });
  }

  get elapsedMs(): number {
    return this.#nowMs() - this.#startedMs;
  }

  async start(): Promise<ExportResult> {
    this.#manifest = await resumeManifest(this.#folder, this.#manifest);
    for (const record of this.#manifest.slices) this.#recorded.set(record.file, record);
    await removeParts(this.#folder);
    const missing = await this.#findMissing();
    this.#isCounted = true;
    const queue = [...missing];
    const workers = Array.from({ length: Math.min(this.#options.slices.parallel, Math.max(1, queue.length)) }, () =>
      this.#work(queue),
    );
    await Promise.all(workers);
    this.#options.signal.throwIfAborted();
    if (this.#failure !== undefined) return this.stopped(this.#failure);
    const notes = await this.#notesAtEnd();
    await this.#write({ finished: this.#manifest.finished ?? this.#time(), notes });
    return {
      kind: 'saved-slices',
      folder: this.#folder,
      manifest: this.#manifest,
      notes: [...notes, ...limitSliceNotes(this.#inOrder().flatMap(slice => slice.notes))],
      elapsedMs: this.elapsedMs,
    };
  }

  stopped(cause: ExportResult): ExportResult {
    return {
      kind: 'stopped-slices',
      folder: this.#folder,
      done: this.#done.size,
      total: this.#slices.length,
      isCounted: this.#isCounted,
      cause,
      notes: this.#manifest.notes,
      elapsedMs: this.elapsedMs,
    };
  }

  async #findMissing(): Promise<readonly Slice[]> {
    const missing: Slice[] = [];
    for (const slice of this.#slices) {
      const earlier = await reuseEarlierSlice(this.#folder, this.#planOf(slice), this.#manifest, this.#signal);
      if (earlier === undefined) missing.push(slice);
      else this.#done.set(segmentListKey(slice), earlier);
      this.#report();
    }
    await this.#write({ notes: historyNotes(this.#inOrder(), this.#options.boundaries) });
    return missing;
  }

  async #work(queue: Slice[]): Promise<void> {
    for (;;) {
      const slice = queue.shift();
      if (slice === undefined || this.#signal.aborted) return;
      try {
        await this.#fetch(slice);
      } catch (error) {
        this.#failure ??= {
          kind: 'failed',
          error: toDestinationError(this.#folder, error),
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
    const { sha256 } = saved.verdict;
    const before = this.#recorded.get(file);
    const record = createSliceRecord(slice, file, saved.verdict, { started, finished: this.#time() });
    this.#done.set(segmentListKey(slice), {
      ...record,
      segmentIds: [...sliceSegmentIds(this.#options.boundaries, slice)],
      differsFrom: before === undefined || before.sha256 === sha256 ? null : before.sha256,
    });
    await this.#write({});
    this.#report();
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

  /** Lists the segments again, as they may have changed during the export. */
  async #notesAtEnd(): Promise<readonly string[] & Manifest['notes']> {
    const { boundaries, client } = this.#options;
    const before = historyNotes(this.#inOrder(), boundaries);
    if (boundaries.kind === 'rule') return [...before];
    try {
      const now = (await fetchBoundaries(client, this.#signal)).boundaries;
      return now.kind === 'rule' ? [...before, UNKNOWN_CHANGE_NOTE] : [...historyNotes(this.#inOrder(), now)];
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      return [...before, `${UNKNOWN_CHANGE_NOTE}: ${error.message}`];
    }
  }

  async #checkSpace(): Promise<void> {
    const free = await freeSpace(this.#folder);
    const largest = Math.max(0, ...[...this.#done.values()].map(({ bytes }) => bytes));
    const needed = Math.max(MIN_FREE_BYTES, Math.ceil(largest * 1.2) * this.#options.slices.parallel);
    if (free === null || free >= needed) return;
    throw new DestinationError(
      `only ${megabytes(free)} free in ${this.#folder}, and the next slice needs about ${megabytes(needed)}. Free some space and run the same command again; ${this.#done.size} of ${this.#slices.length} slices are saved`,
    );
  }

  #planOf(slice: Slice): ExportPlan {
    const { plan, boundaries } = this.#options;
    return slicePlan(plan, boundaries, slice, join(this.#folder, archiveName({ ...plan, ...slice })));
  }

  #inOrder(): readonly SliceRecord[] {
    return this.#slices.flatMap(slice => this.#done.get(segmentListKey(slice)) ?? []);
  }

  #writing: Promise<void> = Promise.resolve();

  /** Writes one after the other, as two slices may end at once. */
  #write(change: Partial<Pick<Manifest, 'finished'>> & { readonly notes?: readonly string[] }): Promise<void> {
    const notes = [...(change.notes ?? this.#manifest.notes)];
    this.#manifest = { ...this.#manifest, ...change, notes, slices: this.#records() };
    this.#writing = this.#writing.then(() => writeManifest(this.#folder, this.#manifest));
    return this.#writing;
  }

  /** A slice that must be downloaded again keeps its old record until then, which has its hash. */
  #records(): Manifest['slices'] {
    return this.#slices.flatMap(slice => {
      const file = archiveName({ ...this.#options.plan, ...slice });
      return this.#done.get(segmentListKey(slice)) ?? this.#recorded.get(file) ?? [];
    });
  }

  #report(slice?: Slice, progress?: Progress): void {
    if (slice !== undefined && progress !== undefined) this.#underWay.set(segmentListKey(slice), progress);
    const now = this.#nowMs();
    this.#options.onProgress(
      combineProgress({
        done: [...this.#done.values()],
        underWay: [...this.#underWay.values()],
        pauses: [...this.#pauses.values()].map(({ reason, untilMs }) => ({
          reason,
          leftMs: Math.max(0, untilMs - now),
        })),
        total: this.#slices.length,
        elapsedMs: this.elapsedMs,
      }),
    );
  }

  #time(): string {
    return new Date(this.#nowMs()).toISOString();
  }
}

const segmentListKey = ({ fromBlock, toBlock }: Slice): string => `${fromBlock}-${toBlock}`;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

interface SliceProgressState {
  readonly done: readonly SliceRecord[];
  readonly underWay: readonly Progress[];
  readonly pauses: readonly RetryPause[];
  readonly total: number;
  readonly elapsedMs: number;
}

/** The progress of all slices together. */
export function combineProgress({ done, underWay, pauses, total, elapsedMs }: SliceProgressState): Progress {
  const [pause] = pauses;
  const [first] = underWay;
  return {
    phase: underWay.some(({ phase }) => phase === 'receiving') ? 'receiving' : (first?.phase ?? 'checking'),
    bytes: sum(underWay, ({ bytes }) => bytes) + sum(done, ({ bytes }) => bytes),
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
