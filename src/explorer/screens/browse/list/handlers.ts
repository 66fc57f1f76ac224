import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Resource } from '../../../../chain/resources/resource.ts';
import type { Handlers } from '../../../core/screen.ts';
import { type MoveAction, moveWindow, type Window } from '../../../core/window.ts';
import type { TableKey } from '../events.ts';
import { differsFromUsualFilters } from '../filters/filter-bar.ts';
import { barFromRow } from '../filters/handlers.ts';
import { type ListContext, type ListStep, noticeAction, withResource } from '../list-context.ts';
import { listPanes } from '../panes.ts';
import { openInspector } from '../record/inspector.ts';
import { withPreviewFocused } from '../record/preview.ts';
import type { BrowseState, CountedValue, DescribedRow } from '../state.ts';
import { columnLayout, descriptorColumnId } from './column-layout.ts';
import { backToCounts, countsToReturnTo } from './counted-list.ts';
import {
  pageMoveHandler,
  pageMoveProblem,
  prefetchNextPage,
  reloadFromFirstPage,
  withLoadedQuery,
  withNewRequest,
} from './pager.ts';
import { groupedLines, selectRowOfLine } from './table-lines.ts';
import { viewChange } from './view-change.ts';
import { selectedRow, visibleRows } from './visible-rows.ts';
import { toggleWholeList } from './whole-list.ts';

const WATCH_S = 10;

export const TABLE_HANDLERS: Handlers<BrowseState, TableKey> = {
  'scroll-columns': withResource((list, resource, { direction }, context) => ({
    state: toColumn(list, resource, direction, listPanes(list, context).tableColumns),
  })),
  'next-page': pageMoveHandler('next'),
  'previous-page': pageMoveHandler('previous'),
  'first-page': pageMoveHandler('first'),
  'last-page': pageMoveHandler('last'),
  'next-match': withResource((list, resource, _, context) => toMatch(list, resource, 1, context)),
  'previous-match': withResource((list, resource, _, context) => toMatch(list, resource, -1, context)),
  'toggle-order': list => ({ state: reloadFromFirstPage({ ...list, newestFirst: !list.newestFirst }) }),
  'toggle-watch': list => ({ state: { ...list, watchS: list.watchS === 0 ? WATCH_S : 0, changes: null } }),
  'view-change': (list, _, context) => viewChange(list, context),
  inspect: withResource((list, resource) => ({ state: inspected(list, resource) })),
  'toggle-versions': withResource((list, resource) => ({ state: withVersionsToggled(list, resource) })),
  'toggle-whole': toggleWholeList,
  'filter-by-row': list => ({ state: { ...list, filterBar: barFromRow(list) } }),
  'clear-filters': withResource((list, resource) => ({ state: cleared(list, resource) })),
  back: (list, _, context) => back(list, context),
};

/** The list after a key of movement in its table. */
export const movedInTable = (list: BrowseState, action: MoveAction, context: ListContext): BrowseState => {
  const resource = resourceById(list.resource);
  return resource === undefined ? list : withSelectionMoved(list, resource, action, context);
};

/**
 * Half a page further in its direction. Terminals scroll whole rows: with a record next to them each scroll draws that
 * again, so they scroll seldom.
 */
const scrolledOn = (window: Window, direction: 1 | -1, height: number): Window => ({
  ...window,
  top: Math.max(0, window.top + direction * Math.floor(height / 2)),
});

function windowAfter(resource: Resource, browser: BrowseState, action: MoveAction, height: number): Window {
  const { view } = browser;
  const groups = groupedLines(resource, browser);
  if (groups === undefined) return moveWindow(view, action, visibleRows(resource, browser).length, height);
  const line = groups.lineOfRow[view.row] ?? 0;
  const window = moveWindow({ row: line, top: view.top }, action, groups.lines.length, height);
  const direction = action.type === 'move' ? action.direction : action.line === 'first' ? 1 : -1;
  return selectRowOfLine(groups, window, direction, height);
}

function withSelectionMoved(
  list: BrowseState,
  resource: Resource,
  action: MoveAction,
  context: ListContext,
): BrowseState {
  const height = listPanes(list, context).tableRows;
  const moved = windowAfter(resource, list, action, height);
  const isAtEdge = action.type === 'move' && action.by === 'line' && moved.top !== list.view.top;
  const window = isAtEdge && list.hasPreviewPane ? scrolledOn(moved, action.direction, height) : moved;
  return prefetchNextPage({ ...list, view: { ...list.view, ...window }, spokenOf: spokenOf(resource, list) });
}

/**
 * Marks the next cell in this direction, and scrolls to it if it is not shown; left of the first cell, the whole row is
 * selected again.
 */
