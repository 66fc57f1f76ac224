import {
  type Chain,
  epochAtHeight,
  epochStartMs,
  firstBlockOfEpoch,
  lastBlockOfEpoch,
  type NodeHead,
} from '../demo/chain.ts';
import { newNotFoundFailure } from '../gateway/failure.ts';
import { goJson } from '../gateway/go-json.ts';
import type { UnaryOperation } from '../gateway/operation.ts';

interface EpochParts {
  readonly chain: Chain;
  readonly head: () => NodeHead;
}

/**
 * `epoch` by number, by block, or the current one (node-behaviour.md section 10), without its long list of validators.
 */
export function epochOperations({ chain, head }: EpochParts): readonly UnaryOperation[] {
  return [
    {
      kind: 'unary',
      path: '/api/v2/epoch',
      accept: ({ query }) => {
        const id = query.uint64('id') ?? 0n;
        const block = query.uint64('block') ?? 0n;
        return () => {
          const { height } = head();
          return goJson({ epoch: epochJson(chain, requestedEpoch(chain, { id, block, height }), height) });
        };
      },
    },
  ];
}

interface EpochRequest {
  /** 0 counts as unset, for both. */
  readonly id: bigint;
  readonly block: bigint;
  readonly height: number;
}

function requestedEpoch(chain: Chain, { id, block, height }: EpochRequest): number {
  const current = epochAtHeight(chain, height);
  if (id > BigInt(current) || (id === 0n && block > BigInt(height))) {
    throw newNotFoundFailure(250001, 'failed to get epoch', 'no resource corresponding to this id');
  }
  if (id > 0n) return Number(id);
  return block > 0n ? epochAtHeight(chain, Number(block)) : current;
}

function epochJson(chain: Chain, epoch: number, height: number) {
  const isOver = lastBlockOfEpoch(chain, epoch) < height;
  const startMs = epochStartMs(chain, epoch);
  return {
    seq: String(epoch),
    timestamps: {
      startTime: nanoseconds(startMs),
      expiryTime: nanoseconds(startMs + chain.epochLengthMs),
      endTime: isOver ? nanoseconds(epochStartMs(chain, epoch + 1)) : '0',
      firstBlock: String(firstBlockOfEpoch(chain, epoch)),
      lastBlock: isOver ? String(lastBlockOfEpoch(chain, epoch)) : '0',
    },
    validators: [],
    delegations: [],
  };
}

function nanoseconds(timeMs: number): string {
  return `${timeMs}000000`;
}
