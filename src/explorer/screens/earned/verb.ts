import { isId } from '../../../base/text/ids.ts';
import type { OpeningVerb } from '../../core/screen.ts';
import { open } from '../../openings.ts';
import { NO_PARTY_PROBLEM, parseParty } from '../../services/names/party.ts';

/** `:earned ID`. */
export const EARNED_VERB: OpeningVerb = {
  needs: 'files',
  help: ['earned PARTY', 'what a party received, earned and held, from the history on disk'],
  read: (shared, words) => {
    const typed = words.filter(word => word !== '--party').join(' ');
    if (typed === '') return { problem: 'earned needs the id of a party' };
    const party = parseParty(shared, typed);
    return party === undefined ? { problem: NO_PARTY_PROBLEM } : { messages: [open('earned', { party })] };
  },
  complete: ({ directory }, words) =>
    words.length > 1 ? [] : [...directory.aliases].filter(([id]) => isId(id)).map(([, name]) => name),
};
