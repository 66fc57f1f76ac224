import { type Asset, assetsOf, type Market, marketsOf } from './markets.ts';
import { addressOf, hexOf } from './seeded.ts';
import { grownBy, type Segment, segmentsOf } from './segments.ts';

export interface Validator {
  readonly id: string;
  readonly name: string;
  readonly ethereumAddress: string;
}

/** The newest block the node has stored. */
export interface Head {
  readonly height: number;
  readonly timeNs: bigint;
}

/**
 * The demo chain: everything in its recorded history follows from the seed, so that two runs serve the same bytes. It
 * then stood still until the node started, and from that block on grows with the clock, a block in a bit more than a
 * second.
 */
export interface Chain {
  readonly seed: string;
  readonly chainId: string;
  readonly genesisUs: number;
  /** When the chain went on, Unix microseconds: the time of the block `restartHeight`. */
  readonly restartUs: number;
  /** Oldest first, contiguous. */
  readonly segments: readonly Segment[];
  readonly assets: readonly [Asset, ...Asset[]];
  readonly markets: readonly [Market, ...Market[]];
  readonly parties: readonly [string, ...string[]];
  readonly validators: readonly [Validator, ...Validator[]];
}

export interface ChainSeed {
  readonly seed: string;
  /** Unix milliseconds of block 0. */
  readonly genesisMs: number;
  /** Unix milliseconds of the node's start. */
  readonly startedMs: number;
}

const BLOCK_INTERVAL_US = 1_050_000;
/** Epochs count from 1. */
const FIRST_EPOCH = 1;
export const EPOCH_LENGTH_MS = 600_000;
/** The same as the network parameter validators.epoch.length says it. */
export const EPOCH_LENGTH = '10m0s';
const epochLengthUs = EPOCH_LENGTH_MS * 1000;
/** Blocks that were made before the chain stood still and are in no segment. */
const UNRECORDED_BLOCKS = 30;

export function createChain({ seed, genesisMs, startedMs }: ChainSeed): Chain {
  const assets = assetsOf(seed);
  const first = hexOf(`${seed}/party/0`);
  return {
    seed,
    chainId: 'demo-chain-1',
    genesisUs: genesisMs * 1000,
    restartUs: Math.floor(startedMs - 400) * 1000 + 271,
    segments: segmentsOf(seed, 'demo-chain-1'),
    assets,
    markets: marketsOf(seed, assets),
    parties: [first, ...Array.from({ length: 59 }, (_, index) => hexOf(`${seed}/party/${index + 1}`))],
    validators: validatorsOf(seed),
  };
}

/** The time of a block, Unix microseconds: regular, in the recorded history with a jitter that keeps the order. */
export function blockTimeUs(chain: Chain, height: number): number {
  const restart = restartHeight(chain);
  if (height >= restart) return chain.restartUs + (height - restart) * BLOCK_INTERVAL_US;
  const jitterUs = (Math.imul(height, 2_654_435_761) >>> 0) % 350_000;
  return chain.genesisUs + height * BLOCK_INTERVAL_US + jitterUs;
}

/** When an epoch begins, Unix milliseconds; the first one after the standstill, with the block that ended it. */
export function epochStartMs(chain: Chain, epoch: number): number {
  const resumed = restartEpoch(chain);
  if (epoch < resumed) return chain.genesisUs / 1000 + (epoch - FIRST_EPOCH) * EPOCH_LENGTH_MS;
  return Math.floor(chain.restartUs / 1000) + (epoch - resumed) * EPOCH_LENGTH_MS;
}

/** The epoch a block lies in. */
export function epochOf(chain: Chain, height: number): number {
  const restart = restartHeight(chain);
  if (height < restart) return recordedEpochOf(height);
  return restartEpoch(chain) + Math.floor(((height - restart) * BLOCK_INTERVAL_US) / epochLengthUs);
}

/** The first block of an epoch; block 0 is the genesis and in none. */
export function firstBlockOfEpoch(chain: Chain, epoch: number): number {
  return Math.max(1, lastBlockOfEpoch(chain, epoch - 1) + 1);
}

/** The last block of an epoch. */
export function lastBlockOfEpoch(chain: Chain, epoch: number): number {
  const resumed = restartEpoch(chain);
  if (epoch >= resumed) return restartHeight(chain) + blocksBefore(epoch - resumed + 1) - 1;
  const last = blocksBefore(epoch - FIRST_EPOCH + 1) - 1;
  return epoch === resumed - 1 ? restartHeight(chain) - 1 : last;
}

/** Blocks that begin before so many epochs are over. */
const blocksBefore = (epochs: number): number => Math.ceil((epochs * epochLengthUs) / BLOCK_INTERVAL_US);

const recordedEpochOf = (height: number): number =>
  FIRST_EPOCH + Math.floor((height * BLOCK_INTERVAL_US) / epochLengthUs);

/** The first block after the standstill; an epoch ends with the first block past its time, so a new one begins. */
const restartHeight = (chain: Chain): number => topOfHistory(chain) + UNRECORDED_BLOCKS + 1;
const restartEpoch = (chain: Chain): number => recordedEpochOf(restartHeight(chain) - 1) + 1;

/** The last block that is in a history segment. */
export function topOfHistory(chain: Chain): number {
  return chain.segments.at(-1)?.toHeight ?? 0;
}

/**
 * The segments at a height of the head. The recorded ones stay for ever, unless segments are closed every so many
 * milliseconds: a new one is listed when the chain is as far beyond it as it was beyond the recorded ones.
 */
export function segmentsAt(chain: Chain, head: number, closedEveryMs: number): readonly Segment[] {
  if (closedEveryMs === 0) return chain.segments;
  const length = Math.max(1, Math.round((closedEveryMs * 1000) / BLOCK_INTERVAL_US));
  const count = Math.max(0, Math.floor((head - restartHeight(chain)) / length));
  return grownBy(count, chain.segments, { seed: chain.seed, chainId: chain.chainId, length });
}

export function txHash(chain: Chain, height: number, index: number): string {
  return hexOf(`${chain.seed}/tx/${height}/${index}`);
}

/** The head at a time: a little above the history, and never old. */
export function headAt(chain: Chain, nowMs: number): Head {
  const blocksSince = Math.max(0, Math.floor((nowMs * 1000 - chain.restartUs - 400_000) / BLOCK_INTERVAL_US));
  const height = restartHeight(chain) + blocksSince;
  return { height, timeNs: BigInt(blockTimeUs(chain, height)) * 1000n };
}

function validatorsOf(seed: string): readonly [Validator, ...Validator[]] {
  const validator = (name: string): Validator => ({
    id: hexOf(`${seed}/validator/${name}`),
    name,
    ethereumAddress: addressOf(`${seed}/validator/${name}/ethereum`),
  });
  const others = ['Bryndal', 'Cartwheel', 'Dunlin', 'Eiderdown', 'Farolito', 'Gannet', 'Hollow Oak'];
  return [validator('Ashgrove'), ...others.map(validator)];
}
