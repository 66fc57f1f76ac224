import { columnLayout } from '../model/column-layout.ts';
import { possibleCells } from '../model/columns-by-hand.ts';
import { layoutOf } from '../model/layout.ts';
import type { SessionState } from '../model/state.ts';
import { resourceOf, withBrowser, withNotice } from './transitions.ts';

const STEP = 2;

const HIDDEN = 'it is not shown: Enter shows it';

/** A column of the list, wider or narrower than it is now. */
export function resizeColumn(state: SessionState, id: string, direction: 1 | -1): SessionState {
  const laidOut = layoutNow(state);
  if (laidOut === undefined) return state;
  const { browser, order, cellsOf } = laidOut;
  if (!order.includes(id)) return withNotice(state, HIDDEN);
  // One that has no room on the screen begins with as few as there are.
  const cells = possibleCells((browser.columnWidths[id] ?? cellsOf(id) ?? 0) + direction * STEP);
  return withBrowser(state, state.tab, shown => ({ ...shown, columnWidths: { ...shown.columnWidths, [id]: cells } }));
}

/** Why a column cannot be one place earlier or later. */
export function shiftProblem(state: SessionState, id: string, direction: 1 | -1): string | undefined {
  const order = layoutNow(state)?.order;
  if (order === undefined) return undefined;
  const from = order.indexOf(id);
  const to = from + direction;
  if (from < 0) return HIDDEN;
  if (from === 0 || to === 0) return 'the first column stays first: it is always shown';
  return to >= order.length ? 'it is the last one already' : undefined;
}

/** A column one place earlier or later among those that are shown. */
export function shiftColumn(state: SessionState, id: string, direction: 1 | -1): SessionState {
  const order = layoutNow(state)?.order;
  if (order === undefined) return state;
  const problem = shiftProblem(state, id, direction);
  if (problem !== undefined) return withNotice(state, problem);
  const from = order.indexOf(id);
  const columnOrder = order.toSpliced(from, 1).toSpliced(from + direction, 0, id);
  return withBrowser(state, state.tab, shown => ({ ...shown, columnOrder }));
}

function layoutNow(state: SessionState) {
  const resource = resourceOf(state);
  const browser = state.browsers[state.tab];
  if (resource === undefined || !browser?.page) return undefined;
  const { order, fitted } = columnLayout(resource, browser, browser.page, layoutOf(state).tableColumns);
  // Below headings of groups the first one has another id, and the same place.
  const cellsOf = (id: string): number | undefined =>
    id === order[0] ? fitted[0]?.cells : fitted.find(({ column }) => column.id === id)?.cells;
  return { browser, order, cellsOf };
}
