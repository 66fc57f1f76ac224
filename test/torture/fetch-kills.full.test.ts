import { expect, it } from 'vitest';
import { killFetches } from './kill/fetch-trial.ts';

it('A fetch killed at any moment loses at most the slice under way, and the next one goes on there', async () => {
  const { findings, sentTwice, kills } = await killFetches(12, 7);
  expect(findings).toEqual([]);
  expect(sentTwice).toBeLessThanOrEqual(kills);
});
