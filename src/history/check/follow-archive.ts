import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { FileGrowth } from './archive-file.ts';
import { checkArchive } from './check-archive.ts';
import { toUnreadableError } from './regular-file.ts';
import { UnreadableError } from './unreadable-error.ts';
import type { CheckProgress, Expectation, Verdict } from './verdict.ts';

export interface FollowOptions {
  /** At most ten times a second. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  readonly readsRows?: boolean | undefined;
  /** An abort ends the thread at once. */
  readonly signal?: AbortSignal | undefined;
  readonly createWorker?: ((job: CheckJob) => Worker) | undefined;
}

/** A check that runs in its own thread during a download. */
export interface FollowedCheck {
  /** The file now has `bytes` bytes, all written. */
  grown(bytes: number): void;
  /** The file is finished. `bodyComplete` is false when the connection failed before the end of the body. */
  ended(end: { readonly bodyComplete: boolean }): void;
  /** Ends the thread. The verdict rejects with AbortError unless it has resolved. */
  abort(): void;
  /** Rejects with UnreadableError, or AbortError after an abort. */
  readonly verdict: Promise<Verdict>;
}

/** Starts to check a file while it grows. It must exist and may be empty. */
export function followArchive(
  path: string,
  expectation: Expectation | undefined,
  options: FollowOptions = {},
): FollowedCheck {
  const { onProgress, readsRows = true, signal, createWorker = createCheckWorker } = options;
  const worker = createWorker({ role: 'check-archive', path, expectation, readsRows });
  const send = (message: ToCheckWorker) => worker.postMessage(message);
  const { promise, resolve, reject } = Promise.withResolvers<Verdict>();
  let settle: (() => void) | undefined;
  worker.on('message', (message: FromCheckWorker) => {
    if (message.kind === 'progress') onProgress?.(message.progress);
    else if (message.kind === 'verdict') settle ??= () => resolve(message.verdict);
    else settle ??= () => reject(new UnreadableError(message.reason, message.code));
  });
  worker.on('error', error => {
    settle ??= () => reject(error);
  });
  // The verdict waits for the exit of the thread: a process that exits while a thread is ending can crash.
  worker.on('exit', code => {
    settle ??= () => reject(new Error(`The check ended without a verdict (exit code ${code}).`));
    settle();
  });
  const abort = (): void => {
    settle ??= () => reject(new DOMException('The check was aborted.', 'AbortError'));
    void worker.terminate();
  };
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  // The check may fail while the caller is still downloading.
  promise.catch(() => {}).finally(() => signal?.removeEventListener('abort', abort));
  return {
    verdict: promise,
    grown: bytes => send({ kind: 'grown', bytes }),
    ended: ({ bodyComplete }) => send({ kind: 'ended', bodyComplete }),
    abort,
  };
}

/** The input of the worker. */
export interface CheckJob {
  readonly role: 'check-archive';
  readonly path: string;
  readonly expectation: Expectation | undefined;
  readonly readsRows: boolean;
}

type ToCheckWorker =
  | { readonly kind: 'grown'; readonly bytes: number }
  | { readonly kind: 'ended'; readonly bodyComplete: boolean };

type FromCheckWorker =
  | { readonly kind: 'progress'; readonly progress: CheckProgress }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** An UnreadableError as data, as errors lose their class between threads. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly code: string };

/**
 * Starts a thread from the file that contains this code: this module when run from source, or the whole program when
 * bundled. There `main.ts` loads only this module for a thread of this role.
 */
export function createCheckWorker(job: CheckJob): Worker {
  return new Worker(new URL(import.meta.url), { workerData: job, execArgv: [], resourceLimits: RESOURCE_LIMITS });
}

/** Garbage here is short-lived buffers. The smallest young generation prevents a pile-up. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 3 };

/** The worker's side of `followArchive`. */
async function runCheckWorker(): Promise<void> {
  const port = parentPort;
  if (!port) return;
  const job: CheckJob = workerData;
  const growth = new FileGrowth();
  const send = (message: FromCheckWorker) => port.postMessage(message);
  port.on('message', (message: ToCheckWorker) => {
    if (message.kind === 'grown') growth.grown(message.bytes);
    else growth.ended(message.bodyComplete);
  });
  const outcome = await checkArchive(job.path, job.expectation, {
    growth,
    readsRows: job.readsRows,
    isBodyComplete: () => growth.isBodyComplete,
    onProgress: progress => send({ kind: 'progress', progress }),
  }).then(
    (verdict): FromCheckWorker => ({ kind: 'verdict', verdict }),
    (error: unknown): FromCheckWorker => {
      const cause = toUnreadableError(job.path, error);
      if (cause instanceof UnreadableError) return { kind: 'unreadable', reason: cause.message, code: cause.code };
      throw error;
    },
  );
  send(outcome);
  port.close();
}

if (!isMainThread && workerData?.role === 'check-archive') void runCheckWorker();
