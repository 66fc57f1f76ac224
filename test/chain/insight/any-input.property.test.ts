import { expect, it } from 'vitest';
import { FEEDS, insightFunctions } from './feeds/all.ts';

const functions = await insightFunctions();

it('The property test feeds no function twice, and finds the functions of all modules', () => {
  expect(functions.length).toBeGreaterThan(80);
  expect(new Set(FEEDS.map(({ of }) => of)).size).toBe(FEEDS.length);
});

it.each(functions)('The function %s never throws, whatever input it may get', async (_, feed) => {
  await feed?.run();
});
