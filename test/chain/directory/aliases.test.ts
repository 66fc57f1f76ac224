import { expect, it } from 'vitest';
import { aliasesById } from '../../../src/chain/directory/aliases.ts';

it('Aliases of the user are found by their IDs in lower case, and a blank alias is ignored', () => {
  const given = { ' 0xAB ': ' cold wallet ', cd: '  ', __proto__: 'x' };
  expect([...aliasesById(given)]).toEqual([['0xab', 'cold wallet']]);
  expect(aliasesById(undefined).size).toBe(0);
});
