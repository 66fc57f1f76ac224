import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { createApp } from './app.ts';
import { bondsTable } from './demo/bonds.ts';
import { createChain, headAtTime, segmentsAtHead } from './demo/chain.ts';
import { accountsTable, sharedBookkeeping } from './demo/history/bookkeeping.ts';
import { closableHeight, newestStoredMs } from './demo/live-events.ts';
import type { Operation } from './gateway/operation.ts';
import { type RateLimit, RateLimiter } from './gateway/rate-limit.ts';
import type { ExportFraming } from './history/export-framing.ts';
import type { NodeHooks } from './hooks.ts';
import { SERVED_LISTS } from './registry.ts';
import { epochOperations } from './resources/epoch.ts';
import { networkHistoryOperations } from './resources/network-history.ts';
import { statusOperations } from './resources/node-status.ts';
import { type RecordedChain, RecordedLists } from './snapshot/recorded-chain.ts';
import { readRecordedHead, recordedOperations } from './snapshot/recorded-operations.ts';
import { recordedTables } from './snapshot/recorded-tables.ts';
import { Store } from './store.ts';

export type { RecordedChain, RecordedList } from './snapshot/recorded-chain.ts';

export interface NodeOptions {
  /** 0, the default, means any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1, which other machines cannot reach. */
  readonly host?: string | undefined;
  /** Determines the demo chain, except its times; nodes with the same seed and start serve the same bytes. */
  readonly seed?: string | undefined;
  /** Rows of provisions, counting every version; default 3000. */
  readonly provisions?: number | undefined;
  /** Multiplies the rows of the busy history tables (trades, orders, ledger, ...); default 1. */
  readonly historyScale?: number | undefined;
  /** Overrides the limits of deployed nodes. */
  readonly rateLimit?: Partial<RateLimit> | undefined;
  /** How exports are sent over HTTP; default `zip`, as from deployed nodes. */
  readonly exportFraming?: ExportFraming | undefined;
  /** How often the chain closes a history segment, upon which the oldest goes; by default one as long as those before. */
  readonly segmentMs?: number | undefined;
  /** How far the newest block stays behind that of the core; default 0. */
  readonly lagMs?: number | undefined;
  readonly hooks?: NodeHooks | undefined;
  /** A chain that continues after its start: epochs of two minutes, votes, amendments, and intermittent trouble. */
  readonly live?: boolean | undefined;
  /** A recorded chain to serve instead of the demo chain; without a rate limit. */
  readonly recorded?: RecordedChain | undefined;
  /** Unix milliseconds; tests replace it so that they do not wait. */
  readonly clock?: (() => number) | undefined;
}

export interface RunningNode {
  /** The base address, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Ends every open connection, including running exports; resolves when the port is free. */
  close(): Promise<void>;
}

const DEFAULT_RATE_LIMIT: RateLimit = { ratePerSecond: 20, burst: 100, banSeconds: 600 };

/** Starts the embedded data node. It listens at once; its tables are filled on first use. */
export async function startNode(options: NodeOptions = {}): Promise<RunningNode> {
  const { host = '127.0.0.1', port = 0, clock = Date.now } = options;
  const limit = { ...DEFAULT_RATE_LIMIT, ...options.rateLimit };
  const { recorded, hooks = {} } = options;
  const { operations, head, store } =
    recorded === undefined ? createService(options, clock) : recordedService(recorded);
  const limiter = recorded === undefined ? new RateLimiter(limit, clock) : undefined;
  const app = createApp({ host, operations, limiter, limit, head, clock, beforeReply: hooks.beforeReply });
  const server = createServer(app);
  const address = await listen(server, port, host);
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    close: () => close(server, store),
  };
}

/** Runs in the thread that `startNodeThread` starts. */
export async function startInThread(): Promise<void> {
  const { url, port } = await startNode({ recorded: workerData?.recorded });
  parentPort?.postMessage({ url, port });
}

/** As long as the segments that the demo chain starts with. */
const SEGMENT_MS = 1_050_000;

function recordedService(recorded: RecordedChain) {
  const lists = new RecordedLists(recorded);
  const store = new Store(recordedTables(lists));
  const head = () => readRecordedHead(recorded);
  return { operations: recordedOperations(recorded, lists, store), head, store };
}

function createService(options: NodeOptions, clock: () => number) {
  const { seed = 'demo-chain-1', provisions = 3000, historyScale = 1, live = false } = options;
  const { lagMs = 0, segmentMs = SEGMENT_MS, exportFraming: framing = 'zip', hooks = {} } = options;
  const startedMs = clock();
  const chain = createChain({ seed, startedMs: startedMs - lagMs, isLive: live });
  const head = () => headAtTime(chain, newestStoredMs(chain, clock() - lagMs));
  const coreHead = () => headAtTime(chain, clock());
  // Of the books of a live chain, only the bonds are kept.
  const lists = SERVED_LISTS.map(list =>
    live && list.table === accountsTable ? { ...list, table: bondsTable } : list,
  );
  const tables = lists.map(({ table }) => table(chain, { provisions, history: historyScale }));
  const store = new Store(tables, () => head().height);
  const segments = () => segmentsAtHead(chain, closableHeight(chain, head().height), segmentMs);
  const money = sharedBookkeeping(chain, { provisions, history: historyScale });
  const source = { chain, store, scale: historyScale, money };
  const operations: readonly Operation[] = [
    ...lists.flatMap(list => list.operations(store, head)),
    ...networkHistoryOperations({ source, segments, framing, clock }, hooks.exportReply),
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
