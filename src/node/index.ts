import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { createApp } from './app.ts';
import { createChain, headAt, segmentsAt } from './demo/chain.ts';
import { Bookkeeping } from './demo/history/bookkeeping.ts';
import { readFault } from './faults/fault-list.ts';
import { FaultQueue } from './faults/fault-queue.ts';
import type { Operation } from './gateway/operation.ts';
import { type RateLimit, RateLimiter } from './gateway/rate-limit.ts';
import type { ExportFraming } from './history/export-framing.ts';
import { LISTS } from './registry.ts';
import { epochOperations } from './resources/epoch.ts';
import { networkHistoryOperations } from './resources/network-history.ts';
import { statusOperations } from './resources/node-status.ts';
import { Store } from './store.ts';

export { FAULT_NAMES, FAULTS_EXPLAINED, FaultListError } from './faults/fault-list.ts';

export interface NodeOptions {
  /** 0 takes any free port, which is the default. */
  readonly port?: number | undefined;
  /** 127.0.0.1 unless the node shall be reached from elsewhere. */
  readonly host?: string | undefined;
  /** The demo chain follows from it, its times from the start; the same of both serve the same bytes. */
  readonly seed?: string | undefined;
  /** Rows of provisions, every version counted; 3000. */
  readonly provisions?: number | undefined;
  /** Multiplies the rows of the busy history tables (trades, orders, ledger, ...); 1. */
  readonly historyScale?: number | undefined;
  /** What differs from the limits of deployed nodes. */
  readonly rateLimit?: Partial<RateLimit> | undefined;
  /** How the export's messages go over HTTP; `zip` as deployed nodes do. */
  readonly exportFraming?: ExportFraming | undefined;
  /** Ways to misbehave, as `cut-body`, `cut-body:2` (twice only), `slow:40`; `FAULT_NAMES` are those there are. */
  readonly faults?: readonly string[] | undefined;
  /** Unix milliseconds, for tests that must not wait. */
  readonly clock?: (() => number) | undefined;
}

export interface RunningNode {
  /** The base address, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Resolves, with what it died of, when a fault that was asked for has ended the node. */
  readonly died: Promise<Error>;
  /** Ends every open connection, running exports included; resolves when the port is free. */
  close(): Promise<void>;
}

const defaultLimit: RateLimit = { ratePerSecond: 20, burst: 100, banSeconds: 600 };

/**
 * Starts the embedded data node. It listens at once; its tables are filled when they are first asked for.
 * Throws FaultListError for a fault that is none.
 */
export async function startNode(options: NodeOptions = {}): Promise<RunningNode> {
  const { host = '127.0.0.1', port = 0, clock = Date.now } = options;
  const limit = { ...defaultLimit, ...options.rateLimit };
  const faults = new FaultQueue((options.faults ?? []).map(readFault));
  const { operations, head, store } = createService(options, clock, faults);
  const { promise: died, resolve: hasDied } = Promise.withResolvers<Error>();
  const die = (cause: Error): void => void close(server, store).then(() => hasDied(cause));
  const app = createApp({ host, operations, limiter: new RateLimiter(limit, clock), limit, head, clock, faults, die });
  const server = createServer(app);
  const address = await listen(server, port, host);
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    died,
    close: () => close(server, store),
  };
}

/** The thread's side of `startNodeThread`. */
export async function startInThread(): Promise<void> {
  const { url, port } = await startNode();
  parentPort?.postMessage({ url, port });
}

function createService(options: NodeOptions, clock: () => number, faults: FaultQueue) {
  const { seed = 'demo-chain-1', provisions = 3000, historyScale = 1 } = options;
  const startedMs = clock();
  const lagMs = faults.take('head').value;
  const chain = createChain({ seed, startedMs: startedMs - lagMs });
  const head = () => headAt(chain, clock() - lagMs);
  const coreHead = () => headAt(chain, clock());
  const store = new Store(LISTS.map(({ table }) => table(chain, { provisions, history: historyScale })));
  const growth = faults.take('history').value;
  const segments = () => segmentsAt(chain, head().height, growth);
  const money = new Bookkeeping(chain, { provisions, history: historyScale });
  const source = { chain, store, scale: historyScale, money };
  const operations: readonly Operation[] = [
    ...LISTS.flatMap(list => list.operations(store, head)),
    ...networkHistoryOperations({ source, segments, framing: options.exportFraming ?? 'zip', clock, faults }),
    ...epochOperations({ chain, head }),
    ...statusOperations({ chain, head, coreHead, clock, startedMs }),
  ];
  return { operations, head, store };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address);
      else reject(new Error('the node listens on no port'));
    });
  });
}

async function close(server: Server, store: Store): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise(resolve => server.once('close', resolve));
  server.close();
  server.closeAllConnections();
  await closed;
  store.close();
}
