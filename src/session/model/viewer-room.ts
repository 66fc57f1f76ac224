import type { ViewerColumn } from '../../answers/index.ts';

interface WideColumn {
  readonly column: ViewerColumn;
  readonly cells: number;
}

/** Of a name that is cut in its middle, both ends. */
const LEAST_NAME = 10;

/** A mark at each edge. */
export const EDGES = 4;
export const COLUMN_GAP = 2;

/**
 * The columns of an answer, its names cut as far as that makes room for amounts behind them: as many as can be had, since
 * they are what was asked for. Other tables stay as they are.
 */
export function withRoomForAmounts<Column extends WideColumn>(
  columns: readonly Column[],
  room: number,
): readonly Column[] {
  for (let last = columns.length - 1; last > 0; last -= 1) {
    if (!isAmount(columns[last])) continue;
    const shown = columns.slice(0, last + 1);
    const used = shown.reduce((sum, { cells }) => sum + cells + COLUMN_GAP, EDGES - COLUMN_GAP);
    if (used <= room) return columns;
    const spare = shown.reduce((sum, column) => sum + spareOf(column), 0);
    if (used - spare <= room) return [...squeezed(shown, used - room), ...columns.slice(last + 1)];
  }
  return columns;
}

const isAmount = (column: WideColumn | undefined): boolean =>
  column?.column.isAnswer === true && column.column.shape === 'number';

const spareOf = ({ column: { shape }, cells }: WideColumn): number =>
  shape === 'text' ? Math.max(0, cells - LEAST_NAME) : 0;

/** A cell after the other is taken from the widest of the names. */
function squeezed<Column extends WideColumn>(columns: readonly Column[], excess: number): readonly Column[] {
  const made = [...columns];
  for (let left = excess; left > 0; left -= 1) {
    const widest = made.reduce((best, column, at) => (spareOf(column) > spareOf(made[best] ?? column) ? at : best), 0);
    const column = made[widest];
    if (column !== undefined) made[widest] = { ...column, cells: column.cells - 1 };
  }
  return made;
}
