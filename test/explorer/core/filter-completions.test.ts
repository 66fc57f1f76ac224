import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_NAMES, nameOf } from '../../../src/chain/directory/directory.ts';
import { filterProblem } from '../../../src/chain/resources/filter.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { filterValues, idFor } from '../../../src/explorer/core/filter-completions.ts';
import { anyDirectory } from '../../support/any-directory.ts';
import { startSession } from '../support/fake-world.ts';

const FILTERS = RESOURCES.flatMap(({ filters }) => filters);

it('A filter suggestion stands for the ID whose name it shows, whatever names the chain and the user give', async () => {
  const { session } = await startSession();
  fc.assert(
    fc.property(anyDirectory, fc.constantFrom(...FILTERS), fc.string({ maxLength: 2 }), (directory, filter, typed) => {
      const state = { ...session.state(), directory };
      for (const { word, label } of filterValues(state, filter, typed)) {
        const id = idFor(state, filter, word);
        expect(filterProblem(filter, id)).toBeUndefined();
        expect(word).not.toMatch(/\s/);
        if (filter.entity !== undefined) expect(nameOf(directory, filter.entity, id) ?? id).toBe(label);
      }
    }),
    { numRuns: 500 },
  );
});

it('An address is not suggested in a form that stands for another one, as a node may send it', async () => {
  const { session } = await startSession();
  const submitter = FILTERS.find(({ entity }) => entity === 'submitter');
  const validator = (ethereumAddress: string) => ({ name: 'Ann', status: '', publicKey: '01', ethereumAddress });
  const suggested = (address: string) => {
    const directory = { ...NO_NAMES, validators: new Map([['01', validator(address)]]) };
    const state = { ...session.state(), directory };
    return submitter && filterValues(state, submitter, '').map(({ word }) => word);
  };
  expect(suggested(`0x${'0'.repeat(40)}`)).toEqual(['Ann']);
  expect(suggested('0'.repeat(40))).toEqual([]);
});

it('A filter takes an alias of the user with its sign and without, and none that stands for two things', async () => {
  const { session } = await startSession();
  const party = liquidityProvisions.filters.find(({ entity }) => entity === 'party');
  const aliases = new Map([
    ['aa', 'me'],
    ['bb', 'us'],
    ['cc', 'us'],
  ]);
  const state = { ...session.state(), directory: { ...NO_NAMES, aliases } };
  const ids = ['@me', 'me', 'ME', 'us', '@us', 'aa', 'you'].map(word => party && idFor(state, party, word));
  expect(ids).toEqual(['aa', 'aa', 'aa', 'us', '@us', 'aa', 'you']);
});
