import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { wrapWords } from '../../../base/text/width.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { type Filter, isFilterActive, unsetWord } from '../../../chain/resources/filter.ts';
import { loadedRows } from '../../../chain/resources/list-page.ts';
import { orderProblem } from '../../../chain/resources/page-request.ts';
import { searchLabel } from '../../../chain/resources/record-search.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import { marksWholeLine } from '../../core/appearance.ts';
import { filterValueText } from '../../core/filter-completions.ts';
import {
  BLANK,
  fillLine,
  fillRows,
  type Line,
  line,
  type ScreenRow,
  span,
  textLine,
  toScreenRows,
} from '../../core/line.ts';
import { fittingParts, type RuleParts, ruleTitle } from '../../core/rule.ts';
import { columnsRangeText } from '../../core/table.ts';
import { chainEndedAtMs } from '../../services/node/health.ts';
import { drawFilterBar } from './filters/filter-bar-view.ts';
import { drawOfferedValues } from './filters/offered-values.ts';
import { columnLayout } from './list/column-layout.ts';
import { drawTable, type ListFrame } from './list/table.ts';
import { drawnRowRange } from './list/table-lines.ts';
import { availableRows, selectedRow, visibleRows } from './list/visible-rows.ts';
import { arrangementOf } from './list/whole-list-state.ts';
import type { ListContext } from './list-context.ts';
import { focusedPane, type ListPanes, listPanes } from './panes.ts';
import { drawInspector } from './record/inspector-view.ts';
import { drawNoPreview, drawPreview } from './record/preview-view.ts';
import type { BrowseState, LoadedPage } from './state.ts';

/** The filter bar while it is edited, and below it the rows, with the record to their right or in their place. */
export function listBody(browser: BrowseState, context: ListContext): readonly ScreenRow[] {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return [];
  const { node, directory } = context.shared;
  const layout = listPanes(browser, context);
  // When it is covered, no text is typed into it. The lowest screens do not have room for all its lines.
  const bar = context.isOnTop ? drawFilterBar(browser, context).slice(0, context.area.rows) : [];
  const isWholeMarked = marksWholeLine(context.shared);
  const endedMs = chainEndedAtMs(context.shared);
  const room = { columns: context.area.columns, rows: layout.bodyRows };
  const offered = bar.length === 0 ? undefined : drawOfferedValues(browser, context.shared, room);
  if (offered !== undefined) return [...bar, ...toScreenRows(offered)];
  return [...bar, ...toScreenRows(drawPanes({ resource, browser, node, directory, layout, endedMs, isWholeMarked }))];
}

function drawPanes(list: ListFrame): readonly Line[] {
  const { resource, browser, directory, layout, isWholeMarked } = list;
  const { tableColumns, inspectorColumns } = layout;
  const record = browser.inspector ?? browser.preview;
  if (inspectorColumns === 0) return drawTable(list);
  if (record === null) return besideTable(list, drawNoPreview(list));
  const nowMs = list.endedMs ?? Math.max(list.node.nowMs, record.receivedAtMs);
  if (browser.inspector === null)
    return besideTable(list, browser.preview === null ? [] : drawPreview(list, browser.preview, nowMs));
  const isMarked = isWholeMarked && focusedPane(browser) === 'record';
  const drawn = drawInspector(resource, record, { layout, directory, nowMs, isWholeMarked: isMarked });
  return tableColumns === 0 ? drawn : besideTable(list, drawn);
}

function besideTable(list: ListFrame, inspector: readonly Line[]): readonly Line[] {
  const { tableColumns, inspectorColumns, bodyRows } = list.layout;
  const left = fillRows(drawTable(list), bodyRows);
  const right = fillRows(inspector, bodyRows);
  const rule = span(safeText`\u2502`, 'quiet');
  return left.map((row, index) => [
    ...fillLine(row, tableColumns),
    rule,
    ...fillLine(right[index] ?? BLANK, inspectorColumns),
  ]);
}

/** The description of the selected row; text without room for it is in the inspector. */
export function listFoot(browser: BrowseState, { area }: ListContext): readonly Line[] {
  const resource = resourceById(browser.resource);
  const { page, spokenOf } = browser;
  if (resource === undefined) return [];
  const row = spokenOf !== null && spokenOf.page === page ? spokenOf.row : selectedRow(resource, browser);
  if (row === undefined) return [];
  const about = resource.about?.(row) ?? resource.aboutAmong?.(row, page === null ? [row] : page.rows) ?? '';
  return wrapWords(sanitize(about), area.columns - 2).map(text => line(safeText` ${text}`));
}

