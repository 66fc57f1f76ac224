import { EMPTY, type SafeText, safeText, sanitize, sliceSafe } from '../../../../base/text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells } from '../../../../base/text/width.ts';
import type { Directory } from '../../../../chain/directory/directory.ts';
import { countText } from '../../../../chain/insight/count-of.ts';
import { kindFormat, valueTone } from '../../../../chain/insight/kind.ts';
import { cachedColumnForm, cellText, cellValue } from '../../../../chain/resources/cell-text.ts';
import { isSuperseded } from '../../../../chain/resources/columns.ts';
import { lengthWarnings } from '../../../../chain/resources/filter.ts';
import { loadedRows, nearbyRows } from '../../../../chain/resources/list-page.ts';
import { FIND_MINE, readSearch, searchLabel } from '../../../../chain/resources/record-search.ts';
import type { Column, Resource, Row } from '../../../../chain/resources/resource.ts';
import { selectedBar, selectedEdges } from '../../../core/appearance.ts';
import { drawFailure } from '../../../core/failure-view.ts';
import { BLANK, highlighted, type Line, line, type Span, type Style, span, textLine } from '../../../core/line.ts';
import { headGap, scrolledHead, sortMark } from '../../../core/table.ts';
import type { NodeState } from '../../../services/node/node.ts';
import { differsFromUsualFilters } from '../filters/filter-bar.ts';
import { focusedPane, type ListPanes } from '../panes.ts';
import type { BrowseState, LoadedPage } from '../state.ts';
import { isAge } from './ages.ts';
import { changesOfPage } from './changes.ts';
import { type ColumnLayout, columnLayout, descriptorColumnId, type FittedColumn } from './column-layout.ts';
import { pageMoveProblem } from './pager.ts';
import type { Changes } from './row-changes.ts';
import { shareBar } from './share-bars.ts';
import { type GroupedLines, groupedLines } from './table-lines.ts';
import { visibleRows } from './visible-rows.ts';
import { arrangementOf } from './whole-list-state.ts';

/** What a list is drawn from, and where. */
export interface ListFrame {
  readonly resource: Resource;
  readonly browser: BrowseState;
  readonly node: NodeState;
  readonly directory: Directory;
  readonly layout: ListPanes;
  /** When the chain of an archive ended. */
  readonly endedMs: number | undefined;
  /** The selected row is drawn marked as a whole. */
  readonly isWholeMarked: boolean;
}

/** Heading and rows of the list, or the state it is in instead. */
export function drawTable(list: ListFrame): readonly Line[] {
  const { resource, browser, node, directory, layout, isWholeMarked, endedMs } = list;
  const { tableColumns: cells, tableRows } = layout;
  if (browser.failure !== null) {
    const keys = { hasRowsBehind: browser.page !== null, isList: browser.inspector === null };
    return drawFailure(browser.failure, node, cells, keys);
  }
  if (browser.page === null) return drawWaiting(node, browser, cells);
  const rows = visibleRows(resource, browser);
  const columns = columnLayout(resource, browser, browser.page, cells);
  const groups = groupedLines(resource, browser);
  const { page } = browser;
  const changes = changesOfPage(browser.changes, page);
  const { find } = arrangementOf(browser);
  const nowMs = endedMs ?? Math.max(node.nowMs, page.receivedAtMs);
  const named = { page, directory, changes, find, nowMs, group: groupTitleAbove(resource, groups, browser.view.top) };
  const heading = scrolledHead(drawHeading(columns, browser, named), columns, cells);
  if (rows.length === 0) return [heading, BLANK, ...emptyLines(list, browser.page)];
  const { top, row: selected } = browser.view;
  // Old rows stay while others are on their way, but do not pass for the new ones.
  const isStale = browser.loading?.isSlow === true && browser.loading.move !== 'reload';
  const rowLine = (row: Row, index: number): Line => {
    const line = isStale ? drawRow(columns.fitted, row, named, true) : plainRow(columns, row, named);
    if (index !== selected) return line;
    if (isStale || focusedPane(browser) !== 'list') return selectedEdges(line, cells, 'quiet');
    return isWholeMarked ? selectedBar(line, cells) : selectedEdges(line, cells);
  };
  const body =
    groups === undefined
      ? rows.slice(top, top + tableRows).map((row, index) => rowLine(row, top + index))
      : groups.lines
          .slice(top, top + tableRows)
          .map(item => (item.kind === 'row' ? rowLine(item.row, item.index) : groupHeading(item.title)));
  return [heading, ...body];
}

const groupHeading = (title: string): Line => textLine(`  ${title}`, 'strong');

/** The group of the rows on top whose heading has no line of its own there. */
function groupTitleAbove({ groupOf }: Resource, groups: GroupedLines | undefined, top: number): string {
  const first = groups?.lines[top];
  return first?.kind === 'row' ? (groupOf?.(first.row).title ?? '') : '';
}