function toColumn(browser: BrowseState, resource: Resource, direction: 1 | -1, tableColumns: number): BrowseState {
  const { page, cellColumn } = browser;
  if (page === null) return browser;
  const layoutIn = (shown: BrowseState) => columnLayout(resource, shown, page, tableColumns);
  const { order, hiddenLeft } = layoutIn(browser);
  const isShown = (shown: BrowseState, id: string | null): boolean =>
    layoutIn(shown).fitted.some(({ column }) => descriptorColumnId(column.id) === id);
  // From a cell that is no longer shown it begins with the whole row again.
  const at = cellColumn !== null && isShown(browser, cellColumn) ? order.indexOf(cellColumn) : -1;
  const place = Math.min(at + direction, order.length - 1);
  const wanted = order[place];
  if (wanted === undefined) return { ...browser, cellColumn: null, view: { ...browser.view, left: 0 } };
  const step = place <= hiddenLeft ? -1 : 1;
  let moved = { ...browser, cellColumn: wanted };
  for (let left = hiddenLeft; !isShown(moved, wanted) && left >= 0 && left < order.length; left += step)
    moved = { ...moved, view: { ...moved.view, left: left + step } };
  return moved;
}

/** A search leaves the rows that hold it: behind the last one comes the first. */
function toMatch(list: BrowseState, resource: Resource, direction: 1 | -1, context: ListContext): ListStep {
  const count = visibleRows(resource, list).length;
  const place = list.view.row + direction;
  const to = (action: MoveAction): BrowseState => withSelectionMoved(list, resource, action, context);
  if (place >= 0 && place < count) return { state: to({ type: 'move', by: 'line', direction }) };
  const hasMore = list.whole === null && pageMoveProblem(resource, list, 'next') === undefined;
  const more = hasMore ? ' of this page; ] turns to the next' : '';
  if (count < 2) return { state: list, messages: [noticeAction(`the only match${more}`)] };
  return {
    state: to({ type: 'move-to', line: direction === 1 ? 'first' : 'last' }),
    messages: [noticeAction(`back at the ${direction === 1 ? 'first' : 'last'} match${more}`)],
  };
}

// While the selection moves, the description stays that of the row where the movement began.
function spokenOf(resource: Resource, browser: BrowseState): DescribedRow | null {
  const { page } = browser;
  if (resource.about === undefined || page === null) return null;
  if (browser.spokenOf?.page === page) return browser.spokenOf;
  const row = selectedRow(resource, browser);
  return row === undefined ? null : { page, row };
}

function inspected(list: BrowseState, resource: Resource): BrowseState {
  const { page } = list;
  const row = selectedRow(resource, list);
  if (row === undefined || page === null) return list;
  if (list.preview?.row === row) return withPreviewFocused(list, list.preview);
  return withNewRequest(list, (shown, id) => ({ ...shown, inspector: openInspector(resource, row, page, id) }));
}

function withVersionsToggled(list: BrowseState, { versions }: Resource): BrowseState {
  if (versions === undefined) return list;
  const { filter, value } = versions;
  const { [filter]: now = [], ...others } = list.filters;
  return reloadFromFirstPage({ ...list, filters: now[0] === value ? others : { ...others, [filter]: [value] } });
}

function cleared(list: BrowseState, resource: Resource): BrowseState {
  const plain = { ...list, find: '', filters: resource.usualFilters ?? {} };
  return differsFromUsualFilters(resource, list.filters) ? reloadFromFirstPage(plain) : prefetchNextPage(plain);
}

// Esc takes back the last narrowing thing, and never quits.
function back(list: BrowseState, context: ListContext): ListStep {
  const counted = countsBehindEsc(list);
  if (counted !== undefined) return backToCounts(list, counted, context);
  const stopping = stopped(list);
  if (stopping !== undefined) return stopping;
  if (list.find !== '') return { state: prefetchNextPage({ ...list, find: '' }) };
  return { state: list, messages: [noticeAction('q quits')] };
}

/** The counts that Esc leads to: what runs over rows that have come is stopped first. */
export function countsBehindEsc(list: BrowseState): CountedValue | undefined {
  const counted = countsToReturnTo(list);
  // Rows of a value that have not come yet are given up on the way back to the counts.
  return counted?.left.page === list.page || stopped(list) === undefined ? counted : undefined;
}

/** Without the running request, or with the rows from before the failure. */
function stopped(list: BrowseState): ListStep | undefined {
  if (list.failure !== null && list.page !== null) return { state: { ...withLoadedQuery(list), failure: null } };
  if (list.loading !== null)
    return { state: { ...withLoadedQuery(list), loading: null }, messages: [noticeAction('cancelled')] };
  if (list.whole?.status === 'gathering') return toggleWholeList(list);
  return undefined;
}
