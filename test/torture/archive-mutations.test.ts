import { expect, test } from 'vitest';
import { mutateArchives } from './archive-mutations.ts';

test('whatever changed archive is complete, a reader that starts from the end reads as it was checked', async () => {
  const { tried, kinds, findings } = await mutateArchives(1, 1000);
  expect(findings).toEqual([]);
  expect(tried).toBe(1000);
  // Good ones, harmless changes and damage are all among them.
  expect(kinds).toMatchObject({
    complete: expect.any(Number),
    'complete though changed': expect.any(Number),
    damaged: expect.any(Number),
    incomplete: expect.any(Number),
  });
});