/** How many rows there are in which order, the search, and the filters in force: nothing that narrows is hidden. */
export function listHead(browser: BrowseState, context: ListContext): RuleParts {
  const { shared, area } = context;
  const resource = resourceById(browser.resource);
  if (resource === undefined) return [];
  const { filters } = browser;
  const set = resource.filters.filter(({ name, unset }) => filters[name] !== undefined || unset !== undefined);
  const narrows = ({ name }: Filter): boolean =>
    isFilterActive(filters, name) && filters[name]?.join(' ') !== resource.usualFilters?.[name]?.join(' ');
  const [narrowing, usual] = [set.filter(narrows), set.filter(filter => !narrows(filter))];
  const partsOf = (shown: readonly Filter[]): RuleParts => shown.map(filter => filterPart(filter, browser, shared));
  const [chosen, short] = chosenOrder(resource, browser);
  const rowsIn = (order: string): Line => rowsPart(resource, browser, order);
  const full = rowsIn(chosen || usualOrder(resource, browser));
  const [withKey, columns, brief] = columnsParts(resource, browser, context);
  const rows = [full, rowsIn(chosen), rowsIn(short)];
  const counts: readonly (readonly Line[])[] = [
    ...[
      [full, withKey],
      [full, columns],
      [rowsIn(chosen), columns],
      [full, brief],
      [rowsIn(chosen), brief],
    ],
    ...rows.map(part => [part]),
  ];
  const found = searchPart(browser);
  // The usual order, hidden columns, which the heads mark, the usual filters, and the title, which is that of the tab, go
  // before anything is cut.
  const ways = [[...narrowing, ...usual], narrowing].flatMap(shown =>
    counts.map(([count = [], ...hidden]) => [
      ...[ruleTitle(resource.title), count, ...found, ...partsOf(shown)],
      ...hidden,
    ]),
  );
  const untitled = [rowsIn(short), ...found, ...partsOf(narrowing)];
  return fittingParts([...ways, [...untitled, brief], untitled], area.columns);
}

function filterPart(
  filter: Filter,
  browser: BrowseState,
  { directory }: Pick<ListContext['shared'], 'directory'>,
): Line {
  const values = browser.filters[filter.name] ?? [];
  const [first, ...others] = values;
  // Of several values only the first is shown, so that the text behind it stays on the line.
  const shown = first === undefined ? unsetWord(filter, browser.filters) : filterValueText(directory, filter, first);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    span(sanitize(`${filter.title}${filter.words === undefined ? '' : ':'} `), 'quiet'),
    span(sanitize(`${shown}${more}`), first === undefined ? 'quiet' : 'accent'),
  ];
}

/** `40 rows`; of a page that is not all of the list, that these are loaded. */
function rowCountPart(resource: Resource, browser: BrowseState): Line {
  if (browser.page === null || browser.failure !== null) return [];
  const { rows, loaded, isWhole } = availableRows(resource, browser);
  const found = arrangementOf(browser).find === '' ? '' : `${countText(rows.length)} of `;
  return textLine(`${found}${countOf(loaded, 'row')}${isWhole ? '' : ' loaded'}`);
}

/** The same with their order. */
function rowsPart(resource: Resource, browser: BrowseState, order: string): Line {
  const rows = rowCountPart(resource, browser);
  if (order === '') return rows;
  const isUsual = order === usualOrder(resource, browser);
  return [...rows, span(sanitize(`${rows.length === 0 ? '' : ', '}${order}`), isUsual ? 'quiet' : 'accent')];
}

/** Which columns are shown, where some are hidden: with the key that leads to them, without, and in brief. */
function columnsParts(resource: Resource, browser: BrowseState, context: ListContext): readonly [Line, Line, Line] {
  const { page, failure } = browser;
  const { tableColumns } = listPanes(browser, context);
  if (page === null || failure !== null || tableColumns === 0) return [[], [], []];
  const layout = columnLayout(resource, browser, page, tableColumns);
  const text = columnsRangeText(layout);
  if (text === '') return [[], [], []];
  const key = layout.hiddenRight > 0 ? 'right' : 'left';
  return [
    textLine(`${text} (${key} arrow: more)`, 'quiet'),
    textLine(text, 'quiet'),
    textLine(columnsRangeText(layout, true), 'quiet'),
  ];
}

/** The order that was asked for, and the same in fewer words; '' for the usual one. */
function chosenOrder(resource: Resource, browser: BrowseState): readonly [string, string] {
  const { sort } = arrangementOf(browser);
  if (sort === null) return browser.newestFirst ? ['', ''] : ['oldest first', 'oldest first'];
  const sorted = `sorted by ${sortColumnTitle(resource, sort.column)}`;
  return [`${sorted}${sort.isDescending ? ', largest first' : ''}`, sorted];
}

