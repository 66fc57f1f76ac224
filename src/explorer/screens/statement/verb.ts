import type { Filter } from '../../../chain/resources/filter.ts';
import { liquidityProvisions } from '../../../chain/resources/liquidity-provisions.ts';
import { NO_SUBJECT_NOTICE, parseFeeSubject } from '../../core/fee-subject.ts';
import { filterValues, idFor } from '../../core/filter-completions.ts';
import type { OpeningVerb } from '../../core/screen.ts';
import { open } from '../../openings.ts';

/** Fees of a party or a market: by its id, or by its name. */
export const STATEMENT_VERB: OpeningVerb = {
  help: ['statement ID', 'fees allocated to a party or on a market'],
  read: (shared, words) => {
    // In a shell, a flag distinguishes party and market.
    const typed = words.filter(word => !/^--(?:party|market)$/.test(word)).join(' ');
    if (typed === '') return { problem: 'statement needs the id of a party or market' };
    const id = SUBJECTS.map(filter => idFor(shared, filter, typed)).find(found => found !== typed);
    const subject = parseFeeSubject(shared, id ?? typed.replaceAll(' ', ''));
    return { messages: [subject === undefined ? NO_SUBJECT_NOTICE : open('statement', subject)] };
  },
  complete: (shared, words) =>
    words.length > 1 ? [] : SUBJECTS.flatMap(filter => filterValues(shared, filter, '').map(({ word }) => word)),
};

const SUBJECTS: readonly Filter[] = liquidityProvisions.filters.filter(
  ({ entity }) => entity === 'market' || entity === 'party',
);