/** What rows are drawn from: the page, and the names of now. */
interface RowsToDraw {
  readonly page: LoadedPage;
  readonly directory: Directory;
  readonly changes: Changes | null;
  /** The search text: it stands out in the cells. */
  readonly find: string;
  /** The time that ages count from. */
  readonly nowMs: number;
}

function drawHeading(
  layout: ColumnLayout,
  browser: BrowseState,
  { group, ...named }: RowsToDraw & { readonly group: string },
): Line {
  const { sort } = arrangementOf(browser);
  const spans: Span[] = [span(safeText`  `)];
  for (const [index, { column, cells }] of layout.fitted.entries()) {
    const mark = sort?.column === column.id ? safeText` ${sortMark(sort.isDescending)}` : EMPTY;
    const title = safeText`${fittedTitle(column, cells - mark.length, named)}${mark}`;
    if (index > 0) spans.push(span(headGap(index - 1, layout)));
    const isMarked = browser.cellColumn !== null && descriptorColumnId(column.id) === browser.cellColumn;
    if (isMarked) spans.push(span(fitCells(title, cells, kindFormat(column.kind).align), 'mark'));
    else if (index === 0 && group !== '')
      spans.push(span(fitCells(truncateMiddle(sanitize(group), cells), cells), 'strong'));
    else spans.push(span(fitCells(title, cells, kindFormat(column.kind).align), 'quiet'));
  }
  return spans;
}

// The longest that fits; where none does, the shortest is cut.
function fittedTitle(column: Column, cells: number, { page, directory }: RowsToDraw): SafeText {
  const { titles } = cachedColumnForm(column, page, directory);
  return titles.find(title => widthCells(title) <= cells) ?? titles.at(-1) ?? titles[0];
}

interface PlainRows extends Pick<RowsToDraw, 'directory' | 'changes' | 'find' | 'nowMs'> {
  readonly lines: WeakMap<Row, Line>;
}

const plainRows = new WeakMap<ColumnLayout, PlainRows>();

/** An unselected row: the line of the frame before is used again. */
function plainRow(layout: ColumnLayout, row: Row, named: RowsToDraw): Line {
  const { directory, changes, find } = named;
  const nowMs = layout.fitted.some(({ column }) => isAge(column)) ? named.nowMs : 0;
  const cached = plainRows.get(layout);
  const isSame =
    cached?.directory === directory && cached.changes === changes && cached.find === find && cached.nowMs === nowMs;
  const { lines } = isSame ? cached : { lines: new WeakMap<Row, Line>() };
  if (!isSame) plainRows.set(layout, { directory, changes, find, nowMs, lines });
  const known = lines.get(row);
  if (known !== undefined) return known;
  const drawn = drawRow(layout.fitted, row, named, false);
  const line = highlighted(changes === null ? drawn : withChangeMarks(drawn, layout.fitted, changes, row), find);
  lines.set(row, line);
  return line;
}

function drawRow(
  fitted: readonly FittedColumn[],
  row: Row,
  { page, directory, nowMs }: RowsToDraw,
  isStale: boolean,
): Line {
  const spans: Span[] = [span(safeText`  `)];
  // Historical rows are quiet, whatever their state was.
  const isQuiet =
    isStale ||
    isSuperseded(
      fitted.map(({ column }) => column),
      row,
      nearbyRows(page, row),
    );
  for (const [index, { column, cells: room, bar }] of fitted.entries()) {
    const { align, cut } = kindFormat(column.kind);
    const cells = room - (bar?.cells ?? 0);
    if (bar !== undefined) {
      // The cell behind a gap has an odd place, which marks of changes go by.
      const gap = spans.pop()?.text ?? EMPTY;
      spans.push(
        span(safeText`${gap}${shareBar(cellValue(column, row, page), bar.largest)}`, isQuiet ? 'quiet' : 'accent'),
      );
    }
    const text = cellText(column, row, page, directory, { nowMs, cells });
    const shown = isAge(column) ? fitAge(text, cells) : cut === 'middle' ? shortenMiddle(text, cells) : text;
    spans.push(span(fitCells(shown, cells, align), isQuiet ? 'quiet' : cellStyle(column, row, page)));
    if (index < fitted.length - 1) spans.push(span(safeText`  `));
  }
  return spans;
}

// A column is as wide as its ages were when they came, and stays so while they grow.
const fitAge = (text: SafeText, cells: number): SafeText =>
  widthCells(text) > cells && text.endsWith(AGO) ? sliceSafe(text, 0, text.length - AGO.length) : text;

const AGO = ' ago';

// The first digits of an id identify it better than a few digits from both ends.
const shortenMiddle = (text: SafeText, cells: number): SafeText =>
  cells < BOTH_ENDS && LONG_ID.test(text) ? sliceSafe(text, 0, cells) : truncateMiddle(text, cells);

