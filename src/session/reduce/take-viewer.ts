import { countOf, countText } from '../../insight/count-of.ts';
import type { SessionState } from '../model/state.ts';
import { atWork, newView, type OpenTable, type TableView, type Viewer, waitedSeconds } from '../model/viewer.ts';
import type { ViewerFact } from '../model/viewer-action.ts';
import { placedColumns, withWidths } from '../model/viewer-columns.ts';
import { drawnOrder } from '../model/viewer-order.ts';
import { select } from '../model/window.ts';
import { withNotice } from './transitions.ts';
import { chartBars } from './viewer-keys.ts';
import { chartStep, countsRows, findFrom, openChart, shownAnew } from './viewer-look.ts';
import { isViewing, tableHere, viewerRows, withView, withViewer } from './viewer-state.ts';

/** Takes note of what became of what was asked about tables; of what is not asked any more it changes nothing. */
export function takeViewer(state: SessionState, fact: ViewerFact): SessionState {
  const { viewer, job } = state;
  if (fact.kind === 'offered') {
    const { ticket, hasEngine, questions } = fact;
    return job?.ticket === ticket ? { ...state, offers: { job: ticket, hasEngine, questions } } : state;
  }
  if (viewer === null) return state;
  if (viewer.files.status === 'opening') return viewer.ticket === fact.ticket ? opening(state, viewer, fact) : state;
  const open = tableHere(state);
  return open === undefined ? state : told(state, open, fact);
}

/** They stand below the rows, each in two lines or so. */
const hasRoomForNotes = (state: SessionState, rows: number, notes: number): boolean =>
  rows + 2 + 2 * notes <= viewerRows(state);

function opening(state: SessionState, viewer: Viewer, fact: ViewerFact): SessionState {
  switch (fact.kind) {
    case 'opening':
      return withViewer(state, { ...viewer, files: { status: 'opening', progress: fact.progress } });
    case 'opened': {
      const names = fact.tables.map(({ name }) => name);
      const { table: wanted = names[0] ?? '' } = viewer.asked;
      const place = names.indexOf(wanted);
      const first = fact.tables[place];
      if (names.length === 0) return failed(state, viewer, 'there is no table in it', 'Esc closes it');
      if (first === undefined)
        return failed(state, viewer, `there is no table "${wanted}" in it`, `there are ${names.join(', ')}`);
      const { tables, notes, sql, questions } = fact;
      const ticket = state.ticket + 1;
      const view = newView(place, ticket, first);
      const opened: SessionState = {
        ...state,
        ticket,
        viewer: { ...viewer, files: { status: 'open', tables, notes, sql, questions, view } },
      };
      if (notes.length === 0) return opened;
      if (viewer.asked.question === null) return withNotice(opened, notes.join('; '));
      return hasRoomForNotes(opened, first.rows, notes.length)
        ? opened
        : withNotice(
            opened,
            isViewing(state)
              ? `y copies ${countOf(notes.length, 'note')} on what this is made of`
              : 'the answer is there, on the export tab',
          );
    }
    case 'not-opened':
      return failed(state, viewer, fact.problem, fact.hint);
    case 'offered':
    case 'rows':
    case 'no-rows':
    case 'arranged':
    case 'finding':
    case 'waited':
    case 'found':
    case 'counted':
    case 'charted':
    case 'failed':
      return state;
  }
}

const failed = (state: SessionState, viewer: Viewer, problem: string, hint: string): SessionState =>
  withViewer(state, { ...viewer, files: { status: 'failed', problem, hint } });

function told(state: SessionState, open: OpenTable, fact: ViewerFact): SessionState {
  const { view } = open;
  const isAnswer = view.over !== null && 'ticket' in view.over.answer && view.over.answer.ticket === fact.ticket;
  switch (fact.kind) {
    case 'rows':
      if (view.shown.ticket !== fact.ticket) return state;
      return withView(state, open, {
        ...view,
        loaded: { from: fact.from, rows: fact.rows },
        widths: withWidths(open, fact.rows, state.directory),
      });
    case 'no-rows':
      return view.shown.ticket === fact.ticket ? withView(state, open, { ...view, problem: fact.problem }) : state;
    case 'arranged':
      return view.arranging?.ticket === fact.ticket ? arranged(state, open, fact.count) : state;
    case 'finding':
      if (view.finding?.ticket !== fact.ticket) return state;
      return withView(state, open, { ...view, finding: { ...view.finding, done: fact.done } });
    case 'found':
      return view.finding?.ticket === fact.ticket ? found(state, open, fact.at) : state;
    case 'waited': {
      const { ticket } = fact;
      if (atWork(view) !== ticket) return state;
      return withView(state, open, { ...view, waited: { ticket, seconds: waitedSeconds(view) + 1 } });
    }
    case 'counted':
      if (!isAnswer || view.over?.kind !== 'counts') return state;
      return withView(state, open, { ...view, over: { ...view.over, answer: { counts: fact.counts } } });
    case 'charted':
      return isAnswer ? charted(state, open, fact) : state;
    case 'failed': {
      const isOpen = isAnswer || [view.arranging?.ticket, view.finding?.ticket].includes(fact.ticket);
      if (!isOpen) return state;
      const stopped = { ...view, arranging: null, finding: null, over: isAnswer ? null : view.over };
      return withNotice(withView(state, open, stopped), fact.problem, 'bad');
    }
    case 'opening':
    case 'opened':
    case 'not-opened':
    case 'offered':
      return state;
  }
}

