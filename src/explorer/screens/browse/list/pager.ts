import { RefusedError } from '../../../../chain/api/errors.ts';
import { positionAfter, positionBefore, SeenPages } from '../../../../chain/resources/page-overlap.ts';
import { orderProblem, type PageRequest } from '../../../../chain/resources/page-request.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Resource, RowPage } from '../../../../chain/resources/resource.ts';
import type { Effect } from '../../../core/runner.ts';
import { toScreenFailure } from '../../../services/failure.ts';
import type { ListAnswer } from '../events.ts';
import { type ListContext, type ListStep, noticeAction } from '../list-context.ts';
import type { BrowseState, ListWindow, LoadedPage, PageMove, PendingPage } from '../state.ts';
import { visibleRows } from './visible-rows.ts';
import { toPagedList } from './whole-list-state.ts';

const TOP_VIEW: ListWindow = { row: 0, top: 0, left: 0 };

/** Rows from the end of a page at which the next one is fetched ahead. */
const NEAR_END_ROWS = 15;

/** Pages kept in memory behind the current one; older ones are asked for again. */
const MAX_ROWS_BEHIND = 25_000;

/** Why a move cannot be made now; undefined when it can. */
export function pageMoveProblem(resource: Resource, from: BrowseState, move: PageMove): string | undefined {
  const browser = toPagedList(from);
  const { page, loading } = browser;
  if (move === 'first' || move === 'reload') return undefined;
  if (move === 'last') {
    if (resource.paging.byCursor !== true) return resource.paging.byCursor;
    return resource.paging.backward === true ? undefined : resource.paging.backward;
  }
  if (page === null) return 'no page is loaded yet';
  if (loading !== null && loading.move !== 'reload') return 'a page is loading';
  return move === 'next' ? nextProblem(resource, page) : previousProblem(resource, browser, page);
}

function nextProblem(resource: Resource, page: LoadedPage): string | undefined {
  if (!page.hasNextPage) return page.flaws[0] ?? 'this is the last page';
  if (resource.paging.byCursor !== true) return resource.paging.byCursor;
  return page.endCursor === '' ? 'the node sent no cursor for the next page' : undefined;
}

function previousProblem(resource: Resource, browser: BrowseState, page: LoadedPage): string | undefined {
  if (browser.behind.length > 0) return undefined;
  if (page.request.position.kind === 'first' || !page.hasPreviousPage) return 'this is the first page';
  if (resource.paging.backward !== true) return resource.paging.backward;
  return page.startCursor === '' ? 'the node sent no cursor for the previous page' : undefined;
}

/** The list with the filters, order and size of the rows on the screen, even if a request for others failed. */
export function withLoadedQuery(browser: BrowseState): BrowseState {
  if (browser.page === null) return browser;
  const { filters, newestFirst, size } = browser.page.request;
  return { ...browser, filters, newestFirst, pageSize: size };
}

/** A change that asks for something, under an id that this list has given to no other request. */
export function withNewRequest(
  browser: BrowseState,
  change: (browser: BrowseState, requestId: number) => BrowseState,
): BrowseState {
  const id = browser.lastRequestId + 1;
  const changed = change(browser, id);
  return changed === browser ? browser : { ...changed, lastRequestId: id };
}

/** Moves to a page: from memory if it is loaded, otherwise by a request. A whole list returns to its pages. */
export function moveToPage(whole: BrowseState, to: PageMove): BrowseState {
  const from = toPagedList(whole);
  // The adjacent page belongs to the same list: a cursor is meaningless in another.
  const browser = to === 'next' || to === 'previous' ? withLoadedQuery(from) : from;
  const { page, behind, ahead } = browser;
  const before = behind.at(-1);
  if (to === 'reload' && page !== null && !isPageCurrent(browser, page)) return restartList(browser);
  if (to === 'next' && page !== null && ahead !== null) return goForward(browser, page, ahead);
  if (to === 'previous' && page !== null && before !== undefined) return goBack(browser, page, before);
  // A prefetch of the very page is taken over: asking twice would cost the wait again.
  const fetched = browser.prefetching;
  if (to === 'next' && fetched !== null)
    return { ...browser, prefetching: null, loading: { ...fetched, move: 'next' }, failure: null };
  const loading = newRequest(browser, to);
  const { requestId: lastRequestId } = loading;
  return { ...browser, lastRequestId, loading, prefetching: null, failure: null, demand: null };
}

