import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NetworkError, RateLimitedError, RefusedError, TimeoutError } from '../api/errors.ts';
import { shownAddress } from '../api/request.ts';
import type { Boundaries } from './boundaries.ts';
import { DestinationError, destinationFolder, freeSpace, writeProblem } from './destination.ts';
import { type DownloadOptions, download } from './download.ts';
import { lockFolder } from './folder-lock.ts';
import { keptSlice, removeParts } from './kept-slices.ts';
import { type Manifest, readManifest, type SliceRecord, sliceRecordOf, writeManifest } from './manifest.ts';
import { mergeSlices } from './merge.ts';
import { archiveName, type ExportPlan, folderName, type SliceChoice } from './plan.ts';
import type { Progress } from './progress.ts';
import type { ExportResult } from './result.ts';
import { cutIntoSlices, type Slice, slicePlan } from './slices.ts';

export interface SliceOptions extends DownloadOptions {
  readonly boundaries: Boundaries;
  readonly slices: SliceChoice;
  /** Program and version, for the manifest. */
  readonly program: string;
  /** Base of the wait before a slice is tried again, in ms; 1000 unless a test is in a hurry. */
  readonly retryMs?: number;
}

/** A slice is tried so often when the line breaks; an error of the node's own ends the export at once. */
const TRIES = 4;

/** Room that must be free before a slice is asked for, when none tells how large they are. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/**
 * Exports a range as verified slices in a folder of its own, with a manifest. Run again, it keeps what is whole and
 * fetches the rest. Never throws: what went wrong is in the result.
 */
export async function exportSlices(options: SliceOptions): Promise<ExportResult> {
  const folder = join(destinationFolder(options.plan), folderName(options.plan));
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
    return run.stopped({ kind: 'failed', error, partPath: null, elapsedMs: run.elapsedMs });
  }
}

class SliceRun {
  readonly #options: SliceOptions;
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  readonly #slices: readonly Slice[];
  readonly #done = new Map<string, SliceRecord>();
  readonly #underWay = new Map<string, Progress>();
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #manifest: Manifest;
  #failure: ExportResult | undefined;

  constructor(options: SliceOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#startedMs = this.#nowMs();
    this.#slices = cutIntoSlices(options.plan, options.boundaries, options.slices.segmentsPerSlice);
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#manifest = newManifest(options, new Date(this.#startedMs));
  }

  get elapsedMs(): number {
    return this.#nowMs() - this.#startedMs;
  }

