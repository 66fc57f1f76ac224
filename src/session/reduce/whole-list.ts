import { nodeAfter } from '../../explorer/services/node/node.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import type { WholeFact } from '../model/action.ts';
import type { Arranged, Arrangement } from '../model/arrangement.ts';
import type { Browser, SessionState, Whole } from '../model/state.ts';
import { selectedRow } from '../model/visible-rows.ts';
import { asPages, asWhole, holdsWholeList, isSameArrangement } from '../model/whole.ts';
import { onRow } from './rows-kept.ts';
import { withBrowser, withNotice, withWish } from './transitions.ts';

/** Why the whole list cannot be loaded now; undefined when it can, or when it is left. */
function wholeProblem({ page, loading, failure, whole }: Browser): string | undefined {
  if (whole !== null) return undefined;
  if (page === null) return 'no page is loaded yet';
  if (loading !== null) return 'a page is on its way';
  if (failure !== null) return 'the last answer was an error: Esc goes back to the rows, r asks again';
  return holdsWholeList(page) ? 'all rows of this list are on this page: s sorts all of them' : undefined;
}

/** The same, of the list shown. */
export function wholeOff({ browsers, tab }: SessionState): string | undefined {
  const browser = browsers[tab];
  return browser && wholeProblem(browser);
}

/** Why the list shown is not watched. */
export const watchOff = ({ browsers, tab }: SessionState): string | undefined =>
  (browsers[tab]?.whole ?? null) === null ? undefined : 'a whole list is not watched: S goes back to its pages';

/** Loads the whole list, or goes back to its pages: from one that is being loaded to the page as it is. */
export function toggleWhole(state: SessionState, { id }: Resource, browser: Browser): SessionState {
  const { whole } = browser;
  if (whole === null) return wholeProblem(browser) === undefined ? gather(state, id) : state;
  const left = withBrowser(state, id, asPages);
  if (whole.status === 'gathering') return withNotice(left, 'cancelled: the page is as it was');
  // It may be sorted and searched otherwise by now.
  const { leftRow } = whole;
  return leftRow === null ? left : withBrowser(left, id, page => onRow(page, leftRow));
}

// One at a time: another list that is whole goes back to its pages, so that memory holds no two of them.
function gather(state: SessionState, id: string): SessionState {
  const others = Object.keys(state.browsers).reduce((left, other) => withBrowser(left, other, asPages), state);
  return withWish(others, id, (browser, ticket) => ({
    ...browser,
    prefetching: null,
    watchS: 0,
    whole: { status: 'gathering', ticket, rows: 0, pages: 0, waitUntilMs: 0 },
  }));
}

/** Takes note of what became of a whole list. */
export function takeWhole(state: SessionState, fact: WholeFact): SessionState {
  const { ticket, resource: id } = fact;
  const whole = state.browsers[id]?.whole;
  const open = whole?.status === 'known' ? whole.arranging?.ticket : whole?.ticket;
  if (!whole || open !== ticket) return state;
  switch (fact.type) {
    case 'whole-progressed': {
      const { rows, pages, waitMs } = fact.progress;
      const waitUntilMs = waitMs === 0 ? 0 : fact.atMs + waitMs;
      const blocked = { type: 'node-blocked', untilMs: waitUntilMs, atMs: fact.atMs } as const;
      const node = waitMs === 0 ? state.node : nodeAfter(state.node, blocked);
      return withWhole({ ...state, node }, id, { status: 'gathering', ticket, rows, pages, waitUntilMs });
    }
    case 'whole-arrived':
      return arrived(state, id, fact);
    case 'whole-failed':
      return withNotice(withWhole(state, id, null), `the whole list could not be loaded: ${fact.problem}`, 'bad');
    case 'arrange-progressed':
      return whole.status === 'known' && whole.arranging !== null
        ? withWhole(state, id, { ...whole, arranging: { ...whole.arranging, ...fact.progress } })
        : state;
    case 'arranged': {
      if (whole.status !== 'known' || whole.arranging === null) return state;
      const { find, sort, names } = whole.arranging;
      return withBrowser(state, id, browser => shownAs(browser, { find, sort, names, places: fact.places }));
    }
  }
}

const withWhole = (state: SessionState, id: string, whole: Whole | null): SessionState =>
  withBrowser(state, id, browser => ({ ...browser, whole }));

function arrived(
  state: SessionState,
  id: string,
  { gathered, atMs }: Extract<WholeFact, { readonly type: 'whole-arrived' }>,
): SessionState {
  const resource = resourceById(id);
  if (resource === undefined) return state;
  return withBrowser(state, id, browser =>
    asWhole(resource, browser, { ...gathered, atMs }, selectedRow(resource, browser)),
  );
}

/** The rows in another order, the selected one where it is now; the first one where it is not among them. */
function shownAs(browser: Browser, arranged: Arranged): Browser {
  const { whole, view } = browser;
  if (whole?.status !== 'known') return browser;
  const before = whole.arranged.places;
  const place = before === null ? view.row : before[view.row];
  const row = place === undefined ? 0 : arranged.places === null ? place : arranged.places.indexOf(place);
  return {
    ...browser,
    whole: { ...whole, arranged, arranging: null },
    view: row < 0 ? { ...view, row: 0, top: 0 } : { ...view, row, top: Math.max(0, row - (view.row - view.top)) },
  };
}

/** Asks for a whole list to be found and sorted as is wanted now: until it is, what was done last is shown. */
export function rearranged(browser: Browser, ticket: number): Browser {
  const { whole, find, sort, names } = browser;
  if (whole?.status !== 'known') return browser;
  const wanted: Arrangement = { find, sort, names };
  if (isSameArrangement(wanted, whole.arranged))
    return whole.arranging === null ? browser : { ...browser, whole: { ...whole, arranging: null } };
  if (whole.arranging !== null && isSameArrangement(wanted, whole.arranging)) return browser;
  if (find === '' && sort === null) return shownAs(browser, { ...wanted, places: null });
  const arranging = { ...wanted, ticket, step: find === '' ? 'sort' : 'find', done: 0 } as const;
  return { ...browser, whole: { ...whole, arranging } };
}
