import type { ColumnShape, ViewerColumn, ViewerRow } from '../../../answers/index.ts';
import { widthCells } from '../../../base/text/width.ts';
import type { ScrolledColumns } from '../../core/table.ts';
import { ID_CELLS, nameOfId, tableCell, titleCells } from './cells.ts';
import { columnOrder } from './column-order.ts';
import type { RowFormat } from './row-format.ts';
import type { OpenTable } from './state.ts';

/** A column on the screen. */
interface PlacedColumn {
  readonly column: ViewerColumn;
  /** Its place in a row. */
  readonly index: number;
  readonly cells: number;
  readonly align: 'left' | 'right';
}

export interface PlacedColumns extends ScrolledColumns {
  readonly placed: readonly PlacedColumn[];
}

/** Columns that fit next to each other: the first one stays, the others can be scrolled away. */
export function placedColumns({ view, table }: OpenTable, rowFormat: RowFormat, room: number): PlacedColumns {
  const order = columnOrder(table.columns);
  const [pinned, ...others] = order;
  const behind = Math.min(view.left, Math.max(0, others.length - 1));
  const wanted = [...(pinned === undefined ? [] : [pinned]), ...others.slice(behind)].flatMap(index => {
    const column = table.columns[index];
    if (column === undefined) return [];
    const mark = view.shown.look.sort?.column === column.name ? SORT_MARK : 0;
    const title = titleCells({ column, index }, rowFormat) + mark;
    return [{ column, index, cells: columnCells(column, view.widths[index] ?? 0, title) }];
  });
  const placed = withNarrowIds(withRoomForAmounts(wanted, room), room);
  const hiddenRight = others.length - behind - Math.max(0, placed.length - 1);
  return { placed, shown: placed.length, hiddenLeft: behind, hiddenRight };
}

type WantedColumn = Pick<PlacedColumn, 'column' | 'index' | 'cells'>;

function placeColumns(wanted: readonly WantedColumn[], room: number): readonly PlacedColumn[] {
  const placed: PlacedColumn[] = [];
  let used = EDGE_CELLS;
  for (const { column, index, cells } of wanted) {
    const between = placed.length === 0 ? 0 : COLUMN_GAP;
    const left = room - used - between;
    // A number too long for the room shows its first digits and its magnitude. The amounts of an answer stay behind the
    // edge until all of their digits fit.
    const mayWait = column.isAnswer === true && placed.length > 1;
    const isShortened = column.shape === 'number' && left >= MIN_NUMBER_CELLS && !mayWait;
    // On the narrowest screen, only a time does not describe a row.
    const isSecond = placed.length === 1 && !/^(?:time|number)$/.test(column.shape) && left >= MIN_SECOND_COLUMN_CELLS;
    if (placed.length > 0 && cells > left && !isShortened && !isSecond) break;
    placed.push({ column, index, cells: Math.min(cells, left), align: columnAlign(column) });
    used += between + cells;
  }
  return placed;
}

/** Names of ids are cut in their middle where that makes room for another column; what room is left they take back. */
function withNarrowIds(wanted: readonly WantedColumn[], room: number): readonly PlacedColumn[] {
  const wide = placeColumns(wanted, room);
  const narrow = placeColumns(
    wanted.map(one => (one.column.shape === 'id' ? { ...one, cells: Math.min(one.cells, ID_CELLS) } : one)),
    room,
  );
  if (narrow.length <= wide.length) return wide;
  const wantedCells = new Map(wanted.map(({ index, cells }) => [index, cells]));
  const cells = new Map(narrow.map(one => [one.index, one.cells]));
  const ids = narrow.filter(({ column }) => column.shape === 'id').map(({ index }) => index);
  let left = room - narrow.reduce((sum, one) => sum + one.cells + COLUMN_GAP, EDGE_CELLS - COLUMN_GAP);
  for (let widest = ID_CELLS; widest < MAX_CELLS.id; widest++)
    for (const index of ids) {
      const now = cells.get(index) ?? 0;
      if (left <= 0 || now > widest || now >= (wantedCells.get(index) ?? 0)) continue;
      cells.set(index, now + 1);
      left--;
    }
  return narrow.map(one => ({ ...one, cells: cells.get(one.index) ?? one.cells }));
}

