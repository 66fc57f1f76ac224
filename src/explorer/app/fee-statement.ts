import type { Filter } from '../../resources/filter.ts';
import { liquidityProvisions } from '../../resources/liquidity-provisions.ts';
import { type FeeSubject, feeSubject } from '../core/fee-subject.ts';
import { filterValues, idFor } from '../core/filter-words.ts';
import type { SessionState } from '../core/state.ts';
import type { Verb } from './commands/verb.ts';
import { openScreen } from './layers.ts';
import { withNotice } from './transitions.ts';

// The statement of an id, wherever it was typed.

/** The statement of an id that was pasted or typed. */
export function showStatement(
  state: SessionState,
  { id, entity }: { readonly id: string; readonly entity?: 'market' | 'party' },
): SessionState {
  const subject = subjectOf(state, id, entity);
  if (subject !== undefined) return openScreen(state, { screen: 'statement', opening: subject });
  return withNotice(state, 'a statement is of the id of a party or a market: hex digits', 'bad');
}

/** Whose statement an id that was pasted or typed calls for: of a market where it is known as one, else of a party. */
function subjectOf(state: SessionState, text: string, entity?: 'market' | 'party'): FeeSubject | undefined {
  const id = text.trim();
  const isSeen = (state.seen.market ?? []).some(market => market.toLowerCase() === id.toLowerCase());
  return feeSubject(entity ?? (isSeen || state.directory.markets.has(id.toLowerCase()) ? 'market' : 'party'), id);
}

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
