import { expect, it } from 'vitest';
import { shareOf, tryHere } from './section.ts';
import { keys } from './sections/keys.ts';

it('four thousand random keys leave nothing false in the explorer', async () => {
  const { findings, kinds } = await tryHere(keys, { seed: 53, indexes: shareOf(keys.trials, 0.004, 53) });
  expect(findings).toEqual([]);
  expect(kinds.get('keys')).toBe(4_000);
});
