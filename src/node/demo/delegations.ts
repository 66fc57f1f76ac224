import type { Chain } from './chain.ts';
import { Dice } from './seeded-random.ts';

export interface Delegation {
  readonly party: string;
  readonly nodeId: string;
  /** A few rows have no amount. */
  readonly amount: string | null;
}

/** What parties have delegated to validators at the end of an epoch. */
export function delegationsAtEpochEnd({ seed, parties, validators }: Chain, epoch: number): readonly Delegation[] {
  const dice = new Dice(`${seed}/delegations/${epoch}`);
  const delegators = parties.filter(() => dice.chance(30)).toSorted();
  return delegators.map(party => {
    const nodeId = dice.pick(validators).id;
    return { party, nodeId, amount: dice.chance(5) ? null : dice.digits(dice.between(19, 24)) };
  });
}
