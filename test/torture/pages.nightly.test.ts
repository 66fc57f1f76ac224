import { expect, it } from 'vitest';
import { shareOf, tryHere } from './section.ts';
import { pages } from './sections/pages.ts';

it('an explorer that turns pages there and back shows each as it is', async () => {
  const { findings, tried } = await tryHere(pages, { seed: 11, indexes: shareOf(pages.trials, 0.004, 11) });
  expect(findings).toEqual([]);
  expect(tried).toBe(200);
});
