import { normaliseMineId } from '../../../base/settings/mine-file.ts';
import { isMine, namesOf } from '../../../chain/directory/directory.ts';
import { MINE_ENTITIES, MINE_LIST_NAMES, type MineEntity } from '../../../chain/directory/mine.ts';
import { idFor } from '../../core/filter-completions.ts';
import type { SessionState } from '../../core/state.ts';
import type { MarkedId } from '../../services/mine/mine.ts';
import { noChainReason } from '../../services/node/health.ts';
import type { CommandOutcome, Verb } from './verb.ts';

const ACTIONS = ['add', 'remove'];

/** `:mine add ID`: what `M` does, for an id or a name that is typed. */
export const MINE_VERB: Verb = {
  help: ['mine add|remove ID', 'mark an id or a name as yours, as M does on a row'],
  complete: (_, words) => (words.length > 1 ? [] : ACTIONS),
  read: (state, [action = '', ...words]) => {
    const { node, mine } = state;
    const word = words.join(' ');
    if (!ACTIONS.includes(action) || word === '')
      return { problem: 'mine add ID or mine remove ID; m limits a list to your rows' };
    if (!node.chainId) return { problem: noChainReason(node) };
    if (mine.saving !== null) return { problem: 'the last change is being written' };
    return action === 'add' ? addToMine(state, word) : removeFromMine(state, word);
  },
};

function addToMine(state: SessionState, word: string): CommandOutcome {
  const { directory, seen } = state;
  const meant = candidateIds(state, word);
  const isKnown = ({ entity, id }: CandidateId): boolean =>
    namesOf(directory, entity).has(id) || (seen[entity] ?? []).some(other => other.toLowerCase() === id);
  const known = meant.filter(isKnown);
  // A party has no name: if the other names are known, an id that matches none is taken for a party.
  const isListed = (['market', 'node'] as const).every(entity => namesOf(directory, entity).size > 0);
  const isOther = namesOf(directory, 'asset').has(word.toLowerCase());
  const guessed = meant.filter(({ entity }) => entity === 'submitter' || (entity === 'party' && isListed && !isOther));
  const [only, ...others] = known.length > 0 ? known : guessed;
  if (only !== undefined && others.length === 0) return markOutcome(only, true);
  if (only !== undefined) return { problem: `it is several things here: press M on the row that you mean` };
  return { problem: `no party, validator, market or submitter "${word}" is known here: press M on its row` };
}

function removeFromMine(state: SessionState, word: string): CommandOutcome {
  const [first] = candidateIds(state, word).filter(({ entity, id }) => isMine(state.directory, entity, id));
  return first === undefined ? { problem: `"${word}" is not yours` } : markOutcome(first, false);
}

const markOutcome = (meant: CandidateId, isNowMine: boolean): CommandOutcome => ({
  actions: [{ type: 'mark-mine', ...meant, isMine: isNowMine }],
});

type CandidateId = Pick<MarkedId, 'entity' | 'id'>;

/** What a word may be, by its form or as a name. */
const candidateIds = (state: SessionState, word: string): readonly CandidateId[] =>
  MINE_ENTITIES.flatMap(entity => {
    const id = normaliseMineId(MINE_LIST_NAMES[entity], idFor(state, FILTERS[entity], word));
    return id === undefined ? [] : [{ entity, id }];
  });

const idFilter = (entity: MineEntity) => ({ name: entity, title: entity, kind: 'id', entity, meaning: '' }) as const;

const FILTERS = {
  party: idFilter('party'),
  node: idFilter('node'),
  market: idFilter('market'),
  submitter: { ...idFilter('submitter'), kind: 'address' },
} as const;
