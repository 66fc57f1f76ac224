/** A column as its table sees it: how many cells it takes, and whether it is left out. */
export interface FittableColumn {
  /**
   * The fewest cells it can do with, and then more in steps. No column takes a step before all have taken the one before it,
   * so the last steps are cut first; one with fewer steps has its last width from there on.
   */
  readonly steps: readonly [least: number, ...more: number[]];
  /** Where the others have no room it is left out, that with the most first. One without it stays. */
  readonly yields?: number;
  /** The step that the others take before this one has room; the first one, of their fewest cells, if omitted. */
  readonly yieldsAt?: number;
}

/** A column in the cells it has. */
export interface FittedCells<Column> {
  readonly column: Column;
  readonly cells: number;
}

/** Cells of a line, and of the gap between two of its columns. */
export interface LineRoom {
  readonly room: number;
  readonly gap: number;
}

/** The columns that fit: some are left out first, then the others are cut, and none passes the end of the line. */
export function fitColumns<Column extends FittableColumn>(
  columns: readonly Column[],
  { room, gap }: LineRoom,
): readonly FittedCells<Column>[] {
  const shown = columnsWithRoom(columns, { room, gap });
  const widths = widen(shown, room - gap * Math.max(0, shown.length - 1));
  let left = room;
  return shown.map((column, index) => {
    const cells = Math.max(0, Math.min(widths[index] ?? 0, left));
    left -= cells + gap;
    return { column, cells };
  });
}

/** Cells of a line of these columns at this step. */
export const lineCells = (columns: readonly FittableColumn[], gap: number, step = 0): number =>
  sum(columns.map(column => cellsAt(column, step))) + gap * Math.max(0, columns.length - 1);

function columnsWithRoom<Column extends FittableColumn>(
  columns: readonly Column[],
  { room, gap }: LineRoom,
): readonly Column[] {
  const yielding = [...columns]
    .reverse()
    .filter(({ yields = 0 }) => yields > 0)
    .sort((one, other) => (other.yields ?? 0) - (one.yields ?? 0));
  let shown = columns;
  for (const column of yielding)
    if (lineCells(shown, gap, column.yieldsAt) > room) shown = shown.filter(other => other !== column);
  return shown;
}

function widen(columns: readonly FittableColumn[], room: number): readonly number[] {
  const steps = Math.max(1, ...columns.map(column => column.steps.length));
  let cells: readonly number[] = columns.map(({ steps: [least] }) => least);
  for (let step = 1; step < steps; step++) {
    const wanted = columns.map((column, index) => Math.max(cells[index] ?? 0, cellsAt(column, step)));
    cells = widenEvenly(cells, wanted, room);
  }
  return cells;
}

const cellsAt = ({ steps }: FittableColumn, step: number): number => steps[Math.min(step, steps.length - 1)] ?? 0;

/** From these widths towards those wanted: where not all have room, each that is cut has equally many cells more. */
function widenEvenly(from: readonly number[], wanted: readonly number[], room: number): readonly number[] {
  if (sum(wanted) <= room) return wanted;
  const withMore = (more: number): number[] => from.map((cells, index) => Math.min(cells + more, wanted[index] ?? 0));
  let more = 0;
  while (sum(withMore(more + 1)) <= room) more++;
  return withMore(more);
}

const sum = (cells: readonly number[]): number => cells.reduce((total, more) => total + more, 0);

/** The columns that a table shows which scrolls: the first one always, the others to its right. */
export interface ScrolledColumns {
  readonly shown: number;
  readonly hiddenLeft: number;
  readonly hiddenRight: number;
}

interface Scroll<Column> extends LineRoom {
  /** Columns scrolled past, at most: no more than it takes to see the last one. */
  readonly past: number;
  /** The fewest cells in which the first column without room is shown cut, behind so many; undefined if it never is. */
  readonly leastCut: (column: Column, behind: number) => number | undefined;
}

/** Chooses those that have room with the fewest cells of each. */
export function scrollColumns<Column extends FittableColumn>(
  [first, ...others]: readonly Column[],
  { past, leastCut, room, gap }: Scroll<Column>,
): ScrolledColumns & { readonly columns: readonly Column[] } {
  if (first === undefined) return { columns: [], shown: 0, hiddenLeft: 0, hiddenRight: 0 };
  const hasRoom = (columns: readonly Column[]): boolean => lineCells([first, ...columns], gap) <= room;
  let start = Math.min(past, Math.max(0, others.length - 1));
  while (start > 0 && hasRoom(others.slice(start - 1))) start--;
  let end = others.length;
  while (end > start && !hasRoom(others.slice(start, end))) end--;
  const whole = [first, ...others.slice(start, end)];
  const next = others[end];
  const least = next && leastCut(next, whole.length);
  const left = room - lineCells(whole, gap) - gap;
  // A column too wide for the room left could never be reached.
  const isCut = next !== undefined && least !== undefined && least <= left;
  const columns = isCut ? [...whole, { ...next, steps: [left] as const }] : whole;
  return {
    columns,
    shown: columns.length,
    hiddenLeft: start,
    hiddenRight: others.length - start - columns.length + 1,
  };
}
