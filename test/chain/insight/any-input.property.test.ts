import { expect, it } from 'vitest';
import { FEEDS, insightFunctions } from './feeds/all.ts';

const functions = await insightFunctions();

it('no function is fed twice, and those of all modules are found', () => {
  expect(functions.length).toBeGreaterThan(80);
  expect(new Set(FEEDS.map(({ of }) => of)).size).toBe(FEEDS.length);
});

it.each(functions)('%s throws for nothing that it may be given', async (_, feed) => {
  await feed?.run();
});
