import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { NodeOptions, RunningNode } from './index.ts';

const ROLE = 'embedded-node';

/** True in a thread that `startNodeThread` started: the program must then run `runNodeThread` and nothing else. */
export const isNodeThread: boolean = !isMainThread && workerData?.role === ROLE;

/**
 * Starts the embedded node in a thread of its own, so that filling its tables and packing archives never holds up a
 * key. The thread is made of the file this code stands in: the whole program when bundled.
 */
export function startNodeThread(options: Omit<NodeOptions, 'clock'> = {}): Promise<RunningNode> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { role: ROLE, options }, execArgv: [] });
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the embedded node ended at once')));
    worker.once('message', ({ url, port }: Pick<RunningNode, 'url' | 'port'>) =>
      resolve({
        url,
        port,
        close: async () => {
          await worker.terminate();
        },
      }),
    );
  });
}

/** The thread's side of `startNodeThread`. */
export async function runNodeThread(): Promise<void> {
  // Only the thread needs the node itself; whoever starts it is spared loading it.
  const { startNode } = await import('./index.ts');
  const { url, port } = await startNode(workerData.options);
  parentPort?.postMessage({ url, port });
}

if (isNodeThread) void runNodeThread();
