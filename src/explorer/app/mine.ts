import { isSameMine, type Mine, NOTHING_MINE } from '../../directory/mine.ts';
import type { SessionState } from '../core/state.ts';
import { toRoots } from '../openings.ts';
import { type MarkedId, type MineEvent, wordsForMine } from '../services/mine/mine.ts';
import { TAB_IDS } from '../tabs.ts';
import { stepRoots } from './layers.ts';
import { withDirectory } from './names-events.ts';
import { withNotice } from './transitions.ts';

/** The state after something happened to what is the user's. */
export function mineEvent(state: SessionState, event: MineEvent): SessionState {
  const { saving } = state.mine;
  switch (event.type) {
    case 'mine-read': {
      if (event.chainId !== state.node.chainId) return state;
      const { chainId, mine, problem } = event;
      const read = withMine({ ...state, mine: { ...state.mine, readFor: chainId, problem } }, mine);
      return problem === null || problem === state.mine.problem ? read : withNotice(read, problem, 'bad');
    }
    case 'mine-saved': {
      if (saving?.requestId !== event.requestId) return state;
      const saved = { ...state, mine: { ...state.mine, saving: null } };
      // Another chain may have been gone to meanwhile.
      const known = saving.chainId === state.node.chainId ? laidOutAnew(withMine(saved, event.mine)) : saved;
      return withNotice(
        known,
        `${wordsForMine(saving, state.directory)} is ${saving.isMine ? 'yours now' : 'no longer yours'}`,
        'good',
      );
    }
    case 'mine-not-saved':
      if (saving?.requestId !== event.requestId) return state;
      return withNotice({ ...state, mine: { ...state.mine, saving: null } }, `not saved: ${event.problem}`, 'bad');
  }
}

/** The word beside an id that was marked on purpose has room at once, in whichever list it stands. */
const laidOutAnew = (state: SessionState): SessionState =>
  stepRoots(state, toRoots('browse', TAB_IDS, { type: 'lay-out-names' }));

function withMine(state: SessionState, mine: Mine): SessionState {
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
