import { expect, it } from 'vitest';
import { killFetches } from './kill/fetch-trial.ts';

/** 200 kills together. */
const BATCHES = [1, 2, 3, 4, 5, 6, 7, 8];

it.each(BATCHES)(
  'A fetch killed at any of 25 moments loses at most the slice under way, and the next one goes on there (seed %d)',
  { timeout: 900_000 },
  async seed => {
    const { findings, sentTwice, kills } = await killFetches(25, seed);
    expect(findings).toEqual([]);
    expect(kills).toBe(25);
    expect(sentTwice).toBeLessThanOrEqual(kills);
  },
);
