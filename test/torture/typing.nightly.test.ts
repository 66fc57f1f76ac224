import { expect, it } from 'vitest';
import { shareOf, tryHere } from './section.ts';
import { typing } from './sections/typing.ts';

it('The terminal shows the frame of the current state, whatever keys come and however many at once', async () => {
  const { findings, tried } = await tryHere(typing, { seed: 11, indexes: shareOf(typing.trials, 0.01, 11) });
  expect(findings).toEqual([]);
  expect(tried).toBe(2);
});
