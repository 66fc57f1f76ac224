import type { ColumnShape, ViewerColumn, ViewerRow } from '../../../answers/index.ts';
import {
  type FittableColumn,
  fitColumns,
  type ScrolledColumns,
  scrollColumns,
} from '../../../base/text/fit-columns.ts';
import { widthCells } from '../../../base/text/width.ts';
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
export function placedColumns({ view, table }: OpenTable, rowFormat: RowFormat, screen: number): PlacedColumns {
  const wanted = columnOrder(table.columns).flatMap(index => {
    const column = table.columns[index];
    if (column === undefined) return [];
    const mark = view.shown.look.sort?.column === column.name ? SORT_MARK : 0;
    const title = titleCells({ column, index }, rowFormat) + mark;
    return [{ column, index, steps: columnSteps(column, view.widths[index] ?? 0, title) }];
  });
  const line = { room: screen - EDGE_CELLS, gap: COLUMN_GAP };
  const { columns, ...scrolled } = scrollColumns(wanted, { ...line, past: view.left, leastCut });
  const placed = fitColumns(columns, line).map(({ column: { column, index }, cells }) => ({
    ...{ column, index, cells },
    align: columnAlign(column),
  }));
  return { placed, ...scrolled };
}

/** A mark at each edge. */
const EDGE_CELLS = 4;
const COLUMN_GAP = 2;

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
/** Behind the title. */
const SORT_MARK = 2;

const maxCellsOf = ({ shape, isAnswer = false }: ViewerColumn): number =>
  isAnswer && shape === 'number' ? MAX_ANSWER_NUMBER_CELLS : MAX_CELLS[shape];

/** Ids, and the names of an answer, whose amounts are the answer, are cut where that makes room for another column. */
function columnSteps(column: ViewerColumn, widest: number, title: number): FittableColumn['steps'] {
  const cells = Math.max(MIN_CELLS, Math.min(Math.max(title, widest), maxCellsOf(column)));
  const isCut = column.shape === 'id' || (column.shape === 'text' && column.isAnswer === true);
  return isCut ? [Math.min(cells, ID_CELLS), cells] : [cells];
}

/**
 * The fewest cells of the last column on the screen. A number too long for the room shows its first digits and its magnitude;
 * the amounts of an answer stay behind the edge until all of their digits fit.
 */
function leastCut({ column: { shape, isAnswer } }: { readonly column: ViewerColumn }, behind: number) {
  if (shape === 'number') return isAnswer === true && behind > 1 ? undefined : MIN_NUMBER_CELLS;
  // On the narrowest screen, only a time does not describe a row.
  return behind === 1 && shape !== 'time' ? MIN_SECOND_COLUMN_CELLS : undefined;
}

/** `9.6… x 10^26`. */
const MIN_NUMBER_CELLS = 13;
/** A word, or both ends of a text. */
const MIN_SECOND_COLUMN_CELLS = 8;

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
