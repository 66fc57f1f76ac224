import type { ProgramEvent } from '../core/action.ts';
import { withBackground } from '../core/appearance.ts';
import type { ActionHandlers, SessionState } from '../core/state.ts';
import { type HistoryEvent, historyAfter } from '../services/history/history.ts';
import { viewsAfter } from '../services/views/views.ts';
import { spinnerAfter } from '../services/wait.ts';
import { MINE_HANDLERS } from './mine.ts';
import { receiveDirectory } from './names-events.ts';
import { NODE_HANDLERS } from './node-events.ts';
import { finishSaving, unitsNote } from './saving.ts';
import { withNotice } from './transitions.ts';

export const EVENT_HANDLERS: ActionHandlers<ProgramEvent> = {
  ...NODE_HANDLERS,
  ...MINE_HANDLERS,
  resized: (state, { screen }) => ({ ...state, screen }),
  'background-known': (state, { background }) => ({ ...state, looks: withBackground(state.looks, background) }),
  ticked: (state, { nowMs }) => ({ ...state, node: { ...state.node, nowMs } }),
  spun: (state, event) => ({ ...state, spin: spinnerAfter(state.spin, event) }),
  noticed: (state, { text, tone, refused, inPlaceOf }) =>
    inPlaceOf === undefined || inPlaceOf === (state.notice?.text ?? '')
      ? withNotice(state, text, tone, refused)
      : state,
  'view-saved': (state, event) => {
    const views = viewsAfter(state.views, event);
    return views === state.views ? state : noticeListsNotSaved({ ...state, views }, event.problem);
  },
  'directory-known': receiveDirectory,
  'history-read': withHistory,
  'command-saved': withHistory,
  saved: finishSaving,
  'not-saved': finishSaving,
  copied: (state, { requestId, isDone, message }) => {
    const { copying } = state;
    if (copying?.requestId !== requestId) return state;
    const done = { ...state, copying: null };
    return isDone ? withNotice(done, `${message}${unitsNote(copying)}`, 'good') : withNotice(done, message, 'bad');
  },
};

function withHistory(state: SessionState, event: HistoryEvent): SessionState {
  return { ...state, history: historyAfter(state.history, event) };
}

const noticeListsNotSaved = (state: SessionState, problem: string | null): SessionState =>
  problem === null ? state : withNotice(state, `the state of the lists was not saved: ${problem}`, 'bad');
