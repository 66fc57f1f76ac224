import { modeOf } from '../model/mode.ts';
import type { SessionState } from '../model/state.ts';
import type { OpenTable, TableView } from '../model/viewer.ts';
import { openFiles } from './ask-export.ts';
import { isAllThereIs } from './node-unasked.ts';
import { withNotice } from './transitions.ts';
import { insteadOfRows } from './viewer-off.ts';
import { tableHere, withView, withViewer } from './viewer-state.ts';

// Esc takes back the last thing first, as in the lists, and closes the table last: its rows may have to be made anew. A hurried
// person presses it to stop what has ended meanwhile, so that the first one after it closes nothing.

/** What Esc does in a table in place of closing it, or where nothing but that is left to do. */
export function escHere(state: SessionState): string | undefined {
  if (modeOf(state) !== 'viewer') return undefined;
  if (insteadOfRows(state) !== undefined) return isLast(state) ? 'end' : 'back';
  const open = tableHere(state);
  const last = open === undefined ? undefined : lastOf(open.view);
  return last === undefined ? undefined : WORDS[last];
}

const WORDS = { runs: 'stop', find: 'end find', arranged: 'keep rows' } as const;

/** What runs, what was found, or rows that have just come. */
function lastOf({ arranging, finding, find, hasJustCome }: TableView): keyof typeof WORDS | undefined {
  if (arranging !== null || finding !== null) return 'runs';
  if (find !== '') return 'find';
  return hasJustCome ? 'arranged' : undefined;
}

/** Takes back what was done last, or closes the table. */
export function leaveTable(state: SessionState, open: OpenTable): SessionState {
  const { view } = open;
  const next = isLast(state) ? 'Esc again quits' : 'Esc again closes the table';
  switch (lastOf(view)) {
    case 'runs': {
      const find = view.finding === null ? view.find : '';
      const stopped = { ...view, arranging: null, finding: null, find };
      return withNotice(withView(state, open, stopped), 'stopped: the rows are as they were');
    }
    case 'find':
      return withNotice(withView(state, open, { ...view, find: '', hasJustCome: false }), `the find is ended; ${next}`);
    case 'arranged':
      return withNotice(withView(state, open, { ...view, hasJustCome: false }), `the rows are there; ${next}`);
    case undefined:
      return closeTables(state);
  }
}

/** Behind a table that was all that was asked for is nothing, unless it is an answer that was asked over another one. */
export const isLast = (state: SessionState): boolean => isAllThereIs(state) && state.viewer?.asked.behind === undefined;

/** An answer that was asked over a table gives way to that. */
export function closeTables(state: SessionState): SessionState {
  const behind = state.viewer?.asked.behind;
  if (behind !== undefined) return openFiles(state, behind);
  return isLast(state) ? { ...state, isEnded: true } : withViewer(state, null);
}
