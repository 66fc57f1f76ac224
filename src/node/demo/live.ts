import { type Chain, epochOf, firstBlockAt, firstBlockOfEpoch, headAtStart } from './chain.ts';
import { amended, type Commitment, feeOf, type Version } from './liquidity-provisions.ts';
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

/** An amendment begins in every third epoch. */
const EPOCHS_PER_AMENDMENT = 3;

/** The commitments of a live chain with the amendments that begin up to an epoch; each takes effect in the next one. */
export function amendedBy(chain: Chain, commitments: Iterable<Commitment>, last: number): readonly Commitment[] {
  const all = [...commitments];
  if (!chain.isLive) return all;
  const first = epochOf(chain, headAtStart(chain)) + 1;
  for (let epoch = first; epoch <= last; epoch += EPOCHS_PER_AMENDMENT) {
    const dice = new Dice(`${chain.seed}/amendment/${epoch}`);
    const begin = firstBlockOfEpoch(chain, epoch);
    // The next one that can be amended, from a place that the dice choose.
    const from = dice.below(all.length);
    const order = [...all.keys()].map(at => (at + from) % all.length);
    const place = order.find(at => canBeAmended(all[at], begin));
    const commitment = place === undefined ? undefined : all[place];
    if (place === undefined || commitment === undefined) continue;
    const versions = amendment(chain, commitment, { epoch, begin, dice });
    all[place] = { ...commitment, versions: [...commitment.versions, ...versions] };
  }
  return all;
}

function canBeAmended(commitment: Commitment | undefined, height: number): boolean {
  const newest = commitment?.versions.at(-1);
  return commitment?.isLegacy === false && newest?.status === 'ACTIVE' && newest.height < height;
}

interface Amendment {
  readonly epoch: number;
  readonly begin: number;
  readonly dice: Dice;
}

function amendment(chain: Chain, { versions }: Commitment, { epoch, begin, dice }: Amendment): readonly Version[] {
  const before = versions.at(-1);
  if (before?.active === undefined) return [];
  const { active } = before;
  const terms = { amount: amended(active.amount, dice), fee: dice.chance(30) ? feeOf(dice) : active.fee };
  const version = before.version + 1;
  const bond = terms.amount > active.amount ? terms.amount : active.amount;
  return [
    { ...terms, height: begin + dice.between(5, 60), version, status: 'PENDING', active, bond },
    {
      ...terms,
      height: firstBlockOfEpoch(chain, epoch + 1),
      version,
      status: 'ACTIVE',
      active: terms,
      bond: terms.amount,
    },
  ];
}
