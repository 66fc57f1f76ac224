import type { Resource, Row } from '../../../../chain/resources/resource.ts';
import type { RowList } from '../../../../chain/resources/row-list.ts';
import { selectLine, type Window } from '../../../core/window.ts';
import type { BrowseState } from '../state.ts';
import { visibleRows } from './visible-rows.ts';

/**
 * A line of a table with grouped rows: a row, by its index among the visible rows, or the name of the group that follows.
 */
type TableLine =
  | { readonly kind: 'row'; readonly row: Row; readonly index: number }
  | { readonly kind: 'heading'; readonly title: string };

export interface GroupedLines {
  readonly lines: readonly TableLine[];
  /** By the row's place among the visible ones. */
  readonly lineOfRow: readonly number[];
}

const grouped = new WeakMap<RowList, GroupedLines>();

/** The lines of a list whose rows are grouped; undefined when each line is a row: sorted rows are of any group. */
export function groupedLines(resource: Resource, browser: BrowseState): GroupedLines | undefined {
  const { groupOf } = resource;
  if (groupOf === undefined || browser.sort !== null) return undefined;
  const rows = visibleRows(resource, browser);
  const known = grouped.get(rows) ?? groupLines(rows.slice(), groupOf);
  grouped.set(rows, known);
  return known;
}

function groupLines(rows: readonly Row[], groupOf: NonNullable<Resource['groupOf']>): GroupedLines {
  const lines: TableLine[] = [];
  const lineOfRow: number[] = [];
  let last = '';
  for (const [index, row] of rows.entries()) {
    const { title } = groupOf(row);
    if (title !== last && title !== '') lines.push({ kind: 'heading', title });
    last = title;
    lineOfRow.push(lines.length);
    lines.push({ kind: 'row', row, index });
  }
  return { lines, lineOfRow };
}

/**
 * The window with its selection on the row of this line; from a heading on the next row in this direction. The heading
 * of the first row is drawn with it. `row` is a place among the rows, `top` is a line.
 */
export function selectRowOfLine(
  { lines }: GroupedLines,
  { row: line, top }: Window,
  direction: 1 | -1,
  height: number,
): Window {
  const at = [line, line + direction, line + 1].find(place => lines[place]?.kind === 'row') ?? 0;
  const window = selectLine({ row: at, top }, at, lines.length, height);
  const isHeaded = window.top === at && height > 1 && lines[at - 1]?.kind === 'heading';
  const selected = lines[at];
  return { row: selected?.kind === 'row' ? selected.index : 0, top: isHeaded ? at - 1 : window.top };
}

/** The window, kept on an existing row and within the drawn lines. */
export function clampTableWindow(resource: Resource, browser: BrowseState, height: number): Window {
  const { view } = browser;
  const groups = groupedLines(resource, browser);
  if (groups === undefined) return selectLine(view, view.row, visibleRows(resource, browser).length, height);
  const last = groups.lineOfRow.length - 1;
  const line = groups.lineOfRow[Math.max(0, Math.min(view.row, last))] ?? 0;
  return selectRowOfLine(groups, { row: line, top: view.top }, 1, height);
}

/** The rows that a window of this height shows, as indices among the visible rows; the end is exclusive. */
export function drawnRowRange(
  resource: Resource,
  browser: BrowseState,
  height: number,
): readonly [from: number, to: number] {
  const { top } = browser.view;
  const groups = groupedLines(resource, browser);
  if (groups === undefined) return [top, Math.min(visibleRows(resource, browser).length, top + height)];
  const rows = groups.lines.slice(top, top + height).flatMap(line => (line.kind === 'row' ? [line.index] : []));
  return [rows[0] ?? 0, (rows.at(-1) ?? -1) + 1];
}
