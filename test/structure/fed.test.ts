import { expect, it } from 'vitest';
import { insightFunctions } from '../chain/insight/feeds/all.ts';

it('Every function of chain/insight, and of times and durations, is tested with any input; a new one has a line in its feeds folder', async () => {
  const unfed = (await insightFunctions()).flatMap(([name, feed]) => (feed === undefined ? [name] : []));
  expect(unfed).toEqual([]);
});