const newRequest = (browser: BrowseState, to: PageMove): PendingPage => ({
  requestId: browser.lastRequestId + 1,
  request: pageRequestFor(browser, to),
  move: to,
  isSlow: false,
});

/** Starts the list over, with other filters, order or size; the old rows stay until the answer comes. */
export function restartList(browser: BrowseState): BrowseState {
  return moveToPage({ ...toPagedList(browser), behind: [], ahead: null }, 'first');
}

/** Fetches the pages that are asked for. */
export const pageEffects = ({ resource: id, loading, prefetching }: BrowseState): readonly Effect<ListAnswer>[] => {
  const resource = resourceById(id);
  if (resource === undefined) return [];
  return [loading, prefetching].flatMap(pending => (pending === null ? [] : [pageEffect(resource, pending)]));
};

const pageEffect = (resource: Resource, { requestId, request }: PendingPage): Effect<ListAnswer> => ({
  key: `page ${requestId}`,
  run: async (world, signal) => {
    const { page, facts, size, note } = await world.node().page(resource, request, signal);
    const noted = note !== undefined && { note };
    return [{ type: 'page-arrived', requestId, page, size, ...noted, facts, atMs: world.nowMs() }];
  },
  failed: (error, atMs) => {
    const demand = error instanceof RefusedError ? resource.demandsFilters?.(error.fault) : undefined;
    return [{ type: 'page-failed', requestId, failure: toScreenFailure(error), demand: demand ?? null, atMs }];
  },
});

/** Shows the page that was asked for. */
export function receivePage(
  browser: BrowseState,
  requestId: number,
  { page, size }: { readonly page: RowPage; readonly size: number },
  atMs: number,
): BrowseState {
  const pending = [browser.loading, browser.prefetching].find(open => open?.requestId === requestId);
  if (!pending) return browser;
  const isSmaller = size < pending.request.size;
  const sized = isSmaller ? { ...browser, pageSize: size } : browser;
  const made = isSmaller ? { ...pending, request: { ...pending.request, size } } : pending;
  if (pending === browser.loading) return showPage(sized, made, page, atMs);
  return { ...sized, prefetching: null, ahead: loadedPage(sized, made, page, atMs) };
}

/** Asks for the next page when the selection nears the end of this one. */
function prefetch(resource: Resource, browser: BrowseState, rowsVisible: number): BrowseState {
  const { page, view } = browser;
  if (browser.whole !== null) return browser;
  if (page === null || browser.ahead !== null || browser.prefetching !== null || browser.loading !== null)
    return browser;
  if (view.row < rowsVisible - NEAR_END_ROWS || browser.failure !== null || page.isNextRefused) return browser;
  if (nextProblem(resource, page) !== undefined) return browser;
  const prefetching = newRequest(browser, 'next');
  return { ...browser, lastRequestId: prefetching.requestId, prefetching };
}

/** Whether the page was made with the filters, order and size that are set now. */
function isPageCurrent({ filters, newestFirst, pageSize }: BrowseState, { request }: LoadedPage): boolean {
  return request.filters === filters && request.newestFirst === newestFirst && request.size === pageSize;
}

function pageRequestFor(browser: BrowseState, to: PageMove): PageRequest {
  const { filters, pageSize: size, newestFirst, page } = browser;
  const base = { filters, size, newestFirst };
  if (to === 'reload' && page !== null) return { ...page.request };
  const resource = resourceById(browser.resource);
  if (resource === undefined) return { ...base, position: { kind: 'first' } };
  if (to === 'next' && page !== null) return { ...base, position: positionAfter(resource, filters, page) };
  if (to === 'previous' && page !== null) return { ...base, position: positionBefore(resource, filters, page) };
  return { ...base, position: to === 'last' ? { kind: 'last' } : { kind: 'first' } };
}

function goForward(browser: BrowseState, page: LoadedPage, ahead: LoadedPage): BrowseState {
  const left = { ...page, view: browser.view };
  return {
    ...browser,
    page: ahead,
    view: ahead.view,
    behind: withinMemory([...browser.behind, left]),
    ahead: null,
    failure: null,
    loading: null,
    prefetching: null,
  };
}

function goBack(browser: BrowseState, page: LoadedPage, before: LoadedPage): BrowseState {
  const left = { ...page, view: browser.view };
  return {
    ...browser,
    page: before,
    view: before.view,
    behind: browser.behind.slice(0, -1),
    ahead: left,
    failure: null,
    loading: null,
    prefetching: null,
  };
}

