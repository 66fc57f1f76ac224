import { writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { rm } from 'node:fs/promises';
import type { Client } from '../api/client.ts';
import { withEndNote } from './body-end.ts';
import { type Following, followArchive } from './check/follow-archive.ts';
import { type CheckProgress, isGood } from './check/verdict.ts';
import {
  destinationPath,
  isThere,
  nameIncomplete,
  openPart,
  placeError,
  publish,
  writeProblem,
} from './destination.ts';
import { DestinationError } from './destination-error.ts';
import { explainedRefusal } from './explained-refusal.ts';
import { unframe } from './framing.ts';
import { archiveName, dispositionName, type ExportPlan, expectationOf, exportRequest, nameTail } from './plan.ts';
import type { Progress } from './progress.ts';
import type { ExportResult } from './result.ts';

export interface DownloadOptions {
  readonly client: Client;
  readonly plan: ExportPlan;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Longest wait for the first byte, in ms; a deployed node sends nothing before its first MiB. */
  readonly firstByteMs: number;
  /** Longest silence between two chunks, in ms. */
  readonly idleMs: number;
  readonly nowMs?: () => number;
  /** False: the archive is checked, the rows in it are not. True if absent. */
  readonly readsRows?: boolean;
}

const PROGRESS_EVERY_MS = 100;

// A message per chunk would cost the checking thread more than the check.
const TELL_EVERY_MS = 5;

/**
 * Downloads one export and checks it on the way. The file has its final name only when the verdict is `complete`;
 * otherwise it stays `.part`. Never throws: what went wrong is in the result.
 */
export async function download(options: DownloadOptions): Promise<ExportResult> {
  const transfer = new Transfer(options);
  try {
    return await transfer.run();
  } catch (error) {
    const partPath = await transfer.keepUnlessEmpty();
    const explained = options.signal.aborted ? error : await explainedRefusal(error, options);
    const place = transfer.partPath ?? destinationPath(options.plan, archiveName(options.plan));
    const { elapsedMs } = transfer;
    if (options.signal.aborted) return { kind: 'cancelled', partPath, elapsedMs };
    return { kind: 'failed', error: placeError(place, explained), partPath, elapsedMs };
  } finally {
    await transfer.end();
  }
}

class Transfer {
  partPath: string | null = null;
  readonly #options: DownloadOptions;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #file: FileHandle | null = null;
  #following: Following | null = null;
  #bytes = 0;
  #checked: CheckProgress | null = null;
  #phase: Progress['phase'] = 'waiting';
  readonly #timer: NodeJS.Timeout;

  constructor(options: DownloadOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#startedMs = this.#nowMs();
    this.#timer = setInterval(() => this.#report(), PROGRESS_EVERY_MS);
  }

  get elapsedMs(): number {
    return this.#nowMs() - this.#startedMs;
  }

  async run(): Promise<ExportResult> {
    const { client, plan, signal, firstByteMs, idleMs } = this.#options;
    this.#report();
    const body = await client.open(exportRequest(plan), { signal, firstByteMs, idleMs });
    const path = await this.#choosePath(body.headers['content-disposition']);
    this.#phase = 'receiving';
    const { file, partPath } = await openPart(path);
    this.#file = file;
    this.partPath = partPath;
    const following = this.#follow(partPath);
    const transportError = await this.#receive(body.chunks(), following);
    if (signal.aborted) return { kind: 'cancelled', partPath: await this.keepUnlessEmpty(), elapsedMs: this.elapsedMs };
    following.grown(this.#bytes);
    following.ended({ bodyComplete: transportError === null });
    this.#phase = 'checking';
    this.#report();
    const verdict = withEndNote(await following.verdict, body.headers);
    if (verdict.kind === 'complete') {
      await publish(partPath, path, plan);
      return { kind: 'saved', path, verdict, elapsedMs: this.elapsedMs };
    }
    if (transportError !== null && this.#bytes === 0) throw transportError;
    const brokenBy = transportError instanceof Error ? transportError.message : null;
    if (plan.keepsIncomplete === true) this.partPath = await nameIncomplete(partPath, path);
    return { kind: 'not-complete', partPath: this.partPath ?? partPath, verdict, brokenBy, elapsedMs: this.elapsedMs };
  }

  /** Frees what is open. A part file stays: it is what arrived. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#following?.abort();
    await this.#file?.close().catch(() => {});
    this.#file = null;
  }

  // The node's own name, if it tells of what was asked for and no other file has it.
  async #choosePath(disposition: string | undefined): Promise<string> {
    const { plan } = this.#options;
    const byRule = destinationPath(plan, archiveName(plan));
    const named = dispositionName(disposition);
    const tellsTheChain = !plan.chainId || named === archiveName(plan);
    if (tellsTheChain && named?.endsWith(nameTail(plan)) === true) {
      const path = destinationPath(plan, named);
      if (path === byRule || !(await isThere(path))) return path;
    }
    return byRule;
  }

  #follow(partPath: string): Following {
    const { plan, readsRows, signal } = this.#options;
    const following = followArchive(partPath, expectationOf(plan), {
      readsRows,
      signal,
      onProgress: progress => {
        this.#checked = progress;
      },
    });
    this.#following = following;
    return following;
  }

  /** Writes what arrives; returns the error that broke the transfer off, or null. */
  async #receive(chunks: AsyncIterable<Uint8Array>, following: Following): Promise<unknown> {
    const arriving = unframe(chunks)[Symbol.asyncIterator]();
    let toldMs = 0;
    for (;;) {
      let next: IteratorResult<Uint8Array>;
      try {
        next = await arriving.next();
      } catch (error) {
        return error;
      }
      if (next.done) return null;
      this.#write(next.value);
      if (this.#nowMs() - toldMs < TELL_EVERY_MS) continue;
      toldMs = this.#nowMs();
      following.grown(this.#bytes);
    }
  }

  // Written at once: the thread pool inflates meanwhile, and a promise for every chunk costs more than its write.
  #write(chunk: Uint8Array): void {
    const descriptor = this.#file?.fd;
    if (descriptor === undefined) return;
    try {
      for (let offset = 0; offset < chunk.byteLength; ) offset += writeSync(descriptor, chunk, offset);
    } catch (error) {
      throw new DestinationError(writeProblem(this.partPath ?? '', error), { cause: error });
    }
    this.#bytes += chunk.byteLength;
    // A chunk that is written is of no use to anybody: given back at once, memory stays flat.
    if (chunk.byteLength === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0);
  }

  #report(): void {
    const done = this.#checked?.entriesDone ?? [];
    this.#options.onProgress({
      phase: this.#phase,
      bytes: this.#bytes,
      elapsedMs: this.elapsedMs,
      entries: done.length + (this.#checked?.entryName === undefined ? 0 : 1),
      rows: done.reduce((sum, { rows }) => sum + (rows ?? 0), this.#checked?.entryRows ?? 0),
      entryName: this.#checked?.entryName ?? '',
      csvs: done.map(entry => ({ name: entry.name, rows: entry.rows ?? 0, isGood: isGood(entry) })),
    });
  }

  /** Path of the part file; one without a byte in it is of no use and goes. */
  async keepUnlessEmpty(): Promise<string | null> {
    if (this.#bytes > 0 || this.partPath === null) return this.partPath;
    await rm(this.partPath, { force: true });
    return null;
  }
}
