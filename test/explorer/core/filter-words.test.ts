import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_NAMES, nameOf } from '../../../src/chain/directory/directory.ts';
import { filterProblem } from '../../../src/chain/resources/filter.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { filterValues, idFor } from '../../../src/explorer/core/filter-words.ts';
import { anyDirectory } from '../../support/any-directory.ts';
import { startSession } from '../support/fake-world.ts';

const FILTERS = RESOURCES.flatMap(({ filters }) => filters);

it('what is offered for a filter stands for the id whose name it shows, whatever a chain and a person call their things', async () => {
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

it("takes a word of the user's own with its sign and without, and none that is two things'", async () => {
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
