import { type Chain, epochOf, firstBlockAt, headAtStart } from './chain.ts';
import { Dice } from './seeded.ts';

const MINUTE_US = 60_000_000;
const DAY_US = 1440 * MINUTE_US;

/** The first block so long after the start of the node. */
function blockAfter(chain: Chain, us: number): number {
  const head = headAtStart(chain);
  return head + firstBlockAt(chain, chain.genesisUs + us);
}

/** When a live chain loses a validator: an epoch begins without it. */
export const removalEpoch = (chain: Chain): number => epochOf(chain, blockAfter(chain, 4 * DAY_US)) + 1;

/** When a spec of a live chain ends. */
export const deactivationHeight = (chain: Chain): number => blockAfter(chain, 6 * DAY_US);

/** A parameter that a vote changes. */
export interface Vote {
  readonly height: number;
  readonly key: string;
  readonly value: string;
}

/** The votes of a live chain between two blocks, with the last: one after some minutes, and then four a day. */
export function* votesBetween(chain: Chain, after: number, last: number): Iterable<Vote> {
  for (let index = 0; ; index++) {
    const height = blockAfter(chain, 4 * MINUTE_US + (index * DAY_US) / 4);
    if (height > last) return;
    const dice = new Dice(`${chain.seed}/vote/${index}`);
    const [key, values] = dice.pick(VOTED);
    if (height > after) yield { height, key, value: dice.pick(values) };
  }
}

type Voted = readonly [key: string, values: readonly [string, ...string[]]];

const VOTED: readonly [Voted, ...Voted[]] = [
  ['market.fee.factors.makerFee', ['0.0001', '0.0002', '0.00025', '0.0003']],
  ['market.fee.factors.infrastructureFee', ['0.0004', '0.0005', '0.0006']],
  ['market.liquidity.earlyExitPenalty', ['0.02', '0.05', '0.1']],
  ['governance.proposal.market.requiredMajority', ['0.6', '0.66', '0.75']],
  ['governance.proposal.asset.minClose', ['24h0m0s', '48h0m0s', '72h0m0s']],
  ['transfer.fee.factor', ['0.0005', '0.001', '0.002']],
  ['reward.staking.delegation.delegatorShare', ['0.88', '0.883', '0.9']],
];
