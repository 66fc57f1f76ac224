import { expect, it } from 'vitest';
import { shareOf, tryHere } from './section.ts';
import { pages } from './sections/pages.ts';

it('The explorer shows each page as it is while it pages there and back', async () => {
  const { findings, tried } = await tryHere(pages, { seed: 11, indexes: shareOf(pages.trials, 0.004, 11) });
  expect(findings).toEqual([]);
  expect(tried).toBe(200);
});
