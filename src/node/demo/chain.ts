import { type Asset, assetsOf, type Market, marketsOf } from './markets.ts';
import { addressOf, hexOf } from './seeded.ts';
import { type Segment, segmentsOf } from './segments.ts';

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
 * The demo chain: everything in it follows from the seed, so that two runs serve the same bytes.
 * Only the head moves with the clock, one block a bit more than a second.
 */
export interface Chain {
  readonly seed: string;
  readonly chainId: string;
  readonly genesisUs: number;
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
}

const blockIntervalUs = 1_050_000;
/** Epochs count from 1. */
const firstEpoch = 1;
export const epochLengthMs = 600_000;
/** The same as the network parameter validators.epoch.length says it. */
export const epochLength = '10m0s';
const epochLengthUs = epochLengthMs * 1000;

export function createChain({ seed, genesisMs }: ChainSeed): Chain {
  const assets = assetsOf(seed);
  const first = hexOf(`${seed}/party/0`);
  return {
    seed,
    chainId: 'demo-chain-1',
    genesisUs: genesisMs * 1000,
    segments: segmentsOf(seed, 'demo-chain-1'),
    assets,
    markets: marketsOf(seed, assets),
    parties: [first, ...Array.from({ length: 59 }, (_, index) => hexOf(`${seed}/party/${index + 1}`))],
    validators: validatorsOf(seed),
  };
}

/** The time of a block of the recorded history, Unix microseconds: regular, with a jitter that keeps the order. */
export function blockTimeUs(chain: Chain, height: number): number {
  const jitterUs = (Math.imul(height, 2_654_435_761) >>> 0) % 350_000;
  return chain.genesisUs + height * blockIntervalUs + jitterUs;
}

/** When an epoch begins, Unix milliseconds. */
export function epochStartMs(chain: Chain, epoch: number): number {
  return chain.genesisUs / 1000 + (epoch - firstEpoch) * epochLengthMs;
}

/** The epoch a block lies in. */
export function epochOf(height: number): number {
  return firstEpoch + Math.floor((height * blockIntervalUs) / epochLengthUs);
}

/** The first block of an epoch; block 0 is the genesis and in none. */
export function firstBlockOfEpoch(epoch: number): number {
  return Math.max(1, lastBlockOfEpoch(epoch - 1) + 1);
}

/** The last block of an epoch. */
export function lastBlockOfEpoch(epoch: number): number {
  return Math.ceil(((epoch - firstEpoch + 1) * epochLengthUs) / blockIntervalUs) - 1;
}

/** The last block that is in a history segment. */
export function topOfHistory(chain: Chain): number {
  return chain.segments.at(-1)?.toHeight ?? 0;
}

export function txHash(chain: Chain, height: number, index: number): string {
  return hexOf(`${chain.seed}/tx/${height}/${index}`);
}

/** The head at a time, for a node started at another: a little above the history, and never old. */
export function headAt(chain: Chain, startedMs: number, nowMs: number): Head {
  const blocksSince = Math.floor(((nowMs - startedMs) * 1000) / blockIntervalUs);
  const timeUs = Math.floor(startedMs - 400) * 1000 + 271 + blocksSince * blockIntervalUs;
  return { height: topOfHistory(chain) + 31 + blocksSince, timeNs: BigInt(timeUs) * 1000n };
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
