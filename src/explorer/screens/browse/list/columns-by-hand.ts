import { resourceById } from '../../../../chain/resources/registry.ts';
import { type ListStep, noticed } from '../list-context.ts';
import { type ListPlace, panesOf } from '../panes.ts';
import type { BrowseState } from '../state.ts';
import { possibleCells } from './chosen-columns.ts';
import { columnLayout } from './column-layout.ts';

interface MovedColumn {
  readonly column: string;
  readonly direction: 1 | -1;
}

const STEP = 2;

const HIDDEN = 'it is not shown: Enter shows it';

/** A column of the list, wider or narrower than it is now. */
export function resizeColumn(list: BrowseState, place: ListPlace, { column, direction }: MovedColumn): ListStep {
  const laidOut = layoutNow(list, place);
  if (laidOut === undefined) return { state: list };
  const { order, cellsOf } = laidOut;
  if (!order.includes(column)) return refused(list, HIDDEN);
  // One that has no room on the screen begins with as few as there are.
  const cells = possibleCells((list.columnWidths[column] ?? cellsOf(column) ?? 0) + direction * STEP);
  return { state: { ...list, columnWidths: { ...list.columnWidths, [column]: cells } } };
}

/** Why a column cannot be one place earlier or later. */
export function shiftProblem(
  list: BrowseState,
  place: ListPlace,
  { column, direction }: MovedColumn,
): string | undefined {
  const order = layoutNow(list, place)?.order;
  if (order === undefined) return undefined;
  const from = order.indexOf(column);
  const to = from + direction;
  if (from < 0) return HIDDEN;
  if (from === 0 || to === 0) return 'the first column stays first: it is always shown';
  return to >= order.length ? 'it is the last one already' : undefined;
}

/** A column one place earlier or later among those that are shown. */
export function shiftColumn(list: BrowseState, place: ListPlace, moved: MovedColumn): ListStep {
  const order = layoutNow(list, place)?.order;
  if (order === undefined) return { state: list };
  const problem = shiftProblem(list, place, moved);
  if (problem !== undefined) return refused(list, problem);
  const { column, direction } = moved;
  const from = order.indexOf(column);
  return { state: { ...list, columnOrder: order.toSpliced(from, 1).toSpliced(from + direction, 0, column) } };
}

const refused = (list: BrowseState, text: string): ListStep => ({ state: list, messages: [noticed(text)] });

function layoutNow(list: BrowseState, place: ListPlace) {
  const resource = resourceById(list.resource);
  const { page } = list;
  if (resource === undefined || page === null) return undefined;
  const { order, fitted } = columnLayout(resource, list, page, panesOf(list, place).tableColumns);
  // Below headings of groups the first one has another id, and the same place.
  const cellsOf = (id: string): number | undefined =>
    id === order[0] ? fitted[0]?.cells : fitted.find(({ column }) => column.id === id)?.cells;
  return { order, cellsOf };
}
