import type { Measure } from '../../answers/index.ts';
import { moved } from '../../explorer/core/moving.ts';
import { countText } from '../../insight/count-of.ts';
import type { KeyAction } from '../model/action.ts';
import type { SessionState } from '../model/state.ts';
import { AS_IN_FILE, type ChartView, type CountsView, type OpenTable, rowAt, type Viewer } from '../model/viewer.ts';
import { rowLines } from '../model/viewer-cells.ts';
import { barsOf } from '../model/viewer-chart.ts';
import { placedColumns } from '../model/viewer-columns.ts';
import { openFiles } from './ask-export.ts';
import { openOver } from './layers.ts';
import { isFor, type KeyIn } from './place.ts';
import { closeTables, leaveTable } from './viewer-esc.ts';
import { chooseInViewer, countsRows, findFrom, openChart, withLook } from './viewer-look.ts';
import { tableHere, viewerRows, withView } from './viewer-state.ts';

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
  const known = tableHere(state);
  if (known === undefined) return action.type === 'back' ? closeTables(state) : state;
  if (action.type === 'back') return leaveTable(state, known);
  const open = { ...known, view: { ...known.view, hasJustCome: false } };
  const { view } = open;
  switch (action.type) {
    case 'move':
    case 'move-to':
      return withView(state, open, { ...view, ...moved(view, action, view.shown.count, viewerRows(state)) });
    case 'scroll-columns': {
      const { hiddenLeft, hiddenRight } = placedColumns(open, state.screen.columns);
      const step = action.direction === 1 && hiddenRight === 0 ? 0 : action.direction;
      return withView(state, open, { ...view, left: Math.max(0, hiddenLeft + step) });
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
  }
}

/** All of the selected row, over the table. */
function inspectRow(state: SessionState, { view, table }: OpenTable): SessionState {
  const row = rowAt(view, view.row);
  if (row === undefined) return state;
  const text = rowLines(table.columns, row, state.directory).join('\n');
  const title = `${table.name}: row ${countText(view.row + 1)} of ${countText(view.shown.count)}`;
  return openOver(state, 'value', { title, text });
}

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
