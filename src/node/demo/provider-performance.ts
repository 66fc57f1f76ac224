import { Dice } from './seeded-random.ts';

/** How a provider performed in an epoch; in ten-thousandths, except the score. */
export interface Performance {
  readonly timeOnBook: number;
  /** The share of its accrued fees that is withheld. */
  readonly feePenalty: number;
  /** The share of its bond that is taken. */
  readonly bondPenalty: number;
  /** How close to the mid price it quoted, in thousandths, times its time on the book. */
  readonly score: number;
}

// The values in the markets and network parameters of the demo chain.
const MIN_TIME = 6000;
const COMPETITION = 8000;
const MAX_BOND_PENALTY = 500;

export function providerPerformance(provisionId: string, epoch: number): Performance {
  const habits = new Dice(`${provisionId}/habits`);
  const [closeness, isNegligent] = [habits.between(250, 950), habits.chance(8)];
  const dice = new Dice(`${provisionId}/performance/${epoch}`);
  const hasFailed = isNegligent && dice.chance(12);
  const timeOnBook = hasFailed
    ? dice.between(5000, 5990)
    : dice.chance(80)
      ? dice.between(9500, 10_000)
      : dice.between(6500, 9500);
  const score = Math.floor((closeness * timeOnBook) / 10_000);
  if (hasFailed) {
    const bondPenalty = Math.min(MAX_BOND_PENALTY, Math.floor(10_000 - (timeOnBook * 10_000) / MIN_TIME));
    return { timeOnBook, feePenalty: 10_000, bondPenalty, score };
  }
  const missed = (10_000 - timeOnBook) / (10_000 - MIN_TIME);
  return { timeOnBook, feePenalty: Math.floor(missed * COMPETITION), bondPenalty: 0, score };
}
