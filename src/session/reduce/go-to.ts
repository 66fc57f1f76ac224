import { wayBack } from '../../explorer/services/node/nodes.ts';
import { filtersOf, type Goal, isNamed, type ListGoal, largestFirstIn } from '../../resources/leads.ts';
import { isNaming, keyPattern } from '../../resources/record-key.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { isFilteredBy } from '../model/filters.ts';
import { openInspector } from '../model/inspector.ts';
import { layersOfTabs } from '../model/layer.ts';
import { leftList, returnedList } from '../model/left-list.ts';
import { move, moveProblem, restart } from '../model/pager.ts';
import type { Browser, LoadedPage, SessionState, Sought } from '../model/state.ts';
import { withPlace } from '../model/trail.ts';
import { selectedRow, visibleRows } from '../model/visible-rows.ts';
import { asPages } from '../model/whole.ts';
import { arriveInOrder } from './ordered-list.ts';
import { chooseNode } from './switch-node.ts';
import { arriveAtTab, withBrowser, withNotice, withWish } from './transitions.ts';

/** Pages that are looked through for a record. */
const MOST_PAGES = 20;

/** Goes where an id leads, and remembers what is left. */
export function goTo(state: SessionState, goal: Goal): SessionState {
  const left = state.browsers[state.tab];
  const resource = resourceById(goal.resource);
  if (resource === undefined) return state;
  const gone = leaving(state, goal.resource);
  if (goal.kind === 'list')
    return goToList(gone, goal, left?.resource === goal.resource ? rowLeft(resource, left) : null);
  return goToRecord(gone, resource, goal.lead);
}

/** Goes to the record of a list that has this key, as commands take it. */
export function goToKey(
  state: SessionState,
  { resource: id, key }: { readonly resource: string; readonly key: string },
): SessionState {
  const resource = resourceById(id);
  return resource === undefined ? state : goToRecord(leaving(state, id), resource, { key });
}

function leaving(state: SessionState, tab: string): SessionState {
  const left = state.browsers[state.tab];
  const place = left === undefined ? { state: null, rows: 0 } : leftList(left);
  const trail = withPlace(state.trail, { tab: state.tab, ...place });
  return { ...state, tab, layers: layersOfTabs(state), trail };
}

/** Shows a tab, and remembers what is left. */
export function goToTab(state: SessionState, tab: string): SessionState {
  const { trail } = leaving(state, tab);
  return arriveAtTab({ ...state, trail }, tab);
}

/** Comes back to where the last way began, and nothing is asked for again; or to the node before one that shows nothing. */
export function comeBack(state: SessionState): SessionState {
  const place = state.trail.at(-1);
  const before = wayBack(state.node);
  if (place === undefined) return before === undefined ? state : chooseNode(state, before);
  const { tab, state: left } = place;
  const shown = { ...state, trail: state.trail.slice(0, -1) };
  return arriveAtTab(left === null ? shown : withBrowser(shown, tab, now => returnedList(now, left)), tab);
}

/** Looks for the record through the page that has come for it, and asks for the next one while it is not there. */
export function seekOn(state: SessionState, id: string, ticket: number): SessionState {
  const seeking = state.browsers[id]?.seeking;
  const resource = resourceById(id);
  if (!seeking || seeking.ticket !== ticket || resource === undefined) return state;
  if (seeking.kind === 'order') return arriveInOrder(state, resource, seeking.row);
  const found = withRecord(state, resource, seeking.sought);
  if (found !== undefined) return found;
  const browser = state.browsers[id];
  const mayGoOn = browser !== undefined && moveProblem(resource, browser, 'next') === undefined;
  if (!mayGoOn || seeking.pagesLeft === 0) return notFound(state, resource, seeking.sought);
  return withWish(state, id, (shown, next) => {
    const moved = move(shown, 'next', next);
    return {
      ...moved,
      seeking: { ...seeking, ticket: moved.loading?.ticket ?? next, pagesLeft: seeking.pagesLeft - 1 },
    };
  });
}

function goToList(state: SessionState, goal: ListGoal, row: Row | null): SessionState {
  const column = largestFirstIn(goal);
  return withWish(state, goal.resource, (shown, ticket) => {
    const plain = restart({ ...plainList(shown), filters: filtersOf(goal), watchS: 0 }, ticket);
    if (column === undefined) return plain;
    return { ...plain, sort: { column, isDescending: true }, seeking: { kind: 'order', ticket, row } };
  });
}

