import { PAGE_SIZES } from '../../../base/settings/preferences.ts';
import type { SavedList } from '../../../base/settings/saved-view.ts';
import { NO_NAMES } from '../../../chain/directory/directory.ts';
import { type Filter, type FilterValues, filterProblem, normalizeValue } from '../../../chain/resources/filter.ts';
import { loadedRows } from '../../../chain/resources/list-page.ts';
import { MAX_PAGE_SIZE, orderProblem } from '../../../chain/resources/page-request.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import type { SavedTab } from '../../core/screen.ts';
import type { LeftState } from '../../core/trail.ts';
import type { Preferences } from '../../services/preferences.ts';
import { differsFromUsualFilters } from './filters/filter-bar.ts';
import { withLoadedQuery } from './list/pager.ts';
import { type BrowseState, NO_RECORDS, type SavedListState } from './state.ts';

/** A list that nothing was asked for yet. */
export function newList(resource: Resource, preferences: Preferences, saved?: SavedList): BrowseState {
  const opened = openedList(resource, preferences, saved);
  return {
    ...opened,
    opened,
    resource: resource.id,
    lastRequestId: 0,
    page: null,
    behind: [],
    ahead: null,
    whole: null,
    loading: null,
    prefetching: null,
    failure: null,
    demand: null,
    limitedToMine: null,
    view: { row: 0, top: 0, left: 0 },
    find: '',
    times: preferences.times ?? 'ages',
    names: NO_NAMES,
    laidOutIn: null,
    namesLaidOut: NO_NAMES,
    ...NO_RECORDS,
    hasPreviewPane: false,
    seeking: null,
    filterBar: null,
    watchS: 0,
    changes: null,
    isStepped: false,
    spokenOf: null,
    cellColumn: null,
    countedLast: null,
    counted: null,
  };
}

/** The list of another node: what still arrives from the one before is the answer to no request of this one. */
export function listForOtherNode(left: BrowseState, preferences: Preferences): BrowseState {
  const { countedLast, lastRequestId } = left;
  const resource = resourceById(left.resource);
  return resource === undefined ? left : { ...newList(resource, preferences), countedLast, lastRequestId };
}

/** The list of another snapshot: the page that is shown stays, to be compared with the same page then. */
export function listForOtherMoment(left: BrowseState, isShown: boolean): BrowseState {
  const { state } = leaveList(left);
  const plain = { ...state, ...NO_ROWS_BEHIND, failure: null, changes: null, watchS: 0 };
  return isShown && state.page !== null
    ? { ...plain, isStepped: true }
    : { ...plain, ...NO_RECORDS, page: null, view: { ...state.view, row: 0, top: 0 } };
}

const NO_ROWS_BEHIND = { behind: [], ahead: null, whole: null, counted: null } as const;

/** The state of a list for a later return: the same row, page and filters. Pending requests are dropped. */
export function leaveList(left: BrowseState): LeftState<BrowseState> {
  const state: BrowseState = {
    ...withLoadedQuery(left),
    whole: left.whole?.status === 'gathering' ? null : left.whole,
    loading: null,
    prefetching: null,
    seeking: null,
    filterBar: null,
    failure: left.page === null ? left.failure : null,
  };
  return { state, rows: countHeldRows(state) };
}

const countHeldRows = ({ page, behind, ahead }: BrowseState): number =>
  [page, ahead, ...behind].reduce((sum, held) => sum + (held ? loadedRows(held).length : 0), 0);

/** A list on return: as the user left it, with the column choices made since. */
export function returnToList(now: BrowseState, left: BrowseState): BrowseState {
  const { columnChoice, countedLast, lastRequestId } = now;
  return { ...left, columnChoice, countedLast, lastRequestId };
}

