import { countText } from '../../insight/count-of.ts';
import type { SessionState } from '../model/state.ts';
import { AS_IN_FILE, type Measure } from '../model/viewed-table.ts';
import { type ChartView, type CountsView, type OpenTable, rowAt, type Viewer } from '../model/viewer.ts';
import { rowLines } from '../model/viewer-cells.ts';
import { barsOf } from '../model/viewer-chart.ts';
import type { KeyAction } from './action.ts';
import { openFiles } from './ask-export.ts';
import { moved } from './browse.ts';
import { isAllThereIs } from './node-unasked.ts';
import { isFor, type KeyIn } from './place.ts';
import { withNotice } from './transitions.ts';
import { chooseInViewer, countsRows, findFrom, openChart, withLook } from './viewer-look.ts';
import { tableHere, viewerRows, withView, withViewer } from './viewer-state.ts';

/** A key over a table on the disk, or over what is counted and drawn of it. */
export function inViewer(state: SessionState, action: KeyAction): SessionState {
  const { viewer } = state;
  if (viewer === null) return state;
  const open = tableHere(state);
  const over = open?.view.over ?? null;
  if (open === undefined || over === null) return isFor('viewer', action) ? viewerKey(state, viewer, action) : state;
  if (over.kind === 'counts') return isFor('viewer-counts', action) ? countsKey(state, open, over, action) : state;
  return isFor('viewer-chart', action) ? chartKey(state, open, over, action) : state;
}

/** Keys of a table on the disk. */
function viewerKey(state: SessionState, viewer: Viewer, action: KeyIn<'viewer'>): SessionState {
  if (action.type === 'reload') return openFiles(state, viewer.asked);
  const open = tableHere(state);
  if (open === undefined) return action.type === 'back' ? closed(state) : state;
  const { view, table } = open;
  switch (action.type) {
    case 'move':
    case 'move-to':
      return withView(state, open, { ...view, ...moved(view, action, view.shown.count, viewerRows(state)) });
    case 'scroll-columns': {
      const last = Math.max(0, table.columns.length - 2);
      return withView(state, open, { ...view, left: Math.max(0, Math.min(view.left + action.direction, last)) });
    }
    case 'inspect':
      return inspectRow(state, open);
    case 'next-match':
    case 'previous-match':
      return findFrom(state, open, {
        text: view.find,
        direction: action.type === 'next-match' ? 1 : -1,
        isOnward: true,
      });
    case 'clear-filters':
      return withLook(state, open, AS_IN_FILE);
    case 'back':
      return leave(state, open);
  }
}

/** All of the selected row, over the table. */
function inspectRow(state: SessionState, { view, table }: OpenTable): SessionState {
  const row = rowAt(view, view.row);
  if (row === undefined) return state;
  const text = rowLines(table.columns, row, state.directory).join('\n');
  const title = `${table.name}: row ${countText(view.row + 1)} of ${countText(view.shown.count)}`;
  return { ...state, overlay: { kind: 'value', title, text, top: 0 } };
}

// What runs is left first: the rows stay as they are.
function leave(state: SessionState, open: OpenTable): SessionState {
  const { view } = open;
  if (view.arranging !== null || view.finding !== null)
    return withNotice(
      withView(state, open, { ...view, arranging: null, finding: null }),
      'stopped: the rows are as they were',
    );
  return closed(state);
}

const closed = (state: SessionState): SessionState =>
  isAllThereIs(state) ? { ...state, isEnded: true } : withViewer(state, null);

/** Keys of values that were counted. */
function countsKey(
  state: SessionState,
  open: OpenTable,
  over: CountsView,
  action: KeyIn<'viewer-counts'>,
): SessionState {
  const values = 'counts' in over.answer ? over.answer.counts.values : [];
  switch (action.type) {
    case 'move':
    case 'move-to': {
      const window = moved(over, action, values.length, countsRows(state));
      return withView(state, open, { ...open.view, over: { ...over, ...window } });
    }
    case 'filter-by-value': {
      const value = values[over.row];
      if (value === undefined) return state;
      return chooseInViewer(state, { kind: 'filter', column: over.column, value: value.value });
    }
    case 'back':
      return withView(state, open, { ...open.view, over: null });
  }
}

/** Keys of a chart. */
function chartKey(state: SessionState, open: OpenTable, over: ChartView, action: KeyIn<'viewer-chart'>): SessionState {
  switch (action.type) {
    case 'scroll-columns': {
      const at = Math.max(0, Math.min(over.at + action.direction, chartBars(open, over).length - 1));
      return withView(state, open, { ...open.view, over: { ...over, at } });
    }
    case 'next-measure': {
      const next = MEASURES[(MEASURES.indexOf(over.measure) + 1) % MEASURES.length] ?? 'sum';
      return openChart(state, open, { column: over.column, measure: next });
    }
    case 'back':
      return withView(state, open, { ...open.view, over: null });
  }
}

export const MEASURES: readonly Measure[] = ['sum', 'last', 'largest', 'least', 'rows'];

/** The bars of a chart, those without rows too; none while they are worked out. */
export function chartBars({ table: { firstMs, lastMs } }: OpenTable, { answer, stepMs }: ChartView) {
  if (!('points' in answer) || firstMs === null || lastMs === null) return [];
  return barsOf(answer.points, { firstMs, lastMs, stepMs });
}
