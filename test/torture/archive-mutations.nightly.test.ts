import { expect, it } from 'vitest';
import { tryHere } from './section.ts';
import { archives } from './sections/archives.ts';

it('A mutated archive that is accepted as complete has the checked content for a reader from the end', async () => {
  const indexes = Array.from({ length: 1000 }, (_, index) => index);
  const { tried, kinds, findings } = await tryHere(archives, { seed: 1, indexes });
  expect(findings).toEqual([]);
  expect(tried).toBe(1000);
  // Good ones, harmless changes and damage are all among them.
  expect([...kinds.keys()]).toEqual(
    expect.arrayContaining(['complete', 'complete though changed', 'damaged', 'incomplete']),
  );
});