/** The parts of a saved list that are still valid; the rest has its default. */
function openedList(resource: Resource, preferences: Preferences, saved: SavedList = {}): SavedListState {
  const filters = restoredFilters(resource, saved.filters);
  const isColumn = (id: string): boolean => resource.columns.some(column => column.id === id);
  const { sort, columns, newestFirst = true } = saved;
  const size = saved.pageSize !== undefined && saved.pageSize <= MAX_PAGE_SIZE ? saved.pageSize : preferences.pageSize;
  return {
    filters,
    sort: sort !== undefined && isColumn(sort.column) ? sort : null,
    newestFirst: newestFirst || orderProblem(resource, filters) !== undefined,
    pageSize: resource.paging.pageSize ?? size ?? PAGE_SIZES.usual,
    columnChoice: columns === undefined ? (preferences.columns?.[resource.id] ?? {}) : keepKnown(columns, isColumn),
  };
}

export function listToSave(browser: BrowseState, preferences: Preferences): SavedTab {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return { now: {}, opened: {} };
  const plain = openedList(resource, preferences);
  const saved = (list: SavedListState) => savedDifferences(resource, list, plain);
  return { now: saved(browser), opened: saved(browser.opened) };
}

/** What differs from a list without a saved view. */
function savedDifferences(resource: Resource, list: SavedListState, plain: SavedListState): SavedList {
  const { filters, sort, newestFirst, pageSize, columnChoice } = list;
  return {
    ...(differsFromUsualFilters(resource, filters) && { filters }),
    ...(sort !== null && { sort }),
    ...(!newestFirst && { newestFirst }),
    ...(pageSize !== plain.pageSize && { pageSize }),
    ...(!isSame(columnChoice, plain.columnChoice) && { columns: columnChoice }),
  };
}

/** The list as opened with this data; changes that the user made since it was opened are kept. */
export function reopenList(browser: BrowseState, preferences: Preferences, saved?: SavedList): BrowseState {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  const { opened: was } = browser;
  const now = openedList(resource, preferences, saved);
  const list: BrowseState = {
    ...browser,
    filters: valueToKeep(browser.filters, was.filters, now.filters),
    sort: valueToKeep(browser.sort, was.sort, now.sort),
    newestFirst: valueToKeep(browser.newestFirst, was.newestFirst, now.newestFirst),
    pageSize: valueToKeep(browser.pageSize, was.pageSize, now.pageSize),
    columnChoice: valueToKeep(browser.columnChoice, was.columnChoice, now.columnChoice),
    opened: now,
  };
  return { ...list, loading: pendingRequestNow(list) };
}

const valueToKeep = <Value>(mine: Value, before: Value, now: Value): Value => (mine === before ? now : mine);

// Nothing is requested yet: the page to load is that of the current list.
function pendingRequestNow({ loading, filters, newestFirst, pageSize: size }: BrowseState): BrowseState['loading'] {
  return loading && { ...loading, request: { ...loading.request, filters, newestFirst, size } };
}

function restoredFilters(resource: Resource, saved: SavedList['filters']): FilterValues {
  if (saved === undefined) return resource.usualFilters ?? {};
  const known = resource.filters.flatMap(filter => {
    const values = restoredFilterValues(filter, Object.hasOwn(saved, filter.name) ? saved[filter.name] : undefined);
    return values.length === 0 ? [] : [[filter.name, values] as const];
  });
  return Object.fromEntries(known);
}

function restoredFilterValues(filter: Filter, saved: readonly string[] = []): readonly string[] {
  const right = saved.filter(value => filterProblem(filter, value) === undefined);
  return right.slice(0, filter.repeats ? undefined : 1).map(value => normalizeValue(filter, value));
}

const keepKnown = <Value>(
  all: { readonly [id: string]: Value },
  isKnown: (id: string) => boolean,
): { readonly [id: string]: Value } => Object.fromEntries(Object.entries(all).filter(([id]) => isKnown(id)));

function isSame(one: BrowseState['columnChoice'], other: BrowseState['columnChoice']): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(name => one[name] === other[name]);
}
