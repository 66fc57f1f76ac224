import { CHAIN_ID } from './chain-id.ts';
import { type Asset, createAssets, createMarkets, type Market } from './markets.ts';
import { seededHex } from './seeded-random.ts';
import { addSegments, type DemoSegment, RECORDED_BLOCKS, recordedSegments } from './segments.ts';
import { createValidators, type Validator } from './validators.ts';

/** The newest block the node has stored. */
export interface NodeHead {
  readonly height: number;
  readonly timeNs: bigint;
  /** The epoch of the block. */
  readonly epoch: number;
}

/**
 * The demo chain. Its times follow from the start of the node, everything else from the seed: the newest block is a
 * second old and the recorded history ends shortly before it. Two nodes with the same seed and start serve the same
 * bytes.
 */
export interface Chain {
  readonly seed: string;
  readonly chainId: string;
  /** Unix microseconds, whole milliseconds. */
  readonly genesisUs: number;
  readonly epochLengthMs: number;
  /** Events continue to happen after the start of the node. */
  readonly isLive: boolean;
  /** Oldest first, contiguous. */
  readonly segments: readonly DemoSegment[];
  readonly assets: readonly [Asset, ...Asset[]];
  readonly markets: readonly [Market, ...Market[]];
  readonly parties: readonly [string, ...string[]];
  readonly validators: readonly [Validator, ...Validator[]];
}

/** How much data the demo chain has. */
export interface DemoScale {
  /** Rows of provisions, counting every version. */
  readonly provisions: number;
  /** Multiplies the rows of the busy history tables, trades among them. */
  readonly history: number;
}

interface ChainSeed {
  readonly seed: string;
  /** Unix milliseconds of the node's start. */
  readonly startedMs: number;
  readonly isLive?: boolean | undefined;
}

const BLOCK_INTERVAL_US = 1_050_000;
/** Epochs count from 1. */
const FIRST_EPOCH = 1;
const EPOCH_LENGTH_MS = 600_000;
const LIVE_EPOCH_LENGTH_MS = 120_000;
/** Blocks from before the start of the node that are in no segment. */
const BLOCKS_AFTER_HISTORY = 31;
/** How old the newest block is when the node starts. */
const HEAD_AGE_MS = 400;

export function createChain({ seed, startedMs, isLive = false }: ChainSeed): Chain {
  const assets = createAssets(seed);
  const first = seededHex(`${seed}/party/0`);
  const genesisUs = genesisTimeUs(Math.floor(startedMs));
  return {
    seed,
    chainId: CHAIN_ID,
    genesisUs,
    epochLengthMs: isLive ? LIVE_EPOCH_LENGTH_MS : EPOCH_LENGTH_MS,
    isLive,
    segments: recordedSegments(`${seed}/${genesisUs}`, CHAIN_ID),
    assets,
    markets: createMarkets(seed, assets),
    parties: [first, ...Array.from({ length: 59 }, (_, index) => seededHex(`${seed}/party/${index + 1}`))],
    validators: createValidators(seed),
  };
}

/** Gives the newest block the age `HEAD_AGE_MS`. */
const genesisTimeUs = (startedMs: number): number =>
  (startedMs - HEAD_AGE_MS) * 1000 - (RECORDED_BLOCKS + BLOCKS_AFTER_HISTORY) * BLOCK_INTERVAL_US;

/** The time of a block in Unix microseconds. Blocks before the start of the node have a jitter that keeps their order. */
export function blockTimeUs(chain: Chain, height: number): number {
  const regularUs = chain.genesisUs + height * BLOCK_INTERVAL_US + 271;
  return height < startHeight(chain) ? regularUs + jitterUs(height) : regularUs;
}

const jitterUs = (height: number): number => (Math.imul(height, 2_654_435_761) >>> 0) % 350_000;

/** The first block at or after a time in Unix microseconds. */
export const firstBlockAt = (chain: Chain, timeUs: number): number =>
  Math.ceil((timeUs - chain.genesisUs) / BLOCK_INTERVAL_US);

/** The newest block when the node starts. */
export const startHeight = (chain: Chain): number => lastHistoryBlock(chain) + BLOCKS_AFTER_HISTORY;

/** When an epoch begins, in Unix milliseconds; its first block is at that time or just after it. */
export function epochStartMs(chain: Chain, epoch: number): number {
  return chain.genesisUs / 1000 + (epoch - FIRST_EPOCH) * chain.epochLengthMs;
}

/** The epoch of a block. */
export function epochAtHeight({ epochLengthMs }: Chain, height: number): number {
  return FIRST_EPOCH + Math.floor((height * BLOCK_INTERVAL_US) / (epochLengthMs * 1000));
}

/** The first block of an epoch; the genesis, block 0, belongs to no epoch. */
export function firstBlockOfEpoch(chain: Chain, epoch: number): number {
  return Math.max(1, lastBlockOfEpoch(chain, epoch - 1) + 1);
}

/** The last block of an epoch. */
export function lastBlockOfEpoch({ epochLengthMs }: Chain, epoch: number): number {
  return Math.ceil(((epoch - FIRST_EPOCH + 1) * epochLengthMs * 1000) / BLOCK_INTERVAL_US) - 1;
}

/** The last block of the newest history segment. */
export function lastHistoryBlock(chain: Chain): number {
  return chain.segments.at(-1)?.toHeight ?? 0;
}

/**
 * The segments while the head is at a height. With `closedEveryMs`, segments are closed at that interval: a new one is
 * listed when the distance of the head beyond it equals the distance beyond the recorded ones at the start. With 0
 * nothing changes.
 */
export function segmentsAtHead(chain: Chain, head: number, closedEveryMs: number): readonly DemoSegment[] {
  if (closedEveryMs === 0) return chain.segments;
  const length = Math.max(1, Math.round((closedEveryMs * 1000) / BLOCK_INTERVAL_US));
  const count = Math.max(0, Math.floor((head - startHeight(chain)) / length));
  const { seed, genesisUs, chainId } = chain;
  return addSegments(count, chain.segments, { seed: `${seed}/${genesisUs}`, chainId, length });
}

export function txHash(chain: Chain, height: number, index: number): string {
  return seededHex(`${chain.seed}/tx/${height}/${index}`);
}

/** The head at a time, never below the head at the start. */
export function headAtTime(chain: Chain, nowMs: number): NodeHead {
  const sinceGenesisUs = nowMs * 1000 - chain.genesisUs - HEAD_AGE_MS * 1000;
  const height = Math.max(startHeight(chain), Math.floor(sinceGenesisUs / BLOCK_INTERVAL_US));
  return { height, timeNs: BigInt(blockTimeUs(chain, height)) * 1000n, epoch: epochAtHeight(chain, height) };
}