function arranged(state: SessionState, open: OpenTable, count: number): SessionState {
  const { view } = open;
  if (view.arranging === null) return state;
  const { ticket, look } = view.arranging;
  const shown = withView(state, open, {
    ...shownAnew(view, ticket, look),
    shown: { ticket, look, count },
    hasJustCome: true,
  });
  const again = view.finding === null ? undefined : tableHere(shown);
  if (again === undefined || view.finding === null) return shown;
  // What was looked for among the rows as they were is looked for among these.
  return findFrom(shown, again, { text: view.find, direction: view.finding.direction, isOnward: false });
}

function found(
  state: SessionState,
  open: OpenTable,
  at: Extract<ViewerFact, { readonly kind: 'found' }>['at'],
): SessionState {
  const { view } = open;
  const stopped = { ...view, finding: null };
  if (at === null) return withNotice(withView(state, open, stopped), `no row holds "${view.find}" in any value`, 'bad');
  const top = Math.max(0, at.row - Math.floor(viewerRows(state) / 3));
  const isNear = at.row >= view.top && at.row < view.top + viewerRows(state);
  const moved = {
    ...stopped,
    ...select({ row: at.row, top: isNear ? view.top : top }, at.row, view.shown.count, viewerRows(state)),
  };
  const left = leftFor(state, { ...open, view: moved }, at.column);
  const row = `row ${countText(at.row + 1)}`;
  return withNotice(
    withView(state, open, { ...moved, left }),
    `found in ${at.column} of ${row}${isViewing(state) ? '; n the next one, Esc ends the find' : ' of the table on the export tab'}`,
  );
}

/** As far as columns are scrolled for this one to be seen. */
function leftFor(state: SessionState, open: OpenTable, name: string): number {
  const { columns } = state.screen;
  const isShown = (view: TableView): boolean =>
    placedColumns({ ...open, view }, columns).placed.some(({ column }) => column.name === name);
  if (isShown(open.view)) return open.view.left;
  const place = drawnOrder(open.table.columns).findIndex(index => open.table.columns[index]?.name === name);
  return Math.max(0, place - 1);
}

function charted(
  state: SessionState,
  open: OpenTable,
  { points }: Extract<ViewerFact, { readonly kind: 'charted' }>,
): SessionState {
  const { view } = open;
  if (view.over?.kind !== 'chart') return state;
  const over = { ...view.over, answer: { points } };
  const at = Math.max(
    0,
    chartBars(open, over).findLastIndex(({ kind }) => kind === 'value'),
  );
  return withView(state, open, { ...view, over: { ...over, at } });
}

/** The viewer with its selection on rows that are there, and its bars as long as there is room for. */
export function viewerInRange(state: SessionState): SessionState {
  const open = tableHere(state);
  if (open === undefined) return state;
  const { view } = open;
  const { row, top } = select(view, view.row, view.shown.count, viewerRows(state));
  const kept = row === view.row && top === view.top ? view : { ...view, row, top };
  const { over } = view;
  if (over?.kind === 'counts') {
    const count = 'counts' in over.answer ? over.answer.counts.values.length : 0;
    const window = select(over, over.row, count, countsRows(state));
    const isSame = window.row === over.row && window.top === over.top;
    return withView(state, open, isSame ? kept : { ...kept, over: { ...over, ...window } });
  }
  const ranged = withView(state, open, kept);
  if (over?.kind !== 'chart' || chartStep(state, open) === over.stepMs) return ranged;
  const again = tableHere(ranged);
  return again === undefined ? ranged : openChart(ranged, again, over);
}
