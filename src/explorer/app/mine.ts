import { isSameMine, type Mine, NOTHING_MINE } from '../../chain/directory/mine.ts';
import type { ActionHandlers, SessionState } from '../core/state.ts';
import { rootEvent } from '../openings.ts';
import { type MarkedId, type MineEvent, markedIdText } from '../services/mine/mine.ts';
import { TAB_IDS } from '../tabs.ts';
import { sendToRoots } from './layers.ts';
import { withDirectory } from './names-events.ts';
import { withNotice } from './transitions.ts';

/** Handles events about the user's own entities. */
export const MINE_HANDLERS: ActionHandlers<MineEvent> = {
  'mine-read': (state, { chainId, mine, problem }) => {
    if (chainId !== state.node.chainId) return state;
    const read = applyMine({ ...state, mine: { ...state.mine, readFor: chainId, problem } }, mine);
    return problem === null || problem === state.mine.problem ? read : withNotice(read, problem, 'bad');
  },
  'mine-saved': (state, { requestId, mine }) => {
    const { saving } = state.mine;
    if (saving?.requestId !== requestId) return state;
    const saved = { ...state, mine: { ...state.mine, saving: null } };
    // The chain may have changed in the meantime.
    const known = saving.chainId === state.node.chainId ? layOutNames(applyMine(saved, mine)) : saved;
    const words = markedIdText(saving, state.directory);
    return withNotice(known, `${words} is ${saving.isMine ? 'yours now' : 'no longer yours'}`, 'good');
  },
  'mine-not-saved': (state, { requestId, problem }) => {
    if (state.mine.saving?.requestId !== requestId) return state;
    return withNotice({ ...state, mine: { ...state.mine, saving: null } }, `not saved: ${problem}`, 'bad');
  },
};

/** The word next to an id that the user has marked gets room at once, in every list that shows it. */
const layOutNames = (state: SessionState): SessionState =>
  sendToRoots(state, rootEvent('browse', TAB_IDS, { type: 'lay-out-names' }));

function applyMine(state: SessionState, mine: Mine): SessionState {
  return isSameMine(mine, state.directory.mine ?? NOTHING_MINE)
    ? state
    : withDirectory(state, { ...state.directory, mine });
}

export function markMine(state: SessionState, { entity, id, isMine }: MarkedId): SessionState {
  const { chainId } = state.node;
  if (chainId === null || chainId === '' || state.mine.saving !== null) return state;
  const lastId = state.lastId + 1;
  const saving = { requestId: lastId, chainId, entity, id: id.toLowerCase(), isMine };
  return { ...state, lastId, mine: { ...state.mine, saving } };
}
