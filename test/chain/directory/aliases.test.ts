import { expect, it } from 'vitest';
import { aliasesById } from '../../../src/chain/directory/aliases.ts';

it('words of the user are found by their ids in lower case, and blanks are no word', () => {
  const given = { ' 0xAB ': ' cold wallet ', cd: '  ', __proto__: 'x' };
  expect([...aliasesById(given)]).toEqual([['0xab', 'cold wallet']]);
  expect(aliasesById(undefined).size).toBe(0);
});
