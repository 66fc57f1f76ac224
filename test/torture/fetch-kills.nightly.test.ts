import { expect, it } from 'vitest';
import { killFetches } from './kill/fetch-trial.ts';

it('A fetch killed at any of 200 moments loses at most the slice under way, and the next one goes on there', {
  timeout: 1_800_000,
}, async () => {
  const { findings, sentTwice, kills } = await killFetches(200, 20_261_127);
  expect(findings).toEqual([]);
  expect(kills).toBe(200);
  expect(sentTwice).toBeLessThanOrEqual(kills);
});