function showPage(browser: BrowseState, pending: PendingPage, rows: RowPage, atMs: number): BrowseState {
  const page = loadedPage(browser, pending, rows, atMs);
  // A bar that opened by itself was for a list without rows.
  const filterBar = browser.filterBar?.isOffered === true ? null : browser.filterBar;
  const shown = { ...browser, page, filterBar, loading: null, failure: null, demand: null };
  switch (pending.move) {
    case 'next':
      return {
        ...shown,
        behind: browser.page === null ? [] : withinMemory([...browser.behind, { ...browser.page, view: browser.view }]),
        view: page.view,
        ahead: null,
      };
    case 'previous':
      // Rows are read from the end of such a page upwards.
      return {
        ...shown,
        view: page.view,
        ahead: browser.page === null ? null : { ...browser.page, view: browser.view },
      };
    case 'reload':
      return { ...shown, ahead: null };
    case 'first':
    case 'last':
      return { ...shown, behind: [], ahead: null, view: { ...TOP_VIEW, left: browser.view.left } };
  }
}

function loadedPage(
  browser: BrowseState,
  { request, move: how }: PendingPage,
  rows: RowPage,
  receivedAtMs: number,
): LoadedPage {
  const { page } = browser;
  const [number, offset] = pagePosition(page, how, rows.rows.length);
  const again = how === 'next' ? repeatedPage(browser, rows) : undefined;
  return {
    ...rows,
    // As a command does, the list goes no further in a circle.
    ...(again !== undefined && { flaws: [again, ...rows.flaws], hasNextPage: false }),
    request,
    number,
    offset,
    receivedAtMs,
    isNextRefused: false,
    view: { ...TOP_VIEW, left: browser.view.left },
  };
}

/** Whether a page that follows this one is one of those before it. */
function repeatedPage({ behind, page }: BrowseState, next: RowPage): string | undefined {
  const seen = new SeenPages();
  for (const before of [...behind, ...(page === null ? [] : [page])]) seen.repeats(before);
  return seen.repeats(next);
}

function pagePosition(
  page: LoadedPage | null,
  how: PageMove,
  rowCount: number,
): readonly [number: number | null, offset: number | null] {
  if (how === 'first' || (how === 'reload' && page === null)) return [1, 0];
  if (page === null || page.number === null || page.offset === null || how === 'last') return [null, null];
  if (how === 'next') return [page.number + 1, page.offset + page.rows.length];
  if (how === 'reload') return [page.number, page.offset];
  return [page.number - 1, Math.max(0, page.offset - rowCount)];
}

// Old pages are dropped from the far end; the pages behind them are then reached by cursor.
function withinMemory(pages: readonly LoadedPage[]): readonly LoadedPage[] {
  let rows = 0;
  let first = pages.length;
  while (first > 0 && rows <= MAX_ROWS_BEHIND) {
    first--;
    rows += pages[first]?.rows.length ?? 0;
  }
  return first === 0 ? pages : pages.slice(first);
}

/** Asks for the next page ahead when the selection nears the end of the visible rows. */
export function prefetchNextPage(browser: BrowseState): BrowseState {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  return prefetch(resource, browser, visibleRows(resource, browser).length);
}

/** Moves through the pages, or shows why that is not possible. */
export const pageMoveHandler =
  (to: PageMove) =>
  (list: BrowseState, _: unknown, { shared }: ListContext): ListStep => {
    if (shared.node.status === 'failed' && to === 'reload')
      return { state: list, messages: [{ type: 'connect-again' }] };
    const resource = resourceById(list.resource);
    if (resource === undefined) return { state: list };
    const problem = pageMoveProblem(resource, list, to);
    if (problem !== undefined) return { state: list, messages: [noticeAction(problem)] };
    return { state: prefetchNextPage(moveToPage(list, to)) };
  };

/** Requests the first page under the current settings. An open filter bar belonged to the previous settings. */
export const reloadFromFirstPage = (browser: BrowseState): BrowseState =>
  restartList({ ...inPossibleOrder(browser), filterBar: null });

// Filters can take the order away that was asked for.
function inPossibleOrder(browser: BrowseState): BrowseState {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  return orderProblem(resource, browser.filters) === undefined ? browser : { ...browser, newestFirst: true };
}
