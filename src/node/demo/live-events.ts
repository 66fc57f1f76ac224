import { blockTimeUs, type Chain, epochAtHeight, firstBlockAt, startHeight } from './chain.ts';
import type { Market } from './markets.ts';
import { Dice } from './seeded-random.ts';

const MINUTE_US = 60_000_000;
const HOUR_US = 60 * MINUTE_US;
const DAY_US = 24 * HOUR_US;

/** The first block so long after the start of the node. */
function blockAfterStart(chain: Chain, us: number): number {
  const head = startHeight(chain);
  return head + firstBlockAt(chain, chain.genesisUs + us);
}

/** The first epoch that begins so long after the start of the node. */
const epochAfterStart = (chain: Chain, us: number): number => epochAtHeight(chain, blockAfterStart(chain, us)) + 1;

/** When a live chain loses a validator: an epoch begins without it. */
export const removalEpoch = (chain: Chain): number => epochAfterStart(chain, 4 * DAY_US);

/** The first epoch with that validator again. */
export const returnEpoch = (chain: Chain): number => epochAfterStart(chain, 8 * DAY_US);

/** Whether the contract has a signer outside consensus: removals are submitted hours after they can be. */
export const hasExcessSigner = (chain: Chain, epoch: number): boolean =>
  !chain.isLive ||
  epoch < epochAfterStart(chain, 9 * HOUR_US) ||
  (epoch >= removalEpoch(chain) && epoch < epochAfterStart(chain, 4.5 * DAY_US));

/** Whether the fifth validator misses many blocks of an epoch. */
export const isSlowEpoch = (chain: Chain, epoch: number): boolean =>
  chain.isLive && epoch >= epochAfterStart(chain, HOUR_US) && epoch < epochAfterStart(chain, 1.5 * HOUR_US);

/** From a block on, up to another one. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

const interval = (chain: Chain, fromUs: number, lengthUs: number): Interval => ({
  from: blockAfterStart(chain, fromUs),
  to: blockAfterStart(chain, fromUs + lengthUs),
});

const isIn = ({ from, to }: Interval, height: number): boolean => height >= from && height < to;

/** Whether no value arrives in a block for the settlement spec of a market: its source is silent, or the spec is off. */
export function isOracleSilent(chain: Chain, { id }: Market, height: number): boolean {
  if (!chain.isLive) return false;
  const [first, second] = chain.markets;
  if (id === first.id) return isIn(interval(chain, 2 * HOUR_US, HOUR_US / 2), height);
  return id === second?.id && isIn(deactivationInterval(chain), height);
}

/** While this lasts, the settlement spec of the second market is deactivated. */
export const deactivationInterval = (chain: Chain): Interval => interval(chain, 5 * HOUR_US, HOUR_US / 2);

/** When a spec that no market uses ends. */
export const deactivationHeight = (chain: Chain): number => blockAfterStart(chain, 6 * DAY_US);

/**
 * When a provider of the first market loses a part of its bond, which is not an event of its commitment
 * (protocol.md section 2).
 */
export const slashHeight = (chain: Chain): number => blockAfterStart(chain, 3 * HOUR_US);

/** When that provider amends its commitment, and has the bond for it again. */
export const recoveryHeight = (chain: Chain): number => blockAfterStart(chain, 4 * HOUR_US);

/** The time up to which the data node has stored blocks: it stops for ten minutes while the core continues. */
export function newestStoredMs(chain: Chain, nowMs: number): number {
  const { from, to } = interval(chain, 6 * HOUR_US, 10 * MINUTE_US);
  const [fromMs, toMs] = [blockTimeUs(chain, from) / 1000, blockTimeUs(chain, to) / 1000];
  return chain.isLive && nowMs >= fromMs && nowMs < toMs ? fromMs : nowMs;
}

/** The newest block that history segments may have: for a time no segment is closed. */
export function closableHeight(chain: Chain, head: number): number {
  const pause = interval(chain, 7 * HOUR_US, 1.5 * HOUR_US);
  return chain.isLive && isIn(pause, head) ? pause.from : head;
}

/** A parameter that a vote changes. */
interface Vote {
  readonly height: number;
  readonly key: string;
  readonly value: string;
}

/** The votes of a live chain between two blocks, with the last: one after some minutes, and then four a day. */
export function* parameterVotes(chain: Chain, after: number, last: number): Iterable<Vote> {
  for (let index = 0; ; index++) {
    const height = blockAfterStart(chain, 4 * MINUTE_US + (index * DAY_US) / 4);
    if (height > last) return;
    const dice = new Dice(`${chain.seed}/vote/${index}`);
    const [key, values] = dice.pick(VOTED_PARAMETERS);
    if (height > after) yield { height, key, value: dice.pick(values) };
  }
}

type VotedValues = readonly [key: string, values: readonly [string, ...string[]]];

const VOTED_PARAMETERS: readonly [VotedValues, ...VotedValues[]] = [
  ['market.fee.factors.makerFee', ['0.0001', '0.0002', '0.00025', '0.0003']],
  ['market.fee.factors.infrastructureFee', ['0.0004', '0.0005', '0.0006']],
  ['market.liquidity.earlyExitPenalty', ['0.02', '0.05', '0.1']],
  ['governance.proposal.market.requiredMajority', ['0.6', '0.66', '0.75']],
  ['governance.proposal.asset.minClose', ['24h0m0s', '48h0m0s', '72h0m0s']],
  ['transfer.fee.factor', ['0.0005', '0.001', '0.002']],
  ['reward.staking.delegation.delegatorShare', ['0.88', '0.883', '0.9']],
];