  async start(): Promise<ExportResult> {
    this.#manifest = await this.#openManifest();
    await removeParts(this.#folder);
    const missing = await this.#withoutKept();
    const queue = [...missing];
    const workers = Array.from({ length: Math.min(this.#options.slices.parallel, Math.max(1, queue.length)) }, () =>
      this.#work(queue),
    );
    await Promise.all(workers);
    if (this.#failure !== undefined) return this.stopped(this.#failure);
    this.#options.signal.throwIfAborted();
    const merged = this.#options.slices.isMerged
      ? await mergeSlices(this.#folder, this.#options.plan, this.#records(), this.#signal)
      : [];
    await this.#write({
      ...this.#manifest,
      slices: this.#records(),
      finished: this.#manifest.finished ?? this.#time(),
    });
    return { kind: 'saved-slices', folder: this.#folder, manifest: this.#manifest, merged, elapsedMs: this.elapsedMs };
  }

  stopped(cause: ExportResult): ExportResult {
    return {
      kind: 'stopped-slices',
      folder: this.#folder,
      done: this.#done.size,
      total: this.#slices.length,
      cause,
      elapsedMs: this.elapsedMs,
    };
  }

  async #openManifest(): Promise<Manifest> {
    const { plan } = this.#options;
    const found = await readManifest(this.#folder);
    const fresh = this.#manifest;
    if (found === undefined) {
      await this.#write(fresh);
      return fresh;
    }
    const isSame =
      found.table === fresh.table &&
      found.fromBlock === fresh.fromBlock &&
      found.toBlock === fresh.toBlock &&
      found.chainId === fresh.chainId;
    if (!isSame)
      throw new DestinationError(
        `${this.#folder} holds another export (${found.table}, blocks ${found.fromBlock} to ${found.toBlock}): choose another folder`,
      );
    if (found.segmentsPerSlice !== this.#options.slices.segmentsPerSlice) {
      throw new DestinationError(
        `${this.#folder} was begun with slices of ${found.segmentsPerSlice} segments: go on with --slice ${found.segmentsPerSlice}, or choose another folder for ${plan.table.id}`,
      );
    }
    return found;
  }

  async #withoutKept(): Promise<readonly Slice[]> {
    const missing: Slice[] = [];
    for (const slice of this.#slices) {
      const kept = await keptSlice(this.#folder, this.#planOf(slice), this.#manifest, this.#signal);
      if (kept === undefined) missing.push(slice);
      else this.#done.set(keyOf(slice), kept);
      this.#report();
    }
    await this.#write({ ...this.#manifest, slices: this.#records() });
    return missing;
  }

  async #work(queue: Slice[]): Promise<void> {
    for (;;) {
      const slice = queue.shift();
      if (slice === undefined || this.#signal.aborted) return;
      try {
        await this.#fetch(slice);
      } catch (error) {
        this.#failure ??= { kind: 'failed', error, partPath: null, elapsedMs: this.elapsedMs };
        this.#stop.abort();
        return;
      }
    }
  }

  async #fetch(slice: Slice): Promise<void> {
    const plan = this.#planOf(slice);
    for (let tried = 1; ; tried++) {
      await this.#checkSpace();
      const started = this.#time();
      const result = await download({
        ...this.#options,
        plan,
        signal: this.#signal,
        onProgress: progress => this.#report(slice, progress),
      });
      this.#underWay.delete(keyOf(slice));
      if (result.kind === 'saved') {
        this.#done.set(
          keyOf(slice),
          sliceRecordOf(slice, basename(result.path), result.verdict, { started, finished: this.#time() }),
        );
        await this.#write({ ...this.#manifest, slices: this.#records() });
        this.#report();
        return;
      }
      const pauseMs = retryPause(result, tried, this.#options.retryMs ?? 1000, this.#nowMs());
      if (pauseMs === undefined || this.#signal.aborted) {
        this.#failure ??= result;
        this.#stop.abort();
        return;
      }
      if ('partPath' in result && result.partPath !== null) await rm(result.partPath, { force: true });
      await wait(pauseMs, undefined, { signal: this.#signal });
    }
  }

  async #checkSpace(): Promise<void> {
    const free = await freeSpace(this.#folder);
    const largest = Math.max(0, ...[...this.#done.values()].map(({ bytes }) => bytes));
    const needed = Math.max(LEAST_FREE_BYTES, Math.ceil(largest * 1.2) * this.#options.slices.parallel);
    if (free === null || free >= needed) return;
    throw new DestinationError(
      `only ${megabytes(free)} are free in ${this.#folder}, the next slice needs about ${megabytes(needed)}: make room and run the same command again; ${this.#done.size} of ${this.#slices.length} slices are kept`,
    );
  }

  #planOf(slice: Slice): ExportPlan {
    const { plan, boundaries } = this.#options;
    return slicePlan(plan, boundaries, slice, join(this.#folder, archiveName({ ...plan, ...slice })));
  }

  #records(): readonly SliceRecord[] & Manifest['slices'] {
    return this.#slices.flatMap(slice => this.#done.get(keyOf(slice)) ?? []);
  }

  #writing: Promise<void> = Promise.resolve();

  // Two slices may end at once; the manifest is written by one after the other.
  #write(value: Manifest): Promise<void> {
    this.#manifest = value;
    this.#writing = this.#writing.then(() => writeManifest(this.#folder, this.#manifest));
    return this.#writing;
  }

  #report(slice?: Slice, progress?: Progress): void {
    if (slice !== undefined && progress !== undefined) this.#underWay.set(keyOf(slice), progress);
    const running = [...this.#underWay.values()];
    const finished = [...this.#done.values()];
    this.#options.onProgress({
      phase: running.some(({ phase }) => phase === 'receiving') ? 'receiving' : (running[0]?.phase ?? 'checking'),
      bytes: running.reduce((sum, { bytes }) => sum + bytes, 0) + finished.reduce((sum, { bytes }) => sum + bytes, 0),
      elapsedMs: this.elapsedMs,
      entries:
        running.reduce((sum, { entries }) => sum + entries, 0) +
        finished.reduce((sum, { csvs }) => sum + csvs.length, 0),
      rows: running.reduce((sum, { rows }) => sum + rows, 0) + finished.reduce((sum, { rows }) => sum + rows, 0),
      entryName: running[0]?.entryName ?? '',
      csvs: running[0]?.csvs ?? [],
      slices: { done: finished.length, total: this.#slices.length },
    });
  }

  #time(): string {
    return new Date(this.#nowMs()).toISOString();
  }
}

const keyOf = ({ fromBlock, toBlock }: Slice): string => `${fromBlock}-${toBlock}`;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

function newManifest({ client, plan, slices, program }: SliceOptions, started: Date): Manifest {
  return {
    format: 1,
    program,
    node: shownAddress(client.base),
    chainId: plan.chainId ?? '',
    table: plan.table.id,
    fromBlock: String(plan.fromBlock),
    toBlock: String(plan.toBlock),
    segmentsPerSlice: slices.segmentsPerSlice,
    started: started.toISOString(),
    finished: null,
    slices: [],
  };
}

/** Milliseconds to wait before trying again; undefined when that would not help. */
function retryPause(result: ExportResult, tried: number, baseMs: number, nowMs: number): number | undefined {
  if (tried >= TRIES || result.kind === 'cancelled') return undefined;
  const pauseMs = baseMs * 2 ** (tried - 1) * (0.75 + Math.random() / 2);
  if (result.kind === 'not-complete') return isLineBroken(result) ? pauseMs : undefined;
  if (result.kind !== 'failed') return undefined;
  const { error } = result;
  if (error instanceof RateLimitedError) return Math.max(pauseMs, error.retryAtMs - nowMs);
  if (error instanceof NetworkError || error instanceof TimeoutError) return pauseMs;
  return error instanceof RefusedError && [502, 503, 504].includes(error.status) ? pauseMs : undefined;
}

const LINE_FAULTS = new Set(['cut', 'unconfirmed-end', 'empty-body']);

function isLineBroken({ verdict }: Extract<ExportResult, { readonly kind: 'not-complete' }>): boolean {
  const [gravest] = verdict.findings;
  return gravest !== undefined && LINE_FAULTS.has(gravest.fault);
}
