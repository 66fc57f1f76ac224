import { type Chain, epochAtHeight, epochStartMs, type NodeHead } from '../demo/chain.ts';
import { seededHex } from '../demo/seeded-random.ts';
import { goJson } from '../gateway/go-json.ts';
import type { UnaryOperation } from '../gateway/operation.ts';

interface StatusParts {
  readonly chain: Chain;
  readonly head: () => NodeHead;
  /** The head of the core behind the data node, which may have newer blocks. */
  readonly coreHead: () => NodeHead;
  readonly clock: () => number;
  readonly startedMs: number;
}

const VERSION = 'v0.74.10';

/** `info` of the data node and `statistics` of the core behind it (node-behaviour.md section 10). */
export function statusOperations(parts: StatusParts): readonly UnaryOperation[] {
  const commitHash = seededHex('demo build').slice(0, 40);
  return [
    { kind: 'unary', path: '/api/v2/info', accept: () => () => goJson({ version: VERSION, commitHash }) },
    ...['/api/v2/vega/time', '/time'].map(path => ({
      kind: 'unary' as const,
      path,
      accept: () => () => goJson({ timestamp: String((path === '/time' ? parts.coreHead : parts.head)().timeNs) }),
    })),
    { kind: 'unary', path: '/blockchain/height', accept: () => () => goJson(lastBlock(parts)) },
    {
      kind: 'unary',
      path: '/statistics',
      accept: () => () => goJson({ statistics: statistics(parts, commitHash) }),
    },
  ];
}

/** The newest block of the core, and the proof of work for a transaction, from the network parameters `spam.pow.*`. */
function lastBlock({ chain, coreHead }: StatusParts) {
  const { height } = coreHead();
  return {
    height: String(height),
    hash: seededHex(`${chain.seed}/block/${height}`).toUpperCase(),
    spamPowHashFunction: 'sha3_24_rounds',
    spamPowDifficulty: 15,
    spamPowNumberOfPastBlocks: 100,
    spamPowNumberOfTxPerBlock: 2,
    spamPowIncreasingDifficulty: true,
    chainId: chain.chainId,
  };
}

function statistics({ chain, coreHead, clock, startedMs }: StatusParts, commitHash: string) {
  const { height, timeNs } = coreHead();
  const epochSeq = epochAtHeight(chain, height);
  const startMs = epochStartMs(chain, epochSeq);
  return {
    blockHeight: String(height),
    backlogLength: '0',
    totalPeers: String(chain.validators.length - 1),
    genesisTime: rfc3339(BigInt(chain.genesisUs) * 1000n),
    currentTime: rfc3339(BigInt(Math.floor(clock())) * 1_000_000n),
    uptime: rfc3339(BigInt(Math.floor(startedMs)) * 1_000_000n),
    vegaTime: rfc3339(timeNs),
    status: 'CHAIN_STATUS_CONNECTED',
    txPerBlock: '4',
    averageTxBytes: '0',
    averageOrdersPerBlock: '0',
    tradesPerSecond: '0',
    ordersPerSecond: '0',
    totalMarkets: String(chain.markets.length),
    totalAmendOrder: '0',
    totalCancelOrder: '0',
    totalCreateOrder: '0',
    totalOrders: '0',
    totalTrades: '0',
    orderSubscriptions: 0,
    tradeSubscriptions: 0,
    candleSubscriptions: 0,
    marketDepthSubscriptions: 0,
    positionsSubscriptions: 0,
    accountSubscriptions: 0,
    marketDataSubscriptions: 0,
    appVersionHash: commitHash,
    appVersion: VERSION,
    chainVersion: '0.34.24',
    blockDuration: '1050000000',
    chainId: chain.chainId,
    blockHash: seededHex(`${chain.seed}/block/${height}`).toUpperCase(),
    epochSeq: String(epochSeq),
    epochStartTime: rfc3339(BigInt(startMs) * 1_000_000n),
    epochExpiryTime: rfc3339(BigInt(startMs + chain.epochLengthMs) * 1_000_000n),
    eventCount: '0',
    eventsPerSecond: '0',
    marketDepthUpdatesSubscriptions: 0,
  };
}

/** RFC 3339 with nanoseconds, without trailing zeros, as Go writes it. */
function rfc3339(timeNs: bigint): string {
  const seconds = new Date(Number(timeNs / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  const fraction = String(timeNs % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}
