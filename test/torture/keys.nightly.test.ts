import { expect, it } from 'vitest';
import { shareOf, tryHere } from './section.ts';
import { keys } from './sections/keys.ts';

it('The explorer shows nothing false after four thousand random keys', async () => {
  const { findings, kinds } = await tryHere(keys, { seed: 53, indexes: shareOf(keys.trials, 0.004, 53) });
  expect(findings).toEqual([]);
  expect(kinds.get('keys')).toBe(4_000);
});
