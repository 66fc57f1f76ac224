import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { FileGrowth } from './archive-file.ts';
import { checkArchive } from './check-archive.ts';
import { unreadable } from './regular-file.ts';
import { UnreadableError } from './unreadable-error.ts';
import type { CheckProgress, Expectation, Verdict } from './verdict.ts';

/** What a worker is started with. */
export interface CheckJob {
  readonly role: 'check-archive';
  readonly path: string;
  readonly expectation: Expectation | undefined;
  readonly readsRows: boolean;
}

export type ToCheckWorker =
  | { readonly kind: 'grown'; readonly bytes: number }
  | { readonly kind: 'ended'; readonly bodyComplete: boolean };

export type FromCheckWorker =
  | { readonly kind: 'progress'; readonly progress: CheckProgress }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** The file cannot be read: an error keeps its class on no way from one thread to another. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly code: string };

/**
 * Starts a thread from the file this code stands in: this module when run from source, the whole program when bundled
 * into one file, where `main.ts` loads this module for a thread of this role and nothing else.
 */
export function createCheckWorker(job: CheckJob): Worker {
  return new Worker(new URL(import.meta.url), { workerData: job, execArgv: [], resourceLimits: RESOURCE_LIMITS });
}

/** Garbage here is short-lived buffers; the smallest young generation keeps it from piling up. */
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
      const cause = unreadable(job.path, error);
      if (cause instanceof UnreadableError) return { kind: 'unreadable', reason: cause.message, code: cause.code };
      throw error;
    },
  );
  send(outcome);
  port.close();
}

if (!isMainThread && workerData?.role === 'check-archive') void runCheckWorker();
