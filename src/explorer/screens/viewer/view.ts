import type { ViewerRow, ViewerTable } from '../../../answers/index.ts';
import { formatByteCount } from '../../../base/text/byte-count.ts';
import { EMPTY, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells, wrapWords } from '../../../base/text/width.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { marksWholeLine, selectedBar, selectedEdges } from '../../core/appearance.ts';
import {
  BLANK,
  highlighted,
  type Line,
  line,
  type ScreenRow,
  type Span,
  type Style,
  span,
  textLine,
  toScreenRows,
} from '../../core/line.ts';
import { linesRangeText } from '../../core/list.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { headGap, scrolledHead, sortMark } from '../../core/table.ts';
import type { Wait } from '../../services/wait.ts';
import { fitCell, fitTitle } from './cells.ts';
import { type PlacedColumns, placedColumns } from './columns.ts';
import { hasNothingBehind } from './go-back.ts';
import { currentRowFormat, type RowFormat } from './row-format.ts';
import {
  type OpenTable,
  openTableOf,
  rowAt,
  runningRequestId,
  type Viewer,
  type ViewerFiles,
  viewerRows,
  waitedSeconds,
} from './state.ts';

/** The table, or the state shown instead. */
export function drawViewer(viewer: Viewer, context: ScreenContext): readonly ScreenRow[] {
  return toScreenRows(viewerBody(viewer, context));
}

function viewerBody(viewer: Viewer, context: ScreenContext): readonly Line[] {
  const { files, opening } = viewer;
  const { columns } = context.area;
  switch (files.status) {
    case 'opening':
      return [BLANK, textLine(`  ${openingText(files.progress, opening.question !== null)}  Esc stops`, 'quiet')];
    case 'failed':
      return [
        BLANK,
        ...wrapped(files.problem, columns, 'bad'),
        ...(files.hint === '' ? [] : wrapped(files.hint, columns, 'plain')),
        BLANK,
        textLine(`  r opens it again, Esc ${hasNothingBehind(viewer, context) ? 'ends' : 'goes back'}`, 'quiet'),
      ];
    case 'open': {
      const known = openTableOf(viewer);
      return known === undefined ? [] : drawTable(known, context);
    }
  }
}

const wrapped = (text: string, columns: number, style: Style): readonly Line[] =>
  wrapWords(sanitize(text), columns - 4).map(words => line(safeText`  ${words}`, style));

type Progress = Extract<ViewerFiles, { readonly status: 'opening' }>['progress'];

function openingText(progress: Progress, isAnswer: boolean): string {
  // Once there are tables, an answer is still to be worked out.
  if (isAnswer && (progress === null || progress.bytes === progress.totalBytes)) return 'answering ...';
  if (progress === null) return 'opening ...';
  const { bytes, totalBytes, rows } = progress;
  const of = totalBytes === null ? '' : ` of ${formatByteCount(totalBytes)}`;
  return `building the table: ${formatByteCount(bytes)}${of}, ${countOf(rows, 'row')} ...`;
}

function drawTable(open: OpenTable, context: ScreenContext): readonly Line[] {
  const { view, viewer } = open;
  const { shared, area } = context;
  const cells = area.columns;
  const rowFormat = currentRowFormat(open, shared);
  const columns = placedColumns(open, rowFormat, cells);
  const heading = scrolledHead(drawHeading(columns, { open, rowFormat }), columns, cells);
  if (view.problem !== null)
    return [
      heading,
      BLANK,
      ...wrapped(`the rows can no longer be read: ${view.problem}`, cells, 'bad'),
      textLine(`  r opens the file again, Esc ${hasNothingBehind(viewer, context) ? 'ends' : 'closes it'}`, 'quiet'),
    ];
  if (view.shown.count === 0) {
    const isNarrowed = view.shown.look.filters.length > 0;
    const nothing =
      viewer.opening.question === null ? 'the table has no rows' : 'no rows; the notes show the searched range';
    return [
      heading,
      BLANK,
      textLine(`  ${isNarrowed ? 'no row has these values' : nothing}`, 'strong'),
      ...(isNarrowed ? [textLine('  x shows all rows again', 'quiet')] : []),
      ...noteLines(open, cells),
    ];
  }
  const height = Math.min(viewerRows(area), view.shown.count - view.top);
  return [
    heading,
    ...Array.from({ length: height }, (_, index) => {
      const place = view.top + index;
      const row = rowAt(view, place);
      const drawn = row === undefined ? ROW_NOT_LOADED : drawRow(row, columns, { table: open.table, rowFormat });
      if (place !== view.row) return highlighted(drawn, view.find);
      return highlighted(marksWholeLine(shared) ? selectedBar(drawn, cells) : selectedEdges(drawn, cells), view.find);
    }),
    ...noteLines(open, cells),
  ];
}

