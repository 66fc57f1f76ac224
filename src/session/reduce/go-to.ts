import { filtersOf, type Goal, isNamed, type Lead, type ListGoal, largestFirstIn } from '../../resources/leads.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { openInspector } from '../model/inspector.ts';
import { wayBack } from '../model/nodes-in-use.ts';
import { move, moveProblem, restart } from '../model/pager.ts';
import type { Browser, SessionState } from '../model/state.ts';
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
  const gone = {
    ...state,
    tab: goal.resource,
    statement: null,
    frequency: null,
    overlay: null,
    trail: left === undefined ? state.trail : withPlace(state.trail, left),
  };
  if (goal.kind === 'list')
    return goToList(gone, goal, left?.resource === goal.resource ? rowLeft(resource, left) : null);
  return goToRecord(gone, resource, goal.lead);
}

/** Comes back to where the last way began, and nothing is asked for again; or to the node before one that shows nothing. */
export function comeBack(state: SessionState): SessionState {
  const place = state.trail.at(-1);
  const before = wayBack(state.node);
  if (place === undefined) return before === undefined ? state : chooseNode(state, before);
  const { columnChoice, columnOrder, columnWidths, times } = state.browsers[place.resource] ?? place;
  const back = withBrowser({ ...state, trail: state.trail.slice(0, -1) }, place.resource, () => ({
    ...place,
    columnChoice,
    columnOrder,
    columnWidths,
    times,
  }));
  return arriveAtTab(back, place.resource);
}

/** Looks for the record through the page that has come for it, and asks for the next one while it is not there. */
export function seekOn(state: SessionState, id: string, ticket: number): SessionState {
  const seeking = state.browsers[id]?.seeking;
  const resource = resourceById(id);
  if (!seeking || seeking.ticket !== ticket || resource === undefined) return state;
  if (seeking.kind === 'order') return arriveInOrder(state, resource, seeking.row);
  const found = withRecord(state, resource, seeking.lead);
  if (found !== undefined) return found;
  const browser = state.browsers[id];
  const mayGoOn = browser !== undefined && moveProblem(resource, browser, 'next') === undefined;
  if (!mayGoOn || seeking.pagesLeft === 0) return notFound(state, resource);
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
function goToRecord(state: SessionState, resource: Resource, lead: Lead): SessionState {
  const found = withRecord(withBrowser(state, resource.id, plainList), resource, lead);
  if (found !== undefined) return found;
  return withWish(state, resource.id, (shown, ticket) => ({
    ...restart({ ...plainList(shown), filters: {} }, ticket),
    seeking: { kind: 'record', lead, ticket, pagesLeft: MOST_PAGES - 1 },
  }));
}

function withRecord(state: SessionState, resource: Resource, lead: Lead): SessionState | undefined {
  const browser = state.browsers[resource.id];
  if (!browser?.page || browser.loading !== null) return undefined;
  const { page } = browser;
  const rows = visibleRows(resource, browser).slice();
  const index = rows.findIndex(row => isNamed(resource, row, lead));
  const row = rows[index];
  if (row === undefined) return undefined;
  return withWish(state, resource.id, (shown, ticket) => ({
    ...shown,
    seeking: null,
    view: { ...shown.view, row: index },
    inspector: openInspector(resource, row, page, ticket),
  }));
}

function notFound(state: SessionState, resource: Resource): SessionState {
  const browser = state.browsers[resource.id];
  const looked = [...(browser?.behind ?? []), ...(browser?.page ? [browser.page] : [])];
  const rows = looked.reduce((sum, page) => sum + page.rows.length, 0);
  const isWhole = browser?.page?.hasNextPage === false;
  return withNotice(
    withBrowser(state, resource.id, shown => ({ ...shown, seeking: null })),
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
  draft: null,
  demand: null,
  failure: null,
  seeking: null,
});
