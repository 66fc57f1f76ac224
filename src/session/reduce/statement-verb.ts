import type { Filter } from '../../resources/filter.ts';
import { liquidityProvisions } from '../../resources/liquidity-provisions.ts';
import { filterValues, idFor } from './filter-words.ts';
import type { Verb } from './verb.ts';

/** Fees of a party or a market: by its id, or by a name that is one word. */
export const STATEMENT_VERB: Verb = {
  help: ['statement ID', 'fees allocated to a party or on a market'],
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
