import { Dice } from './seeded.ts';

/** How a provider kept what it promised in an epoch; all but the score in ten-thousandths. */
export interface Performance {
  readonly timeOnBook: number;
  /** Of what accrued in the epoch, so much is withheld. */
  readonly feePenalty: number;
  /** Of the bond, so much is taken. */
  readonly bondPenalty: number;
  /** How close to the middle it quoted while it was on the book, in thousandths: the longer, the more. */
  readonly score: number;
}

// As the markets of the demo chain and its network parameters have them.
const MIN_TIME = 6000;
const COMPETITION = 8000;
const MOST_BOND_PENALTY = 500;

export function performanceOf(provisionId: string, epoch: number): Performance {
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
    const bondPenalty = Math.min(MOST_BOND_PENALTY, Math.floor(10_000 - (timeOnBook * 10_000) / MIN_TIME));
    return { timeOnBook, feePenalty: 10_000, bondPenalty, score };
  }
  const missed = (10_000 - timeOnBook) / (10_000 - MIN_TIME);
  return { timeOnBook, feePenalty: Math.floor(missed * COMPETITION), bondPenalty: 0, score };
}
