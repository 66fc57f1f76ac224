import type { ViewerColumn, ViewerRow } from '../../answers/index.ts';
import type { Directory } from '../../directory/directory.ts';
import {
  BLANK,
  fillLine,
  highlighted,
  type Line,
  line,
  markedLine,
  type Span,
  type Style,
  span,
  textLine,
} from '../../explorer/core/line.ts';
import { countOf, countText } from '../../insight/count-of.ts';
import { marksWholeLine } from '../../session/model/looks.ts';
import type { SessionState } from '../../session/model/state.ts';
import { type OpenTable, openTableOf, rowAt, type Viewer } from '../../session/model/viewer.ts';
import { numberWithin, viewedText } from '../../session/model/viewer-cells.ts';
import { type PlacedColumns, placedColumns } from '../../session/model/viewer-columns.ts';
import { isLast } from '../../session/reduce/viewer-esc.ts';
import { viewerRows } from '../../session/reduce/viewer-state.ts';
import { byteCount } from '../../text/byte-count.ts';
import { type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, wrapWords } from '../../text/width.ts';
import { drawChart } from './viewer-chart.ts';
import { countedPlace, drawCounts } from './viewer-counts.ts';

/** A table on the disk, what is counted or drawn of it, or the state it is in instead. */
export function drawViewer(state: SessionState, viewer: Viewer): readonly Line[] {
  const { files } = viewer;
  const { columns } = state.screen;
  switch (files.status) {
    case 'opening':
      return [BLANK, textLine(`  ${openingText(files.progress, viewer.asked.question !== null)}  Esc stops`, 'quiet')];
    case 'failed':
      return [
        BLANK,
        ...wrapped(files.problem, columns, 'bad'),
        ...(files.hint === '' ? [] : wrapped(files.hint, columns, 'plain')),
        BLANK,
        textLine(`  r opens it again, Esc ${isLast(state) ? 'ends' : 'goes back'}`, 'quiet'),
      ];
    case 'open': {
      const open = openTableOf(viewer);
      if (open === undefined) return [];
      const { over } = open.view;
      if (over === null) return drawTable(state, open);
      return over.kind === 'counts' ? drawCounts(state, open, over) : drawChart(state, open, over);
    }
  }
}

const wrapped = (text: string, columns: number, style: Style): readonly Line[] =>
  wrapWords(sanitize(text), columns - 4).map(words => line(safeText`  ${words}`, style));

type Progress = Extract<Viewer['files'], { readonly status: 'opening' }>['progress'];

function openingText(progress: Progress, isAnswer: boolean): string {
  // Once there are tables, an answer is still to be worked out.
  if (isAnswer && (progress === null || progress.bytes === progress.totalBytes)) return 'answering ...';
  if (progress === null) return 'opening ...';
  const { bytes, totalBytes, rows } = progress;
  const of = totalBytes === null ? '' : ` of ${byteCount(totalBytes)}`;
  return `making a table of it: ${byteCount(bytes)}${of}, ${countOf(rows, 'row')} ...`;
}

function drawTable(state: SessionState, open: OpenTable): readonly Line[] {
  const { view } = open;
  const { columns: cells } = state.screen;
  const columns = placedColumns(open, cells);
  const heading = drawHeading(columns, open, cells);
  if (view.problem !== null)
    return [
      heading,
      BLANK,
      ...wrapped(`the rows cannot be read any more: ${view.problem}`, cells, 'bad'),
      textLine(`  r opens the file again, Esc ${isLast(state) ? 'ends' : 'closes it'}`, 'quiet'),
    ];
  if (view.shown.count === 0) {
    const isNarrowed = view.shown.look.filters.length > 0;
    const nothing =
      open.viewer.asked.question === null ? 'the table has no rows' : 'no row; the notes say what was looked at';
    return [
      heading,
      BLANK,
      textLine(`  ${isNarrowed ? 'no row has these values' : nothing}`, 'strong'),
      ...(isNarrowed ? [textLine('  x shows all rows again', 'quiet')] : []),
      ...noteLines(open, cells),
    ];
  }
  const height = Math.min(viewerRows(state), view.shown.count - view.top);
  return [
    heading,
    ...Array.from({ length: height }, (_, index) => {
      const place = view.top + index;
      const row = rowAt(view, place);
      const drawn = row === undefined ? NOT_THERE : drawRow(row, columns, state.directory);
      if (place !== view.row) return highlighted(drawn, view.find);
      const marked = selected(drawn, cells);
      return highlighted(marksWholeLine(state) ? markedLine(marked, cells) : marked, view.find);
    }),
    ...noteLines(open, cells),
  ];
}

