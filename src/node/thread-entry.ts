import { parentPort } from 'node:worker_threads';
import { startNode } from './index.ts';

// The thread's side of `startNodeThread`.
void startNode().then(({ url, port }) => parentPort?.postMessage({ url, port }));
