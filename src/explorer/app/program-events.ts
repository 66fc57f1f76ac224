import type { ProgramEvent } from '../core/action.ts';
import type { SessionState } from '../core/state.ts';
import { historyAfter } from '../services/history/history.ts';
import { viewsAfter } from '../services/views/views.ts';
import { spinAfter } from '../services/wait.ts';
import { mineEvent } from './mine.ts';
import { directoryKnown } from './names-events.ts';
import { nodeEvent } from './node-events.ts';
import { savedOrNot, unitsNote } from './saving.ts';
import { withNotice } from './transitions.ts';

/** Takes note of what happened. */
export function onProgramEvent(state: SessionState, fact: ProgramEvent): SessionState {
  switch (fact.type) {
    case 'resized':
      return { ...state, screen: fact.screen };
    case 'ticked':
      return { ...state, node: { ...state.node, nowMs: fact.nowMs } };
    case 'spun':
      return { ...state, spin: spinAfter(state.spin, fact) };
    case 'noticed':
      return fact.inPlaceOf === undefined || fact.inPlaceOf === (state.notice?.text ?? '')
        ? withNotice(state, fact.text, fact.tone, fact.refused)
        : state;
    case 'charset-found': {
      const { looks } = state;
      return { ...state, looks: { ...looks, terminal: { ...looks.terminal, isUtf8: fact.isUtf8 } } };
    }
    case 'node-connected':
    case 'node-failed':
    case 'profiles-read':
    case 'nodes-compared':
    case 'chain-known':
    case 'build-known':
    case 'check-due':
    case 'checked':
    case 'check-failed':
    case 'node-answered':
    case 'node-silent':
    case 'node-refused':
    case 'node-blocked':
    case 'rows-arrived':
    case 'segments-known':
    case 'preset-known':
      return nodeEvent(state, fact);
    case 'view-saved': {
      const views = viewsAfter(state.views, fact);
      return views === state.views ? state : notKept({ ...state, views }, fact.problem);
    }
    case 'directory-known':
      return directoryKnown(state, fact);
    case 'mine-read':
    case 'mine-saved':
    case 'mine-not-saved':
      return mineEvent(state, fact);
    case 'history-read':
    case 'command-saved':
      return { ...state, history: historyAfter(state.history, fact) };
    case 'saved':
    case 'not-saved':
      return savedOrNot(state, fact);
    case 'copied': {
      const { copying } = state;
      if (copying?.requestId !== fact.requestId) return state;
      const done = { ...state, copying: null };
      if (!fact.isDone) return withNotice(done, fact.message, 'bad');
      return withNotice(done, `${fact.message}${unitsNote(copying)}`, 'good');
    }
  }
}

const notKept = (state: SessionState, problem: string | null): SessionState =>
  problem === null ? state : withNotice(state, `the state of the lists was not saved: ${problem}`, 'bad');
