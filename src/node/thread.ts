import { Worker } from 'node:worker_threads';
import type { RecordedChain, RunningNode } from './index.ts';

export { CHAIN_ID as DEMO_CHAIN_ID } from './demo/chain-id.ts';

declare global {
  /** An embedded node that was started before the program was loaded, until the program takes it over. */
  var blockglassEarlyNode: Promise<RunningNode> | undefined;
}

/** Node 22 would print a warning about node:sqlite into the screen. */
const NO_WARNINGS = '--disable-warning=ExperimentalWarning';

/**
 * Starts the embedded node in a thread of its own, so that filling tables and packing archives never delays a key. The
 * thread runs `file`, which must call `startInThread` if the worker's role requires it. It serves the demo chain, or the
 * recorded one.
 */
export async function startNodeThread(file: string, recorded?: RecordedChain): Promise<RunningNode> {
  const worker = new Worker(new URL(file), {
    workerData: { role: 'embedded-node', recorded },
    execArgv: [NO_WARNINGS],
  });
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

/** The node that was started early, or a new one. */
export function takeOverNodeThread(file: string): Promise<RunningNode> {
  const early = globalThis.blockglassEarlyNode;
  globalThis.blockglassEarlyNode = undefined;
  return early ?? startNodeThread(file);
}
