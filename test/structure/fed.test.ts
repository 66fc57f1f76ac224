import { expect, it } from 'vitest';
import { insightFunctions } from '../chain/insight/feeds/all.ts';

it('every function of the insight room is fed with anything: a new one has a line in test/chain/insight/feeds', async () => {
  const unfed = (await insightFunctions()).flatMap(([name, feed]) => (feed === undefined ? [name] : []));
  expect(unfed).toEqual([]);
});
