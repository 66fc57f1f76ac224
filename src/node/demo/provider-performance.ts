import { Dice } from './seeded.ts';

/** How a provider kept what it promised in an epoch; all but the score in ten-thousandths. */
export interface Performance {
  readonly timeOnBook: number;
  /** Of what accrued in the epoch, so much is withheld. */
  readonly feePenalty: number;
  /** Of the bond, so much is taken. */
  readonly bondPenalty: number;
  /** How close to the middle it quoted, in thousandths; 0 is too far away to be paid for it. */
  readonly score: number;
}

// As the markets of the demo chain and its network parameters have them.
const MIN_TIME = 6000;
const COMPETITION = 8000;
const MOST_BOND_PENALTY = 500;

export function performanceOf(provisionId: string, epoch: number): Performance {
  const habits = new Dice(`${provisionId}/habits`);
  const [isPaid, isNegligent] = [habits.chance(25), habits.chance(8)];
  const dice = new Dice(`${provisionId}/performance/${epoch}`);
  const score = isPaid && dice.chance(90) ? dice.between(100, 950) : 0;
  const hasFailed = isNegligent && dice.chance(12);
  const timeOnBook = hasFailed
    ? dice.between(5000, 5990)
    : dice.chance(80)
      ? dice.between(9500, 10_000)
      : dice.between(6500, 9500);
  if (hasFailed) {
    const bondPenalty = Math.min(MOST_BOND_PENALTY, Math.floor(10_000 - (timeOnBook * 10_000) / MIN_TIME));
    return { timeOnBook, feePenalty: 10_000, bondPenalty, score };
  }
  const missed = (10_000 - timeOnBook) / (10_000 - MIN_TIME);
  return { timeOnBook, feePenalty: Math.floor(missed * COMPETITION), bondPenalty: 0, score };
}