export const columnAlign = ({ shape }: ViewerColumn): 'left' | 'right' =>
  shape === 'number' || shape === 'ordinal' ? 'right' : 'left';

const MAX_CELLS: { readonly [shape in ColumnShape]: number } = {
  number: 40,
  ordinal: 26,
  id: 32,
  time: 26,
  word: 18,
  text: 24,
};
/** Sixty digits in groups, with sign and point. */
const MAX_ANSWER_NUMBER_CELLS = 82;
const MIN_CELLS = 4;
/** `9.6… x 10^26`. */
const MIN_NUMBER_CELLS = 13;
/** A word, or both ends of a text. */
const MIN_SECOND_COLUMN_CELLS = 8;
/** Behind the title. */
const SORT_MARK = 2;

const maxCellsOf = ({ shape, isAnswer = false }: ViewerColumn): number =>
  isAnswer && shape === 'number' ? MAX_ANSWER_NUMBER_CELLS : MAX_CELLS[shape];

const columnCells = (column: ViewerColumn, widest: number, title: number): number =>
  Math.max(MIN_CELLS, Math.min(title, maxCellsOf(column)), Math.min(widest, maxCellsOf(column)));

/** Cells that each column has taken until now, with these rows. */
export function withWidths(
  { view, table }: OpenTable,
  rows: readonly ViewerRow[],
  rowFormat: RowFormat,
): readonly number[] {
  return table.columns.map((column, index) => {
    const most = maxCellsOf(column);
    let widest = view.widths[index] ?? 0;
    for (const row of rows) {
      if (widest >= most) break;
      const place = { table: table.name, columns: table.columns, row, index };
      const cells = widthCells(tableCell(place, rowFormat));
      widest = Math.max(
        widest,
        isPlainId({ column, table: table.name }, row[index] ?? '', rowFormat) ? Math.min(cells, ID_CELLS) : cells,
      );
    }
    return Math.min(widest, most);
  });
}

/** An id without a name is known by both of its ends. */
const isPlainId = (of: Parameters<typeof nameOfId>[0], id: string, { isRaw, names }: RowFormat): boolean =>
  of.column.shape === 'id' && (isRaw || nameOfId(of, id, names) === undefined);

interface WideColumn {
  readonly column: ViewerColumn;
  readonly cells: number;
}

/** Of a name that is cut in its middle, both ends. */
const MIN_NAME_CELLS = 10;

/** A mark at each edge. */
export const EDGE_CELLS = 4;
export const COLUMN_GAP = 2;

/**
 * The columns of an answer. Its names are cut if that makes room for more amounts, because the amounts are the answer.
 * Other tables stay unchanged.
 */
export function withRoomForAmounts<Column extends WideColumn>(
  columns: readonly Column[],
  room: number,
): readonly Column[] {
  for (let last = columns.length - 1; last > 0; last -= 1) {
    if (!isAmount(columns[last])) continue;
    const shown = columns.slice(0, last + 1);
    const used = shown.reduce((sum, { cells }) => sum + cells + COLUMN_GAP, EDGE_CELLS - COLUMN_GAP);
    if (used <= room) return columns;
    const spare = shown.reduce((sum, column) => sum + spareCells(column), 0);
    if (used - spare <= room) return [...shrinkNames(shown, used - room), ...columns.slice(last + 1)];
  }
  return columns;
}

const isAmount = (column: WideColumn | undefined): boolean =>
  column?.column.isAnswer === true && column.column.shape === 'number';

const spareCells = ({ column: { shape }, cells }: WideColumn): number =>
  shape === 'text' ? Math.max(0, cells - MIN_NAME_CELLS) : 0;

/** A cell after the other is taken from the widest of the names. */
function shrinkNames<Column extends WideColumn>(columns: readonly Column[], excess: number): readonly Column[] {
  const made = [...columns];
  for (let left = excess; left > 0; left -= 1) {
    const widest = made.reduce(
      (best, column, at) => (spareCells(column) > spareCells(made[best] ?? column) ? at : best),
      0,
    );
    const column = made[widest];
    if (column !== undefined) made[widest] = { ...column, cells: column.cells - 1 };
  }
  return made;
}
