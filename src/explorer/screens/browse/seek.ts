import { keyPattern } from '../../../chain/directory/key-pattern.ts';
import {
  isOwnLink,
  type LinkTarget,
  type ListTarget,
  sortColumnOfTarget,
  targetFilters,
} from '../../../chain/resources/links.ts';
import { findSameRow } from '../../../chain/resources/list-page.ts';
import { isNameColumn, type KeyedRecord } from '../../../chain/resources/record-key.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource, Row } from '../../../chain/resources/resource.ts';
import { selectLine } from '../../core/window.ts';
import { differsFromUsualFilters } from './filters/filter-bar.ts';
import { moveToPage, pageMoveProblem, restartList, withNewRequest } from './list/pager.ts';
import { availableRows, selectedRow, visibleRows } from './list/visible-rows.ts';
import { toPagedList } from './list/whole-list-state.ts';
import { type ListContext, type ListStep, noticeAction } from './list-context.ts';
import { listPanes } from './panes.ts';
import { openInspector } from './record/inspector.ts';
import type { BrowseState, LoadedPage, SeekTarget } from './state.ts';

/** Pages that are looked through for a record. */
const MAX_PAGES_SEARCHED = 20;

/** The list on its way to where an id leads. */
export function seekLead(
  list: BrowseState,
  { goal, isFromHere }: { readonly goal: LinkTarget; readonly isFromHere: boolean },
): BrowseState {
  const resource = resourceById(list.resource);
  if (resource === undefined) return list;
  return goal.kind === 'list'
    ? goToGoalList(list, goal, isFromHere ? rowLeft(resource, list) : null)
    : goToRecord(list, resource, goal.lead);
}

/** The list on its way to the record that has this key. */
export function seekKey(list: BrowseState, sought: KeyedRecord): BrowseState {
  const resource = resourceById(list.resource);
  return resource === undefined ? list : goToRecord(list, resource, sought);
}

/** Looks for the record in the page that arrived for it, and requests the next page until it is found. */
export function continueSeeking(list: BrowseState, requestId: number, context: ListContext): ListStep {
  const { seeking } = list;
  const resource = resourceById(list.resource);
  if (seeking === null || seeking.requestId !== requestId || resource === undefined) return { state: list };
  if (seeking.kind === 'order') return arrivedInOrder(list, seeking.row, context);
  const found = selectFoundRecord(list, resource, seeking.sought);
  if (found !== undefined) return { state: found };
  if (pageMoveProblem(resource, list, 'next') !== undefined || seeking.pagesLeft === 0)
    return notFound(list, resource, seeking.sought);
  const next = withNewRequest(list, (shown, id) => {
    const moved = moveToPage(shown, 'next');
    return {
      ...moved,
      seeking: { ...seeking, requestId: moved.loading?.requestId ?? id, pagesLeft: seeking.pagesLeft - 1 },
    };
  });
  return { state: next };
}

function goToGoalList(list: BrowseState, goal: ListTarget, row: Row | null): BrowseState {
  const column = sortColumnOfTarget(goal);
  const plain = restartList({ ...plainList(list), filters: targetFilters(goal), watchS: 0 });
  if (column === undefined) return plain;
  const seeking = { kind: 'order', requestId: plain.lastRequestId, row } as const;
  return { ...plain, sort: { column, isDescending: true }, seeking };
}

const rowLeft = (resource: Resource, left: BrowseState): Row | null =>
  left.inspector?.row ?? selectedRow(resource, left) ?? null;

// A record that the list shows already is not asked for, unless the list is older than what led to it.
function goToRecord(list: BrowseState, resource: Resource, sought: SeekTarget): BrowseState {
  const { receivedAtMs = 0 } = list.page ?? {};
  const isOlder = 'key' in sought && receivedAtMs < (sought.asOfMs ?? 0);
  const found = isOlder ? undefined : selectFoundRecord(plainList(list), resource, sought);
  if (found !== undefined) return found;
  // A key is looked for in the list as one knows it; what an id names may be anywhere.
  const filters = 'key' in sought ? { ...resource.usualFilters, ...sought.filters } : {};
  const plain = restartList({ ...plainList(list), filters });
  const seeking = {
    kind: 'record',
    sought,
    requestId: plain.lastRequestId,
    pagesLeft: MAX_PAGES_SEARCHED - 1,
  } as const;
  return { ...plain, seeking };
}