const usualOrder = (resource: Resource, { filters }: BrowseState): string =>
  orderProblem(resource, filters) === undefined ? 'newest first' : '';

/** The search text, and whether the list is watched. */
function searchPart(browser: BrowseState): RuleParts {
  const { find } = arrangementOf(browser);
  const { watchS } = browser;
  const texts = [
    find === '' ? '' : searchLabel(find, MAX_FIND_CELLS),
    watchS === 0 ? '' : `watching, every ${watchS} s`,
  ];
  return texts.map(text => textLine(text, 'accent'));
}

/** As the head of the column has it. */
const sortColumnTitle = ({ columns }: Resource, id: string): string =>
  columns.find(column => column.id === id)?.title.toLowerCase() ?? id;

const MAX_FIND_CELLS = 20;

/** Which rows are drawn, and how many are loaded: `1-18 of 46`. */
export function listPosition(browser: BrowseState, context: ListContext): string {
  const resource = resourceById(browser.resource);
  const { page, loading } = browser;
  if (resource === undefined || page === null) return '';
  const { columns } = context.area;
  const list = { resource, browser, page };
  const isOnePage = isWhole(page) || page.whole !== undefined;
  const loaded = isOnePage ? wholeText(list, listPanes(browser, context), columns) : partText(list, columns);
  return `${loaded}${loading?.isSlow ? '  loading' : ''}`;
}

interface LoadedList {
  readonly resource: Resource;
  readonly browser: BrowseState;
  readonly page: LoadedPage;
}

/** The page is all of the list, according to the node. */
const isWhole = ({ offset, hasNextPage, hasPreviousPage, flaws }: LoadedPage): boolean =>
  offset === 0 && !hasNextPage && !hasPreviousPage && flaws.length === 0;

/** `1-18 of 46`: the rows drawn, of all that there are; of one record its place. */
function wholeText(
  { resource, browser, page }: LoadedList,
  { tableColumns, tableRows }: ListPanes,
  columns: number,
): string {
  const { view, inspector } = browser;
  const { find, sort } = arrangementOf(browser);
  const count = visibleRows(resource, browser).length;
  const total = countText(loadedRows(page).length);
  const sorted = sort === null ? '' : ', sorted';
  if (count === 0) return `${find === '' ? 'no rows' : `none found among ${total}`}${sorted}`;
  const isLong = page.whole !== undefined && columns >= LONG_SENTENCES;
  const among = isLong
    ? wholeListText(browser, page, count)
    : `${find === '' ? `of ${total}` : `of ${countText(count)} found among ${total}`}${sorted}`;
  if (inspector !== null && tableColumns === 0) return `${view.row + 1} ${among}`;
  const [from, to] = drawnRowRange(resource, browser, tableRows);
  return `${countText(from + 1)}-${countText(to)} ${among}`;
}

// On narrower screens the sentence about a sort would be cut.
const LONG_SENTENCES = 72;

/**
 * `rows 51-100, more`: the range between this page and the drawn rows is shown here too, since the filter line may be
 * full.
 */
function partText({ resource, browser, page }: LoadedList, columns: number): string {
  const count = page.rows.length;
  const rows =
    count === 0
      ? 'no rows'
      : page.offset !== null
        ? `rows ${page.offset + 1}-${page.offset + count}`
        : `${page.request.position.kind === 'last' ? 'last ' : ''}${count} rows`;
  const more = page.hasNextPage ? ', more' : '';
  const matches = visibleRows(resource, browser).length;
  const found = browser.find === '' ? '' : `, ${matches} found`;
  if (browser.sort === null) return `${rows}${more}${found === '' ? '' : `, ${matches} of ${count} found`}`;
  const isNarrow = columns < LONG_SENTENCES;
  return isNarrow
    ? `${rows}${more}, sorted${found}`
    : `${rows}${more}${found}  sorted: these ${count} rows only (S sorts all)`;
}

/**
 * The rest of the position text in a whole list: `1-18`, of how many, and the rows sorted. It covers only loaded rows.
 */
function wholeListText(browser: BrowseState, page: LoadedPage, shown: number): string {
  const { find, sort } = arrangementOf(browser);
  const total = countText(loadedRows(page).length);
  const isWhole = page.flaws.length === 0;
  const found = find === '' ? `of ${total}` : `of ${countText(shown)} found among ${total}`;
  if (isWhole) return `${found}, whole list${sort === null ? '' : `  sorted: all ${total}`}`;
  return `${found}, not all of it${sort === null ? '' : `  sorted: these ${total} rows only`}`;
}
