import { nodeName } from '../../explorer/services/node/nodes.ts';
import type { Preferences } from '../../explorer/services/preferences.ts';
import { type Filter, type FilterValues, filterProblem, normalValue } from '../../resources/filter.ts';
import { MAX_PAGE_SIZE, orderProblem } from '../../resources/page-request.ts';
import { RESOURCES, resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { PAGE_SIZES } from '../../settings/preferences.ts';
import type { SavedList, SavedView, ViewToSave } from '../../settings/saved-view.ts';
import { isFilteredBy } from './filters.ts';
import type { Browser, OpenedList, SessionState } from './state.ts';

const WIDEST_COLUMN = 200;

/** What the list still knows of a saved one; the rest is as it is without it. */
export function openedList(resource: Resource, preferences: Preferences, saved: SavedList = {}): OpenedList {
  const filters = filtersOf(resource, saved.filters);
  const isColumn = (id: string): boolean => resource.columns.some(column => column.id === id);
  const { sort, columns, widths = {}, order = [], newestFirst = true } = saved;
  const size = saved.pageSize !== undefined && saved.pageSize <= MAX_PAGE_SIZE ? saved.pageSize : preferences.pageSize;
  return {
    filters,
    sort: sort !== undefined && isColumn(sort.column) ? sort : null,
    newestFirst: newestFirst || orderProblem(resource, filters) !== undefined,
    pageSize: resource.paging.pageSize ?? size ?? PAGE_SIZES.usual,
    columnChoice: columns === undefined ? (preferences.columns?.[resource.id] ?? {}) : only(columns, isColumn),
    columnOrder: [...new Set(order.filter(isColumn))],
    columnWidths: only(widths, id => isColumn(id) && (widths[id] ?? 0) <= WIDEST_COLUMN),
  };
}

/** How the lists stand now, as far as that is not how they are opened without a saved view. */
function viewOf({ tab, browsers, preferences }: Viewed): SavedView {
  const lists = RESOURCES.flatMap(resource => {
    const browser = browsers[resource.id];
    const list = browser === undefined ? {} : savedOf(resource, browser, preferences);
    return Object.keys(list).length === 0 ? [] : [[resource.id, list] as const];
  });
  return {
    ...(tab !== RESOURCES[0]?.id && { tab }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
  };
}

function savedOf(resource: Resource, browser: Browser, preferences: Preferences): SavedList {
  const { filters, sort, newestFirst, pageSize, columnChoice, columnOrder, columnWidths } = browser;
  const plain = openedList(resource, preferences);
  return {
    ...(isFilteredBy(resource, filters) && { filters }),
    ...(sort !== null && { sort }),
    ...(!newestFirst && { newestFirst }),
    ...(pageSize !== plain.pageSize && { pageSize }),
    ...(!isSame(columnChoice, plain.columnChoice) && { columns: columnChoice }),
    ...(columnOrder.length > 0 && { order: columnOrder }),
    ...(Object.keys(columnWidths).length > 0 && { widths: columnWidths }),
  };
}

/** The view of the node in use that is to be saved; undefined when nothing has changed, or views are not restored. */
export function viewToSave(state: SessionState): ViewToSave | undefined {
  const name = nodeName(state.node);
  const view = viewOf(state);
  if (
    state.node.status === 'unasked' ||
    state.preferences.restore === 'off' ||
    name === '' ||
    JSON.stringify(view) === state.views.opened
  )
    return undefined;
  return { name, view, before: viewOf(asOpened(state)) };
}

/** The view that the lists were opened with, to tell whether it has changed. */
export const openedView = (state: Viewed): string => JSON.stringify(viewOf(asOpened(state)));

function asOpened(state: Viewed): Viewed {
  const opened = Object.values(state.browsers).map(browser => [browser.resource, { ...browser, ...browser.opened }]);
  return { ...state, browsers: Object.fromEntries(opened) };
}

type Viewed = Pick<SessionState, 'tab' | 'browsers' | 'preferences'>;

/** The lists as they are opened with this; what the person has changed since they were opened is theirs. */
export function reopened(browsers: SessionState['browsers'], preferences: Preferences, view: SavedView) {
  const opened = Object.values(browsers).flatMap(browser => {
    const resource = resourceById(browser.resource);
    if (resource === undefined) return [];
    const { opened: was } = browser;
    const now = openedList(resource, preferences, view.lists?.[browser.resource]);
    const list: Browser = {
      ...browser,
      filters: taken(browser.filters, was.filters, now.filters),
      sort: taken(browser.sort, was.sort, now.sort),
      newestFirst: taken(browser.newestFirst, was.newestFirst, now.newestFirst),
      pageSize: taken(browser.pageSize, was.pageSize, now.pageSize),
      columnChoice: taken(browser.columnChoice, was.columnChoice, now.columnChoice),
      columnOrder: taken(browser.columnOrder, was.columnOrder, now.columnOrder),
      columnWidths: taken(browser.columnWidths, was.columnWidths, now.columnWidths),
      opened: now,
    };
    return [[browser.resource, { ...list, loading: asked(list) }] as const];
  });
  return Object.fromEntries(opened);
}

const taken = <Value>(mine: Value, before: Value, now: Value): Value => (mine === before ? now : mine);

// Nothing was asked yet: the page that is wished for is the one of the list as it is now.
function asked({ loading, filters, newestFirst, pageSize: size }: Browser): Browser['loading'] {
  return loading && { ...loading, request: { ...loading.request, filters, newestFirst, size } };
}

function filtersOf(resource: Resource, saved: SavedList['filters']): FilterValues {
  if (saved === undefined) return resource.usualFilters ?? {};
  const known = resource.filters.flatMap(filter => {
    const values = valuesOf(filter, Object.hasOwn(saved, filter.name) ? saved[filter.name] : undefined);
    return values.length === 0 ? [] : [[filter.name, values] as const];
  });
  return Object.fromEntries(known);
}

function valuesOf(filter: Filter, saved: readonly string[] = []): readonly string[] {
  const right = saved.filter(value => filterProblem(filter, value) === undefined);
  return right.slice(0, filter.repeats ? undefined : 1).map(value => normalValue(filter, value));
}

const only = <Value>(
  all: { readonly [id: string]: Value },
  isKnown: (id: string) => boolean,
): { readonly [id: string]: Value } => Object.fromEntries(Object.entries(all).filter(([id]) => isKnown(id)));

function isSame(one: Browser['columnChoice'], other: Browser['columnChoice']): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(name => one[name] === other[name]);
}