function selectFoundRecord(list: BrowseState, resource: Resource, sought: SeekTarget): BrowseState | undefined {
  const { page } = list;
  if (page === null || list.loading !== null) return undefined;
  const rows = visibleRows(resource, list).slice();
  const index = indexOfTarget(sought, { resource, rows, page });
  const row = rows[index];
  if (row === undefined) return undefined;
  return withNewRequest(list, (shown, id) => ({
    ...shown,
    seeking: null,
    view: { ...shown.view, row: index },
    preview: null,
    nextPreview: null,
    inspector: openInspector(resource, row, page, id),
  }));
}

interface SearchedPage {
  readonly resource: Resource;
  readonly page: LoadedPage;
  readonly rows: readonly Row[];
}

/** Where the record is among the rows, else -1. */
function indexOfTarget(sought: SeekTarget, listed: SearchedPage): number {
  const { resource, page, rows } = listed;
  if ('entity' in sought) return rows.findIndex(row => isOwnLink(resource, row, sought));
  const { match } = keyPattern(sought.key);
  const whole = rows.findIndex(row => match(resource.keyOf(row)) === 'whole');
  if (whole >= 0) return whole;
  // A number is that of a row, from 0.
  if (/^\d{1,4}$/.test(sought.key))
    return page.number === 1 && Number(sought.key) < rows.length ? Number(sought.key) : -1;
  const [only, ...others] = recordsMatchingKey(sought.key, listed);
  return only === undefined || others.length > 0 ? -1 : rows.indexOf(only);
}

/** The records that a beginning of a key or a name may mean, one of each key: only a whole list shows which there are. */
function recordsMatchingKey(key: string, { resource, page, rows }: SearchedPage): readonly Row[] {
  const isWhole = page.number === 1 && !page.hasNextPage && !differsFromUsualFilters(resource, page.request.filters);
  if (!isWhole) return [];
  const { match } = keyPattern(key);
  const named = resource.columns.filter(isNameColumn);
  const ways: readonly ((row: Row) => boolean)[] = [
    row => match(resource.keyOf(row)) === 'part',
    row => match(resource.keyOf(row)) === 'beginning',
    row => named.some(({ value }) => value(row).toLowerCase() === key.toLowerCase()),
  ];
  const found = ways.map(isMeant => rows.filter(isMeant)).find(some => some.length > 0) ?? [];
  return [...new Map(found.toReversed().map(row => [resource.keyOf(row), row])).values()];
}

function notFound(list: BrowseState, resource: Resource, sought: SeekTarget): ListStep {
  const state = { ...list, seeking: null };
  const { page, behind } = list;
  if ('key' in sought && page !== null) {
    const { length } = recordsMatchingKey(sought.key, { resource, page, rows: visibleRows(resource, list).slice() });
    const begin = `${length} ${resource.title.toLowerCase()} begin with "${sought.key}" or have that name`;
    if (length > 1) return { state, messages: [noticeAction(`${begin}: type more of the key`, 'bad')] };
  }
  const looked = [...behind, ...(page === null ? [] : [page])];
  const rows = looked.reduce((sum, { rows: some }) => sum + some.length, 0);
  const which = page?.hasNextPage === false ? 'the' : 'the first';
  return {
    state,
    messages: [noticeAction(`not among ${which} ${rows} ${resource.title.toLowerCase()} listed`, 'bad')],
  };
}

/** The list without the user's manual changes. */
const plainList = (browser: BrowseState): BrowseState => ({
  ...toPagedList(browser),
  find: '',
  sort: null,
  inspector: null,
  filterBar: null,
  demand: null,
  failure: null,
  seeking: null,
});

/** A list that arrived in its own order: reports the order, and selects the row that was left for it. */
function arrivedInOrder(list: BrowseState, left: Row | null, context: ListContext): ListStep {
  const { sort } = list;
  const resource = resourceById(list.resource);
  if (sort === null || resource === undefined) return { state: list };
  const { rows, isWhole } = availableRows(resource, list);
  const all = rows.slice();
  const same = left === null ? undefined : findSameRow(resource, left, all);
  const index = same === undefined ? -1 : all.indexOf(same);
  const window = index < 0 ? {} : selectLine(list.view, index, all.length, listPanes(list, context).tableRows);
  const state = { ...list, seeking: null, view: { ...list.view, ...window } };
  if (all.length === 0 || context.shared.tab !== resource.id) return { state };
  const title = resource.columns.find(({ id }) => id === sort.column)?.title.toLowerCase() ?? '';
  const order = `${isWhole ? '' : `only these ${all.length} rows `}sorted by ${title}, largest first`;
  const place =
    left === null
      ? ''
      : index < 0
        ? '; the row you left is not among them'
        : `; the row you left is ${index + 1} of ${all.length}`;
  return { state, messages: [noticeAction(`${order}${place}`)] };
}