const BOTH_ENDS = 8;
const LONG_ID = /^(?:0x)?[0-9a-zA-Z]{32,}$/;

export const cellStyle = (column: Column, row: Row, page: LoadedPage): Style =>
  column.tone?.(row) ?? valueTone(column.kind, cellValue(column, row, page)) ?? 'plain';

function drawWaiting(node: NodeState, browser: BrowseState, cells: number): readonly Line[] {
  if (node.status === 'failed') return drawFailure(node.failure, node, cells, { isList: true });
  if (node.status === 'starting')
    return [BLANK, textLine(node.label === 'demo' ? '  starting the embedded node ...' : '  connecting ...', 'quiet')];
  if (browser.demand !== null && browser.filterBar !== null) return []; // The open filter bar shows this message.
  if (browser.demand !== null)
    return [
      BLANK,
      textLine(`  ${browser.demand}`, 'strong'),
      textLine('  f opens the filter bar; its arrows offer known values', 'quiet'),
    ];
  if (browser.loading !== null)
    return [
      BLANK,
      textLine(browser.loading.isSlow ? '  waiting for the node ...  Esc stops waiting' : '  loading ...', 'quiet'),
    ];
  return [BLANK, textLine('  nothing is loaded: r loads', 'quiet')];
}

const MAX_FIND_CELLS = 20;

function emptyLines({ resource, browser, endedMs }: ListFrame, page: LoadedPage): readonly Line[] {
  const { find } = arrangementOf(browser);
  if (find !== '') {
    const hasNext = page.whole === undefined && pageMoveProblem(resource, browser, 'next') === undefined;
    const what =
      readSearch(find).values.length > 0
        ? `has ${searchLabel(find, MAX_FIND_CELLS)}`
        : find === FIND_MINE
          ? 'has something of yours'
          : `holds "${find}" in any value`;
    return [
      textLine(`  none of ${countText(loadedRows(page).length)} loaded ${what}`, 'strong'),
      textLine(`  Esc clears the search${hasNext ? '; ] looks at the next page' : ''}`, 'quiet'),
    ];
  }
  if (page.flaws.length > 0) return page.flaws.map(flaw => textLine(`  ${flaw}`, 'bad'));
  if (page.hasNextPage) return [line(safeText`  no rows on this page; the node reports more`, 'strong')];
  if (page.hasPreviousPage) return [line(safeText`  no more rows`, 'strong'), line(safeText`  p goes back`, 'quiet')];
  if (Object.keys(browser.filters).length > 0) {
    return [
      textLine(`  no ${resource.singular} matches the filters`, 'strong'),
      ...lengthWarnings(resource.filters, page.request.filters).map(odd => textLine(`  ${odd}`, 'pending')),
      ...(resource.caveats?.(page.request.filters) ?? []).map(caveat => textLine(`  ${caveat}`, 'quiet')),
      textLine(
        differsFromUsualFilters(resource, page.request.filters)
          ? '  x clears them, f changes them'
          : '  f changes them',
        'quiet',
      ),
    ];
  }
  const none = textLine(`  the node has no ${resource.singular}`, 'strong');
  return endedMs === undefined ? [none, line(safeText`  r asks again`, 'quiet')] : [none];
}

/**
 * The line of a row with a mark at each cell that has changed, or one in front of a row that is new or has changed where
 * no column is shown. `line` is the gutter and then the cells, with a gap of two between them.
 */
function withChangeMarks(line: Line, fitted: readonly FittedColumn[], changes: Changes, row: Row): Line {
  if (changes.added.has(row)) return markInGutter(line, safeText` +`);
  const values = changes.changed.get(row)?.values;
  if (values === undefined) return line;
  const isChanged = fitted.map(({ column }) => values.has(descriptorColumnId(column.id)));
  if (!isChanged.includes(true)) return markInGutter(line, safeText` ~`);
  return line.flatMap((part, place): Line => {
    // Gaps have even places, and the cell behind each the odd one that follows.
    const cell = place % 2 === 0 ? line[place + 1] : part;
    if (cell === undefined || isChanged[Math.floor(place / 2)] !== true) return [part];
    const room = leadingBlanks(cell.text);
    if (place % 2 === 0) return [room === 0 ? span(safeText`${sliceSafe(part.text, 0, -1)}*`, 'accent') : part];
    const text = span(sliceSafe(cell.text, room), cell.style === 'plain' ? 'strong' : cell.style);
    return room === 0 ? [text] : [span(sliceSafe(cell.text, 1, room)), span(safeText`*`, 'accent'), text];
  });
}

const markInGutter = ([, ...cells]: Line, mark: SafeText): Line => [span(mark, 'accent'), ...cells];

const leadingBlanks = (text: SafeText): number => (text.trim() === '' ? 0 : text.length - text.trimStart().length);
