import type { Worker } from 'node:worker_threads';
import { UnreadableError } from './unreadable-error.ts';
import type { CheckProgress, Expectation, Verdict } from './verdict.ts';
import { type CheckJob, createCheckWorker, type FromCheckWorker, type ToCheckWorker } from './worker-entry.ts';

export interface FollowOptions {
  /** At most ten times a second. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  readonly readsRows?: boolean | undefined;
  /** Aborting ends the thread at once, whatever it is at. */
  readonly signal?: AbortSignal | undefined;
  readonly createWorker?: ((job: CheckJob) => Worker) | undefined;
}

/** A check that runs in its own thread behind a download. */
export interface Following {
  /** The file has `bytes` bytes now. They must be written, not only on their way. */
  grown(bytes: number): void;
  /** No more will come. `bodyComplete` is false when the connection failed before the body was over. */
  ended(end: { readonly bodyComplete: boolean }): void;
  /** Ends the thread; the verdict rejects with an AbortError unless it is there already. */
  abort(): void;
  /** Rejects when the file cannot be read, or on abort. */
  readonly verdict: Promise<Verdict>;
}

/** Starts to check `path`, which must exist and may be empty, while it grows. */
export function followArchive(
  path: string,
  expectation: Expectation | undefined,
  options: FollowOptions = {},
): Following {
  const { onProgress, readsRows = true, signal, createWorker = createCheckWorker } = options;
  const worker = createWorker({ role: 'check-archive', path, expectation, readsRows });
  const send = (message: ToCheckWorker) => worker.postMessage(message);
  const { promise, resolve, reject } = Promise.withResolvers<Verdict>();
  let tell: (() => void) | undefined;
  worker.on('message', (message: FromCheckWorker) => {
    if (message.kind === 'progress') onProgress?.(message.progress);
    else if (message.kind === 'verdict') tell ??= () => resolve(message.verdict);
    else tell ??= () => reject(new UnreadableError(message.reason, message.code));
  });
  worker.on('error', error => {
    tell ??= () => reject(error);
  });
  // Nobody hears of an end before the thread is gone: a process that ends beside one that does not is killed by it.
  worker.on('exit', code => {
    tell ??= () => reject(new Error(`The check ended without a verdict (exit code ${code}).`));
    tell();
  });
  const abort = (): void => {
    tell ??= () => reject(new DOMException('The check was aborted.', 'AbortError'));
    void worker.terminate();
  };
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  // The caller may still be busy with a download when the check fails.
  promise.catch(() => {}).finally(() => signal?.removeEventListener('abort', abort));
  return {
    verdict: promise,
    grown: bytes => send({ kind: 'grown', bytes }),
    ended: ({ bodyComplete }) => send({ kind: 'ended', bodyComplete }),
    abort,
  };
}
