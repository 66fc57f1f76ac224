import type { Filter } from '../../resources/filter.ts';
import { liquidityProvisions } from '../../resources/liquidity-provisions.ts';
import { filterValues, idFor } from './filter-words.ts';
import type { Verb } from './verb.ts';

/** What a party or a market was paid: by its id, or by a name that is one word. */
export const STATEMENT_VERB: Verb = {
  help: ['statement ID', 'what a party or a market was paid in fees'],
  read: (state, words) => {
    const typed = words.join('');
    if (typed === '') return { problem: 'statement of whom? the id of a party or a market' };
    const id = SUBJECTS.map(filter => idFor(state, filter, typed)).find(found => found !== typed) ?? typed;
    return { actions: [{ type: 'show-statement', id }] };
  },
  complete: (state, words) =>
    words.length > 1 ? [] : SUBJECTS.flatMap(filter => filterValues(state, filter, '').map(({ word }) => word)),
};

const SUBJECTS: readonly Filter[] = liquidityProvisions.filters.filter(
  ({ entity }) => entity === 'market' || entity === 'party',
);
