import { lookOf } from '../../insight/kind.ts';
import type { Column, Resource, Row } from '../../resources/resource.ts';
import { sanitize } from '../../text/safe-text.ts';
import { widthCells } from '../../text/width.ts';
import { cellText } from './cell-text.ts';
import type { Browser, LoadedPage } from './state.ts';
import { groupedLines } from './table-lines.ts';
import { shownColumns } from './visible-rows.ts';

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

/** Cells left of the rows, for the mark of the selected one. */
const GUTTER = 2;

/** Cells of the mark that says how many columns have no room. */
const MORE_MARK = 6;

const layouts = new WeakMap<LoadedPage, { readonly choice: string; readonly layout: ColumnLayout }>();

/** The columns that a table of so many cells shows. */
export function columnLayout(resource: Resource, browser: Browser, page: LoadedPage, tableCells: number): ColumnLayout {
  const cells = tableCells - GUTTER;
  const columns = inGroups(resource, browser, shownColumns(resource, browser));
  const choice = [cells, browser.view.left, browser.sort?.column, ...columns.map(({ id }) => id)].join(' ');
  const known = layouts.get(page);
  if (known?.choice === choice) return known.layout;
  const layOut = (room: number) =>
    layOutColumns(columns, page, { left: browser.view.left, room, sorted: browser.sort?.column });
  const all = layOut(cells);
  const layout = all.hiddenRight === 0 ? all : layOut(cells - MORE_MARK);
  layouts.set(page, { choice, layout });
  return layout;
}

// Below its heading a row is called by what is its own.
function inGroups(resource: Resource, browser: Browser, columns: readonly Column[]): readonly Column[] {
  const { groupOf } = resource;
  const [first, ...others] = columns;
  if (groupOf === undefined || first === undefined || groupedLines(resource, browser) === undefined) return columns;
  const name = (row: Row): string => {
    const { title, name } = groupOf(row);
    return title === '' ? name : `  ${name}`;
  };
  return [{ ...first, id: `${first.id} in its group`, value: name }, ...others];
}

interface Place {
  /** Columns scrolled past, at most: no more than it takes to see the last one. */
  readonly left: number;
  readonly room: number;
  readonly sorted: string | undefined;
}

/** Chooses columns and widths: least widths first, as many as fit, then the room left goes to those cut. */
function layOutColumns(columns: readonly Column[], page: LoadedPage, { left, room, sorted }: Place): ColumnLayout {
  const widths = columns.map(column => {
    const natural = naturalWidth(column, page);
    // The column that is sorted by has a mark behind its title.
    const least = Math.max(leastWidth(column, natural), column.id === sorted ? column.title.length + 2 : 0);
    return { column, natural, least };
  });
  const [first, ...others] = widths;
  if (first === undefined) return { fitted: [], hiddenLeft: 0, hiddenRight: 0 };
  let start = Math.min(left, Math.max(0, others.length - 1));
  while (start > 0 && cellsOf([first, ...others.slice(start - 1)]) <= room) start--;
  const candidates = [first, ...others.slice(start)];
  let count = candidates.length;
  while (count > 1 && cellsOf(candidates.slice(0, count)) > room) count--;
  // A column too wide for what is left is shown cut: otherwise nothing would ever lead to it.
  const second = candidates[1];
  const isSqueezed = count === 1 && second !== undefined && room - first.least - BETWEEN >= SQUEEZED;
  const fitting = isSqueezed ? [first, { ...second, least: room - first.least - BETWEEN }] : candidates.slice(0, count);
  const widened = widen(
    fitting.map(({ least }) => least),
    fitting.map(({ natural }) => natural),
    Math.max(0, room - cellsOf(fitting)),
  );
  const fitted = fitting.map(({ column }, index) => ({ column, cells: Math.min(widened[index] ?? 0, room) }));
  return { fitted, hiddenLeft: start, hiddenRight: candidates.length - fitting.length };
}

/** Fewer are not worth a look. */
const SQUEEZED = 6;

const cellsOf = (columns: readonly { readonly least: number }[]): number =>
  columns.reduce((sum, { least }) => sum + least + BETWEEN, -BETWEEN);

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

const naturalWidths = new WeakMap<LoadedPage, Map<string, number>>();

// Widths come from a sample of the page, so they stand still while it is scrolled.
function naturalWidth(column: Column, page: LoadedPage): number {
  const known = naturalWidths.get(page) ?? new Map<string, number>();
  naturalWidths.set(page, known);
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
  const { enough, align, isWord } = lookOf(column.kind);
  if (enough > 0) return Math.max(Math.min(natural, enough), widthCells(sanitize(column.title)));
  if (align === 'right' || isWord === true) return natural;
  return Math.min(natural, ENOUGH_TEXT);
}