// As far as there is room below the rows.
const noteLines = ({ files, viewer }: OpenTable, cells: number): readonly Line[] =>
  files.notes.length === 0 && files.sql === null
    ? []
    : [
        BLANK,
        ...files.notes.flatMap(note => wrapped(`note: ${note}`, cells, 'quiet')),
        ...(viewer.asked.question === null
          ? []
          : wrapped('y copies the SQL that was run; a: another range, or split by reason', cells, 'quiet')),
      ];

const NOT_THERE: Line = [span(safeText`  ...`, 'quiet')];

function drawHeading({ placed, hiddenLeft, hiddenRight }: PlacedColumns, { view }: OpenTable, room: number): Line {
  const { sort } = view.shown.look;
  const more = hiddenRight > 0 ? safeText` +${hiddenRight}>` : safeText``;
  const used = placed.reduce((sum, { cells }) => sum + 2 + cells, 0);
  // What is behind the edge is told in any case: the last title makes room for it.
  const tooWide = Math.max(0, used + more.length - room);
  const spans: Span[] = [];
  for (const [index, { column, title, cells: all, align }] of placed.entries()) {
    const cells = Math.max(0, index === placed.length - 1 ? all - tooWide : all);
    const mark = sort?.column === column.name ? (sort.isDescending ? safeText` v` : safeText` ^`) : safeText``;
    const gap = index === 1 && hiddenLeft > 0 ? safeText` <` : safeText`  `;
    const left = Math.max(0, cells - mark.length);
    const name = column.shape === 'id' ? truncateMiddle(title, left) : truncateEnd(title, left);
    spans.push(span(gap, 'quiet'), span(fitCells(safeText`${name}${mark}`, cells, align), 'quiet'));
  }
  return [...spans, span(more, 'quiet')];
}

function drawRow(row: ViewerRow, { placed }: PlacedColumns, directory: Directory): Line {
  const spans: Span[] = [span(safeText`  `)];
  for (const [index, { column, index: place, cells, align }] of placed.entries()) {
    const cell = row[place] ?? null;
    const text =
      column.shape === 'number' && cell !== null
        ? numberWithin(cell, cells, column)
        : cutTo(column, viewedText(column, cell, directory), cells);
    if (index > 0) spans.push(span(safeText`  `));
    spans.push(span(fitCells(text, cells, align), cell === null ? 'quiet' : 'plain'));
  }
  return spans;
}

// Of an id and of a name both ends are known again.
const cutTo = ({ shape, isAnswer = false }: ViewerColumn, text: SafeText, cells: number): SafeText =>
  shape === 'id' || (isAnswer && shape === 'text') ? truncateMiddle(text, cells) : truncateEnd(text, cells);

const selected = (drawn: Line, cells: number): Line => [
  span(safeText`> `, 'mark'),
  ...fillLine(drawn.slice(1), Math.max(0, cells - 3)),
  span(safeText`<`, 'mark'),
];

/** `1-18 of 12 000 000`. */
export function viewedPlace(state: SessionState): string {
  const open = openTableOf(state.viewer);
  if (open === undefined) return '';
  const { over, shown, top } = open.view;
  if (over !== null) return countedPlace(state, open);
  const last = Math.min(shown.count, top + viewerRows(state));
  return shown.count === 0 ? 'no rows' : `${countText(top + 1)}-${countText(last)} of ${countText(shown.count)}`;
}
