import { writeSync } from 'node:fs';
import { type FileHandle, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../../chain/api/client.ts';
import { RefusedError } from '../../chain/api/errors.ts';
import { checkRange, fetchBoundaries } from '../../chain/range/segment-boundaries.ts';
import { mixedHistoriesNote } from '../../chain/range/segment-links.ts';
import { type FollowedCheck, followArchive } from '../check/follow-archive.ts';
import { type CheckProgress, isFlawless, type Verdict } from '../check/verdict.ts';
import {
  createPartFile,
  destinationPath,
  isPathTaken,
  publishPartFile,
  renameIncomplete,
  toDestinationError,
  writeFailureText,
} from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import {
  archiveName,
  archiveNameEnding,
  attachmentFileName,
  type ExportPlan,
  expectedArchive,
  exportRequest,
} from '../plan/export-plan.ts';
import type { ExportResult } from './export-result.ts';
import { unframe } from './framing.ts';
import { type PartCounts, type Progress, timeLeftOfParts } from './progress.ts';

export interface DownloadOptions {
  readonly client: Client;
  readonly plan: ExportPlan;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Longest wait for the first byte, in ms. Nodes send nothing before the first MiB (export-behaviour.md section 1.3). */
  readonly firstByteMs: number;
  /** Longest silence between two chunks, in ms. */
  readonly idleMs: number;
  readonly nowMs?: () => number;
  /** False: check the archive but not its rows. Default true. */
  readonly readsRows?: boolean;
}

const PROGRESS_EVERY_MS = 100;

// A message per chunk would cost the checking thread more than the check itself.
const NOTIFY_EVERY_MS = 5;

/**
 * Downloads one export and checks it at the same time. Only a `complete` file gets its final name; others stay `.part`.
 * Never throws: errors are in the result.
 */
export async function download(options: DownloadOptions): Promise<ExportResult> {
  const transfer = new Transfer(options);
  try {
    return await transfer.run();
  } catch (error) {
    const partPath = await transfer.partUnlessEmpty();
    const explained = options.signal.aborted ? error : await explainRefusal(error, options);
    const place = transfer.partPath ?? destinationPath(options.plan, archiveName(options.plan));
    const { elapsedMs } = transfer;
    if (options.signal.aborted) return { kind: 'cancelled', partPath, elapsedMs };
    return { kind: 'failed', error: toDestinationError(place, explained), partPath, elapsedMs };
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
  #following: FollowedCheck | null = null;
  #bytes = 0;
  #checked: CheckProgress | null = null;
  #phase: Progress['phase'] = 'waiting';
  /** When it began to arrive, and when the last CSV was checked to its end. */
  #receivingMs = 0;
  #csvEnd = { csvs: 0, ms: 0 };
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
    this.#receivingMs = this.elapsedMs;
    const { file, partPath } = await createPartFile(path);
    this.#file = file;
    this.partPath = partPath;
    const following = this.#follow(partPath);
    const transportError = await this.#receive(body.chunks(), file, following);
    if (signal.aborted) return { kind: 'cancelled', partPath: await this.partUnlessEmpty(), elapsedMs: this.elapsedMs };
    following.grown(this.#bytes);
    following.ended({ bodyComplete: transportError === null });
    this.#phase = 'checking';
    this.#report();
    const verdict = addEndNote(await following.verdict, body.headers);
    if (verdict.kind === 'complete') {
      await publishPartFile(partPath, path, plan);
      const left = `${path}.part`;
      const notes = [
        ...verdict.notes,
        ...(plan.broken === undefined ? [] : [mixedHistoriesNote(plan.broken)]),
        ...(left !== partPath && (await isPathTaken(left)) ? [partFileNote(left)] : []),
      ];
      return { kind: 'saved', path, verdict: { ...verdict, notes }, elapsedMs: this.elapsedMs };
    }
    if (transportError !== null && this.#bytes === 0) throw transportError;
    const brokenBy = transportError instanceof Error ? transportError.message : null;
    if (plan.keepsIncomplete === true) this.partPath = await renameIncomplete(partPath, path);
    return { kind: 'not-complete', partPath: this.partPath ?? partPath, verdict, brokenBy, elapsedMs: this.elapsedMs };
  }

  /** Stops the check and closes the file, which stays on disk. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#following?.abort();
    await this.#file?.close().catch(() => {});
    this.#file = null;
  }

  // The name that the node suggests, if it matches the request and is not in use.
  async #choosePath(disposition: string | undefined): Promise<string> {
    const { plan } = this.#options;
    const byRule = destinationPath(plan, archiveName(plan));
    const named = attachmentFileName(disposition);
    const hasRightChain = !plan.chainId || named === archiveName(plan);
    if (hasRightChain && named?.endsWith(archiveNameEnding(plan)) === true) {
      const path = destinationPath(plan, named);
      if (path === byRule || !(await isPathTaken(path))) return path;
    }
    return byRule;
  }

  #follow(partPath: string): FollowedCheck {
    const { plan, readsRows, signal } = this.#options;
    const following = followArchive(partPath, expectedArchive(plan), {
      readsRows,
      signal,
      onProgress: progress => {
        this.#checked = progress;
      },
    });
    this.#following = following;
    return following;
  }

  /** Writes the body to the file. Returns the error that ended the transfer, or null. */
  async #receive(chunks: AsyncIterable<Uint8Array>, file: FileHandle, following: FollowedCheck): Promise<unknown> {
    const arriving = unframe(chunks)[Symbol.asyncIterator]();
    let notifiedMs = 0;
    for (;;) {
      let next: IteratorResult<Uint8Array>;
      try {
        next = await arriving.next();
      } catch (error) {
        return error;
      }
      if (next.done) return null;
      this.#write(next.value, file.fd);
      if (this.#nowMs() - notifiedMs < NOTIFY_EVERY_MS) continue;
      notifiedMs = this.#nowMs();
      following.grown(this.#bytes);
    }
  }

  // A synchronous write: the thread pool is busy inflating, and a promise per chunk costs more than the write.
  #write(chunk: Uint8Array, descriptor: number): void {
    try {
      for (let offset = 0; offset < chunk.byteLength; ) offset += writeSync(descriptor, chunk, offset);
    } catch (error) {
      throw new DestinationError(writeFailureText(this.partPath ?? '', error), { cause: error });
    }
    this.#bytes += chunk.byteLength;
    // Frees the chunk at once, which keeps memory flat.
    if (chunk.byteLength === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0);
  }

  #report(): void {
    const done = this.#checked?.entriesDone ?? [];
    const { table, fromBlock, toBlock } = this.#options.plan;
    const { elapsedMs } = this;
    const parts = blockParts(this.#options.plan, done.map(isFlawless));
    if (done.length > this.#csvEnd.csvs) this.#csvEnd = { csvs: done.length, ms: elapsedMs };
    this.#options.onProgress({
      ...{ phase: this.#phase, table: table.id, blocks: { from: fromBlock, to: toBlock }, parts },
      leftMs: timeLeftOfParts({
        ...{ done: parts.done + parts.failed, underWay: parts.underWay, left: parts.of - parts.done - parts.failed },
        ...{ doneMs: this.#csvEnd.ms - this.#receivingMs, nowMs: elapsedMs - this.#receivingMs },
      }),
      bytes: this.#bytes,
      elapsedMs,
      entries: done.length + (this.#checked?.entryName === undefined ? 0 : 1),
      rows: done.reduce((sum, { rows }) => sum + (rows ?? 0), this.#checked?.entryRows ?? 0),
      entryName: this.#checked?.entryName ?? '',
      csvs: done.map(entry => ({ name: entry.name, rows: entry.rows ?? 0, isGood: isFlawless(entry) })),
    });
  }

  /** Path of the part file. An empty one is deleted. */
  async partUnlessEmpty(): Promise<string | null> {
    if (this.#bytes > 0 || this.partPath === null) return this.partPath;
    await rm(this.partPath, { force: true });
    return null;
  }
}

/** The blocks of the CSVs that were read to the end, and of the next; without a list of CSVs, only the end of all is known. */
function blockParts({ fromBlock, toBlock, runs = [] }: ExportPlan, csvs: readonly boolean[]): PartCounts {
  const all = Number(toBlock - fromBlock) + 1;
  const blocksOf = (run: Pick<ExportPlan, 'fromBlock' | 'toBlock'>): number => Number(run.toBlock - run.fromBlock) + 1;
  const blocks = (isGood: boolean): number =>
    runs.reduce((sum, run, csv) => (csvs[csv] === isGood ? sum + blocksOf(run) : sum), 0);
  const [done, failed] = [blocks(true), blocks(false)];
  const current = runs[csvs.length];
  const underWay = current === undefined ? all - done - failed : blocksOf(current);
  return { unit: 'block', done, failed, underWay, of: all };
}

/**
 * Adds a note when only the closed connection marked the end of the body, as with HTTP/1.0 and some proxies. Nodes append
 * the error of a failed export at the end, and a body cut just before it looks complete (export-behaviour.md section 1.6).
 */
function addEndNote(verdict: Verdict, headers: IncomingHttpHeaders): Verdict {
  const isEndStated = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isEndStated ? verdict : { ...verdict, notes: [...verdict.notes, UNSTATED_END_NOTE] };
}

/** It may be that of a process which was killed, and is the user's to delete. */
const partFileNote = (partPath: string): string =>
  `${partPath} is from another export to this file, which was interrupted or still runs. If none runs, delete it.`;

const UNSTATED_END_NOTE =
  'The answer stated neither length nor chunks, so only the closed connection marked its end: ' +
  'an error message of the node may be missing.';

/**
 * When a node refuses a range that was valid before, the segments may have changed (export-behaviour.md section 5). Lists
 * them again and puts the explanation into the hint of the error.
 */
async function explainRefusal(
  error: unknown,
  { client, plan, signal }: { readonly client: Client; readonly plan: ExportPlan; readonly signal: AbortSignal },
): Promise<unknown> {
  if (!(error instanceof RefusedError) || !isRangeRefusal(error)) return error;
  const found = await fetchBoundaries(client, signal).catch(() => undefined);
  if (found === undefined || found.boundaries.kind === 'rule') return error;
  const range = checkRange(found.boundaries, plan.fromBlock, plan.toBlock);
  const { status, fault, url } = error;
  const hint = range.isValid
    ? 'the node still lists all segments of this range, but refuses it: try again later or use another node'
    : `the segments of the node have changed (${range.problem}): choose another range`;
  return new RefusedError(status, fault, { url, hint });
}

/** Older nodes answer 500 for a wrong range (export-behaviour.md section 1.5). */
function isRangeRefusal({ status, fault }: RefusedError): boolean {
  if (status === 400) return true;
  return status === 500 && /contiguous/.test([fault.message, ...fault.details.map(({ message }) => message)].join(' '));
}
