import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openRecorder } from '../../../snapshots/index.ts';
import type { PartialSnapshot, StoreResult } from './list-recorder.ts';

/** The input of the thread. */
interface StoreJob extends PartialSnapshot {
  readonly role: 'store-lists';
  /** The folder of all chains. */
  readonly folder: string;
}

/** Node 22 would print a warning about node:sqlite into the screen. */
const QUIET = '--disable-warning=ExperimentalWarning';

/**
 * Stores a partial snapshot in a thread of its own, as SQLite and compressing take longer than a key may wait.
 *
 * The thread runs the file that contains this code: this module when run from source, or the whole program when bundled.
 * There `main.ts` loads only this module for a thread of this role.
 */
export function storeInThread(folder: string, partial: PartialSnapshot): Promise<StoreResult> {
  const job: StoreJob = { role: 'store-lists', folder, ...partial };
  const worker = new Worker(new URL(import.meta.url), { workerData: job, execArgv: [QUIET] });
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => resolve({ kind: 'failed', problem: 'the lists could not be stored' }));
  });
}

function store({ folder, chainId, snapshot }: StoreJob): StoreResult {
  try {
    const recorder = openRecorder({ folder, chainId, nowMs: Date.now });
    try {
      recorder.add(snapshot);
    } finally {
      recorder.close();
    }
    return { kind: 'stored' };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SnapshotError') throw error;
    if ('because' in error && error.because === 'busy') return { kind: 'busy' };
    return { kind: 'failed', problem: 'hint' in error ? `${error.message}. ${error.hint}.` : error.message };
  }
}

if (!isMainThread && workerData?.role === 'store-lists') parentPort?.postMessage(store(workerData));
