import { lookOf, shortText } from '../../insight/kind.ts';
import type { Column, Row } from '../../resources/resource.ts';
import type { LoadedPage } from '../../session/state.ts';
import { type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { widthCells } from '../../text/width.ts';

/** A column that fits on the screen, and its cells. */
export interface FittedColumn {
  readonly column: Column;
  readonly cells: number;
}

/** What is drawn of the columns; the first one is always there, the others scroll beside it. */
export interface ColumnLayout {
  readonly fitted: readonly FittedColumn[];
  /** Columns that had no room, left of the scrolled part and right of it. */
  readonly hiddenLeft: number;
  readonly hiddenRight: number;
}

const BETWEEN = 2;
const WIDEST = 90;
const ENOUGH_TEXT = 14;
const SAMPLE_ROWS = 400;

/** Chooses columns and widths: least widths first, as many as fit, then the room left goes to those cut. */
export function layOutColumns(
  columns: readonly Column[],
  page: LoadedPage,
  left: number,
  cells: number,
  sorted = '',
): ColumnLayout {
  const [first, ...others] = columns;
  if (first === undefined) return { fitted: [], hiddenLeft: 0, hiddenRight: 0 };
  const start = Math.min(left, Math.max(0, others.length - 1));
  const candidates = [first, ...others.slice(start)];
  const natural = candidates.map(column => naturalWidth(column, page));
  // The column that is sorted by has a mark behind its title.
  const least = candidates.map((column, index) =>
    Math.max(leastWidth(column, natural[index] ?? 0), column.id === sorted ? column.title.length + 2 : 0),
  );
  let used = 0;
  let count = 0;
  for (const width of least) {
    const needed = used + width + (count === 0 ? 0 : BETWEEN);
    if (count > 0 && needed > cells) break;
    used = needed;
    count++;
  }
  const widened = widen(least.slice(0, count), natural, Math.max(0, cells - used));
  const fitted = candidates
    .slice(0, count)
    .map((column, index) => ({ column, cells: Math.min(widened[index] ?? 0, cells) }));
  return { fitted, hiddenLeft: start, hiddenRight: candidates.length - count };
}

/** Shares the room left among the columns that are cut, evenly, until none of them is or nothing is left. */
function widen(least: readonly number[], natural: readonly number[], room: number): readonly number[] {
  const wide = [...least];
  let left = room;
  for (;;) {
    const cut = wide.flatMap((cells, index) => (cells < (natural[index] ?? 0) ? [index] : []));
    const share = Math.floor(left / cut.length);
    if (cut.length === 0 || share === 0) return wide;
    for (const index of cut) {
      const extra = Math.min(share, (natural[index] ?? 0) - (wide[index] ?? 0));
      wide[index] = (wide[index] ?? 0) + extra;
      left -= extra;
    }
  }
}

/** A cell's text in its short form, with the words that the rest of the page puts before it. */
export function cellText(column: Column, row: Row, { rows, receivedAtMs }: LoadedPage): SafeText {
  const text = shortText(column.kind, column.value(row), receivedAtMs);
  return column.qualifier === undefined ? text : safeText`${sanitize(column.qualifier(row, rows))}${text}`;
}

const widths = new WeakMap<LoadedPage, Map<string, number>>();

// Widths come from a sample of the page, so they stand still while it is scrolled.
function naturalWidth(column: Column, page: LoadedPage): number {
  const known = widths.get(page) ?? new Map<string, number>();
  widths.set(page, known);
  let width = known.get(column.id);
  if (width !== undefined) return width;
  width = widthCells(sanitize(column.title));
  const step = Math.max(1, Math.floor(page.rows.length / SAMPLE_ROWS));
  for (let index = 0; index < page.rows.length; index += step) {
    const row = page.rows[index];
    if (row !== undefined) width = Math.max(width, widthCells(cellText(column, row, page)));
  }
  width = Math.min(width, WIDEST);
  known.set(column.id, width);
  return width;
}

function leastWidth(column: Column, natural: number): number {
  const { enough, align } = lookOf(column.kind);
  if (enough > 0) return Math.max(Math.min(natural, enough), widthCells(sanitize(column.title)));
  if (align === 'right' || column.kind === 'status' || column.kind === 'boolean') return natural;
  return Math.min(natural, ENOUGH_TEXT);
}
