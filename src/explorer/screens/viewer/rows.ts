import type { FoundText, TableLook, ViewerCell } from '../../../answers/index.ts';
import { countText } from '../../../chain/insight/count-of.ts';
import type { ScreenContext, Step } from '../../core/screen.ts';
import { selectLine } from '../../core/window.ts';
import { columnOrder } from './column-order.ts';
import { placedColumns } from './columns.ts';
import { openTableCounts } from './counting.ts';
import type { ViewerEvent } from './events.ts';
import { currentRowFormat } from './row-format.ts';
import {
  AS_IN_FILE,
  type CountedRows,
  type OpenTable,
  type RowsOfValue,
  type TableView,
  type Viewer,
  viewerRows,
} from './state.ts';
import { isViewerTabShown, withRequestId, withView } from './steps.ts';

// Which rows are shown, in which order, and the search among them.

/** Chosen from a menu, or typed. */
type SortChoice = Extract<ViewerEvent, { readonly type: 'sort' }>;

// The same column again reverses the order. Of numbers the largest come first.
export function nextSort({ view, table }: OpenTable, { column, isDescending }: SortChoice): TableLook['sort'] {
  if (column === '') return null;
  const { sort } = view.shown.look;
  const isNumber = table.columns.find(({ name }) => name === column)?.shape === 'number';
  const next = sort?.column === column ? !sort.isDescending : isNumber;
  return { column, isDescending: isDescending ?? next };
}

/** Requests the rows of another look; the rows before are shown until they arrive. */
export function requestLook(known: OpenTable, look: TableLook): Step<Viewer> {
  const { table, view } = known;
  if (look.filters.length === 0 && look.sort === null)
    return withRequestId(known, id => fromFirstRow(view, { id, look: AS_IN_FILE, count: table.rows }));
  return withRequestId(known, id => ({ ...view, finding: null, arranging: { id, look } }));
}

const fromFirstRow = (view: TableView, shown: TableView['shown']): TableView => ({
  ...view,
  shown,
  arranging: null,
  finding: null,
  hasJustCome: false,
  loaded: null,
  row: 0,
  top: 0,
});

export function filterBy(
  known: OpenTable,
  filter: { readonly column: string; readonly value: ViewerCell },
): Step<Viewer> {
  return requestLook(known, withFilter(known.view.shown.look, filter));
}

function withFilter(look: TableLook, { column, value }: TableLook['filters'][number]): TableLook {
  const others = look.filters.filter(filter => filter.column !== column);
  return { ...look, filters: [...others, { column, value }] };
}

/** The rows of one value that was counted. */
export function rowsOfValue(known: OpenTable, { column, look, value, counts }: CountedRows): Step<Viewer> {
  const { view } = known;
  const narrowed = withFilter(look, { column, value });
  const left = { ...{ column, look, value, counts }, counted: view.counted };
  return requestLook({ ...known, view: { ...view, counted: { look: narrowed, left } } }, narrowed);
}

/** The counts that the rows are of one value of; undefined where the rows are others by now. */
export function viewerCountsToReturnTo({ counted, arranging, shown }: TableView): TableView['counted'] {
  if (counted === null) return null;
  const isOf = arranging === null ? shown.look.filters === counted.look.filters : arranging.look === counted.look;
  return isOf ? counted : null;
}

/** The rows that were counted, and the counts over them. */
export function returnToCounts(known: OpenTable, { left }: RowsOfValue, context: ScreenContext): Step<Viewer> {
  const { counted, ...rows } = left;
  const view = { ...known.view, counted };
  // Rows that have not come yet are given up.
  const returned =
    view.arranging === null
      ? requestLook({ ...known, view }, rows.look)
      : withView(known, { ...view, arranging: null });
  return { ...returned, messages: openTableCounts(known, rows, context).messages ?? [] };
}

export function receiveArrangement(known: OpenTable, count: number, { coveredBy }: ScreenContext): Step<Viewer> {
  const { view, viewer } = known;
  if (view.arranging === null) return { state: viewer };
  const { id, look } = view.arranging;
  const shown = { ...fromFirstRow(view, { id, look, count }), hasJustCome: coveredBy === undefined };
  if (view.finding === null) return withView(known, shown);
  // A search in the previous rows continues in these.
  return findFrom({ ...known, view: shown }, { text: view.find, direction: view.finding.direction, isOnward: false });
}

interface TextSearch {
  readonly text: string;
  readonly direction: 1 | -1;
  /** From the next row on, not from the selected one. */
  readonly isOnward: boolean;
}

/** Searches all rows that are shown, from the selected one on. */
export function findFrom(known: OpenTable, { text: typed, direction, isOnward }: TextSearch): Step<Viewer> {
  const text = typed.trim();
  const { view } = known;
  if (text === '') return withView(known, { ...view, find: '', finding: null });
  const { count } = view.shown;
  if (count === 0) return withView(known, view, [{ type: 'noticed', text: 'no rows to search', tone: 'info' }]);
  const from = isOnward ? (view.row + direction + count) % count : view.row;
  return withRequestId(known, id => ({ ...view, find: text, finding: { id, from, direction, done: 0 } }));
}

export function showFound(known: OpenTable, at: FoundText | null, context: ScreenContext): Step<Viewer> {
  const { view } = known;
  const stopped = { ...view, finding: null };
  if (at === null)
    return withView(known, stopped, [
      { type: 'noticed', text: `no row has "${view.find}" in any value of the file`, tone: 'bad' },
    ]);
  const rows = viewerRows(context.area);
  const isNear = at.row >= view.top && at.row < view.top + rows;
  const top = isNear ? view.top : Math.max(0, at.row - Math.floor(rows / 3));
  const there = { ...stopped, ...selectLine({ row: at.row, top }, at.row, view.shown.count, rows) };
  const left = columnsToScrollPast({ ...known, view: there }, at.column, context);
  const where = `found in ${at.column} of row ${countText(at.row + 1)}`;
  const next = isViewerTabShown(context) ? '; n the next one, Esc ends the find' : ' of the table on the export tab';
  return withView(known, { ...there, left }, [{ type: 'noticed', text: `${where}${next}`, tone: 'info' }]);
}

/** The columns to scroll away so that this one is seen. */
function columnsToScrollPast(known: OpenTable, name: string, { shared, area }: ScreenContext): number {
  const { placed } = placedColumns(known, currentRowFormat(known, shared), area.columns);
  if (placed.some(({ column }) => column.name === name)) return known.view.left;
  const place = columnOrder(known.table.columns).findIndex(index => known.table.columns[index]?.name === name);
  return Math.max(0, place - 1);
}