const rowLeft = (resource: Resource, left: Browser): Row | null =>
  left.inspector?.row ?? selectedRow(resource, left) ?? null;

// A record that the list shows already is not asked for.
function goToRecord(state: SessionState, resource: Resource, sought: Sought): SessionState {
  const found = withRecord(withBrowser(state, resource.id, plainList), resource, sought);
  if (found !== undefined) return found;
  // A key is looked for in the list as one knows it; what an id names may be anywhere.
  const filters = 'key' in sought ? (resource.usualFilters ?? {}) : {};
  return withWish(state, resource.id, (shown, ticket) => ({
    ...restart({ ...plainList(shown), filters }, ticket),
    seeking: { kind: 'record', sought, ticket, pagesLeft: MOST_PAGES - 1 },
  }));
}

function withRecord(state: SessionState, resource: Resource, sought: Sought): SessionState | undefined {
  const browser = state.browsers[resource.id];
  if (!browser?.page || browser.loading !== null) return undefined;
  const { page } = browser;
  const rows = visibleRows(resource, browser).slice();
  const index = indexOf(sought, { resource, rows, page });
  const row = rows[index];
  if (row === undefined) return undefined;
  return withWish(state, resource.id, (shown, ticket) => ({
    ...shown,
    seeking: null,
    view: { ...shown.view, row: index },
    inspector: openInspector(resource, row, page, ticket),
  }));
}

interface Listed {
  readonly resource: Resource;
  readonly page: LoadedPage;
  readonly rows: readonly Row[];
}

/** Where the record is among the rows, else -1. */
function indexOf(sought: Sought, listed: Listed): number {
  const { resource, page, rows } = listed;
  if ('entity' in sought) return rows.findIndex(row => isNamed(resource, row, sought));
  const { match } = keyPattern(sought.key);
  const whole = rows.findIndex(row => match(resource.keyOf(row)) === 'whole');
  if (whole >= 0) return whole;
  // A number is that of a row, from 0.
  if (/^\d{1,4}$/.test(sought.key))
    return page.number === 1 && Number(sought.key) < rows.length ? Number(sought.key) : -1;
  const [only, ...others] = meantBy(sought.key, listed);
  return only === undefined || others.length > 0 ? -1 : rows.indexOf(only);
}

/** The records that a beginning of a key or a name may mean, one of each key: only a whole list shows which there are. */
function meantBy(key: string, { resource, page, rows }: Listed): readonly Row[] {
  const isWhole = page.number === 1 && !page.hasNextPage && !isFilteredBy(resource, page.request.filters);
  if (!isWhole) return [];
  const { match } = keyPattern(key);
  const named = resource.columns.filter(isNaming);
  const ways: readonly ((row: Row) => boolean)[] = [
    row => match(resource.keyOf(row)) === 'part',
    row => match(resource.keyOf(row)) === 'beginning',
    row => named.some(({ value }) => value(row).toLowerCase() === key.toLowerCase()),
  ];
  const found = ways.map(isMeant => rows.filter(isMeant)).find(some => some.length > 0) ?? [];
  return [...new Map(found.toReversed().map(row => [resource.keyOf(row), row])).values()];
}

function notFound(state: SessionState, resource: Resource, sought: Sought): SessionState {
  const browser = state.browsers[resource.id];
  const stopped = withBrowser(state, resource.id, shown => ({ ...shown, seeking: null }));
  if ('key' in sought && browser?.page) {
    const { page } = browser;
    const { length } = meantBy(sought.key, { resource, page, rows: visibleRows(resource, browser).slice() });
    const begin = `${length} ${resource.title.toLowerCase()} begin with "${sought.key}" or have that name`;
    if (length > 1) return withNotice(stopped, `${begin}: type more of the key`, 'bad');
  }
  const looked = [...(browser?.behind ?? []), ...(browser?.page ? [browser.page] : [])];
  const rows = looked.reduce((sum, page) => sum + page.rows.length, 0);
  const isWhole = browser?.page?.hasNextPage === false;
  return withNotice(
    stopped,
    `not among ${isWhole ? 'the' : 'the first'} ${rows} ${resource.title.toLowerCase()} listed`,
    'bad',
  );
}

/** The list as it is without what one had done to it by hand. */
const plainList = (browser: Browser): Browser => ({
  ...asPages(browser),
  find: '',
  sort: null,
  inspector: null,
  filterBar: null,
  demand: null,
  failure: null,
  seeking: null,
});