// Only if there is room below the rows.
const noteLines = ({ tables, viewer }: OpenTable, cells: number): readonly Line[] =>
  tables.notes.length === 0 && tables.sql === null
    ? []
    : [
        BLANK,
        ...tables.notes.flatMap(note => wrapped(`note: ${note}`, cells, 'quiet')),
        ...(viewer.opening.question === null
          ? []
          : wrapped('y copies the SQL that was run; a: another range, or split by reason', cells, 'quiet')),
      ];

const ROW_NOT_LOADED: Line = [span(safeText`  ...`, 'quiet')];

interface Heading {
  readonly open: OpenTable;
  readonly rowFormat: RowFormat;
}

function drawHeading(columns: PlacedColumns, { open, rowFormat }: Heading): Line {
  const { sort } = open.view.shown.look;
  const spans: Span[] = [span(safeText`  `)];
  for (const [at, { column, index, cells, align }] of columns.placed.entries()) {
    const mark = sort?.column === column.name ? safeText` ${sortMark(sort.isDescending)}` : EMPTY;
    const name = fitTitle({ column, index }, rowFormat, Math.max(0, cells - mark.length));
    if (at > 0) spans.push(span(headGap(at - 1, columns)));
    spans.push(span(fitCells(safeText`${name}${mark}`, cells, align), 'quiet'));
  }
  return spans;
}

interface DrawnTable {
  readonly table: ViewerTable;
  readonly rowFormat: RowFormat;
}

function drawRow(row: ViewerRow, { placed }: PlacedColumns, { table, rowFormat }: DrawnTable): Line {
  const spans: Span[] = [span(safeText`  `)];
  for (const [index, { index: place, cells, align }] of placed.entries()) {
    const text = fitCell({ table: table.name, columns: table.columns, row, index: place }, rowFormat, cells);
    if (index > 0) spans.push(span(safeText`  `));
    spans.push(span(fitCells(text, cells, align), (row[place] ?? null) === null ? 'quiet' : 'plain'));
  }
  return spans;
}

/** `1-18 of 12 000 000`. */
export function viewerPosition(viewer: Viewer, context: ScreenContext): string {
  const known = openTableOf(viewer);
  if (known === undefined) return '';
  const { shown, top } = known.view;
  return shown.count === 0 ? 'no rows' : linesRangeText({ top }, shown.count, viewerRows(context.area));
}

/** What takes long: the files, or a request to them. */
export function viewerWait(viewer: Viewer, context: ScreenContext): Wait | undefined {
  const { files, opening, attempt } = viewer;
  if (files.status === 'opening') {
    const text = openingText(files.progress, opening.question !== null).replace(' ...', '');
    return { key: `files ${attempt}`, text, hint: 'Esc stops' };
  }
  const known = openTableOf(viewer);
  const id = known && runningRequestId(known.view);
  const [text = '', hint] = viewerProgress(viewer, context)?.split(' ...  ') ?? [];
  return id === undefined || text === ''
    ? undefined
    : { key: `viewer ${id}`, text, isTimed: true, ...(hint !== undefined && { hint }) };
}

/** What runs, for how long, how far it is if that is known, and what ends it; undefined while nothing runs. */
export function viewerProgress(viewer: Viewer, { area }: ScreenContext): string | undefined {
  const known = openTableOf(viewer);
  if (known === undefined) return undefined;
  const seconds = waitedSeconds(known.view);
  const waited = seconds === 0 ? '' : `, ${countText(seconds)} s`;
  const ways = runningWorkTexts(known)?.map(work => `${work}${waited} ...  Esc stops`);
  const room = area.columns - 2;
  return ways?.find(way => widthCells(sanitize(way)) <= room) ?? ways?.at(-1);
}

/** The work in words, the longest text first. */
function runningWorkTexts({ view, table }: OpenTable): readonly string[] | undefined {
  const { arranging, finding, find } = view;
  if (finding !== null) {
    // Rows that the filters leave out are counted too.
    const percent = `${Math.floor((100 * finding.done) / Math.max(1, table.rows))} %`;
    const text = truncateMiddle(sanitize(find), MAX_FIND_CELLS);
    return [
      `finding "${text}": ${countText(finding.done)} of ${countOf(table.rows, 'row')}`,
      `finding "${text}": ${percent}`,
      `finding: ${percent}`,
    ];
  }
  if (arranging === null) return undefined;
  const { sort } = arranging.look;
  return sort === null ? ['looking for the rows', 'looking'] : [`sorting by ${sort.column}`, 'sorting'];
}

const MAX_FIND_CELLS = 20;
