import { countText } from '../../../insight/count-of.ts';
import { loadedRows } from '../../../resources/list-page.ts';
import { resourceById } from '../../../resources/registry.ts';
import type { Resource } from '../../../resources/resource.ts';
import { rowsDrawn } from './list/table-lines.ts';
import { visibleRows } from './list/visible-rows.ts';
import { arrangementOf } from './list/whole.ts';
import type { ListContext } from './list-context.ts';
import { type Panes, panesOf } from './panes.ts';
import type { Browser, LoadedPage } from './state.ts';

/** What is loaded of the list, and which of it is drawn: `1-18 of 46`. */
export function listPlace(browser: Browser, context: ListContext): string {
  const resource = resourceById(browser.resource);
  const { page, loading } = browser;
  if (resource === undefined || page === null) return '';
  const { columns } = context.area;
  const list = { resource, browser, page };
  const isOnePage = isWhole(page) || page.whole !== undefined;
  const loaded = isOnePage ? wholeText(list, panesOf(browser, context), columns) : partText(list, columns);
  return `${loaded}${loading?.isSlow ? '  loading' : ''}`;
}

interface LoadedList {
  readonly resource: Resource;
  readonly browser: Browser;
  readonly page: LoadedPage;
}

/** Nothing of the list lies outside of the page, as far as the node says. */
const isWhole = ({ offset, hasNextPage, hasPreviousPage, flaws }: LoadedPage): boolean =>
  offset === 0 && !hasNextPage && !hasPreviousPage && flaws.length === 0;

/** `1-18 of 46`: the rows drawn, of all that there are; of one record its place. */
function wholeText(
  { resource, browser, page }: LoadedList,
  { tableColumns, tableRows }: Panes,
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
  const [from, to] = rowsDrawn(resource, browser, tableRows);
  return `${countText(from + 1)}-${countText(to)} ${among}`;
}

// On narrower screens the sentence about a sort would be cut.
const LONG_SENTENCES = 72;

/** `rows 51-100, more`: what lies between this page and the rows drawn is said here too, since the filter line may be full. */
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

/** How the place in a whole list goes on: `1-18` of how many, and what was sorted. Nothing is said of rows that were not loaded. */
function wholeListText(browser: Browser, page: LoadedPage, shown: number): string {
  const { find, sort } = arrangementOf(browser);
  const total = countText(loadedRows(page).length);
  const isWhole = page.flaws.length === 0;
  const found = find === '' ? `of ${total}` : `of ${countText(shown)} found among ${total}`;
  if (isWhole) return `${found}, whole list${sort === null ? '' : `  sorted: all ${total}`}`;
  return `${found}, not all of it${sort === null ? '' : `  sorted: these ${total} rows only`}`;
}
