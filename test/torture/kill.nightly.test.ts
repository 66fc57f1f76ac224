import { expect, it } from 'vitest';
import { tryHere } from './section.ts';
import { kill } from './sections/kill.ts';

it('A program killed while it writes leaves nothing half done, and the next run continues', async () => {
  const { findings, tried } = await tryHere(kill, { seed: 11, indexes: [0, 1, 3, 5, 7] });
  expect(findings).toEqual([]);
  expect(tried).toBe(5);
});
