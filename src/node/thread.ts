import { Worker } from 'node:worker_threads';
import type { RunningNode } from './index.ts';

declare global {
  /** An embedded node that was started before the program was loaded, until it is taken. */
  var blockglassEarlyNode: Promise<RunningNode> | undefined;
}

/** Node 22 warns of node:sqlite, in the middle of the screen. */
const QUIET = '--disable-warning=ExperimentalWarning';

/**
 * Starts the embedded node in a thread of its own, so that filling its tables and packing archives never holds up a
 * key. The thread is made of the file this code stands in, which must call `startInThread` when its role says so.
 */
export async function startNodeThread(file: string): Promise<RunningNode> {
  const worker = new Worker(new URL(file), { workerData: { role: 'embedded-node' }, execArgv: [QUIET] });
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the embedded node ended at once')));
    worker.once('message', ({ url, port }: Pick<RunningNode, 'url' | 'port'>) =>
      resolve({
        url,
        port,
        // It is given no fault to die of.
        died: new Promise(() => {}),
        close: async () => {
          await worker.terminate();
        },
      }),
    );
  });
}

/** The node that was started early, or a new one. */
export function takeNodeThread(file: string): Promise<RunningNode> {
  const early = globalThis.blockglassEarlyNode;
  globalThis.blockglassEarlyNode = undefined;
  return early ?? startNodeThread(file);
}
