import { type MoveAction, moved } from '../../explorer/core/moving.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ListKey } from '../model/browse-event.ts';
import { isFilteredBy } from '../model/filters.ts';
import { openInspector } from '../model/inspector.ts';
import { layoutOf } from '../model/layout.ts';
import { asLoaded, moveProblem } from '../model/pager.ts';
import type { Browser, SessionState, Spoken } from '../model/state.ts';
import { groupedLines, windowOnLine } from '../model/table-lines.ts';
import { selectedRow, visibleRows } from '../model/visible-rows.ts';
import type { Window } from '../model/window.ts';
import type { KeyIn } from './place.ts';
import { stepList } from './tab-list.ts';
import { fetchAhead, movePage, resourceOf, restartList, withBrowser, withNotice, withWish } from './transitions.ts';

const WATCH_S = 10;

/** Keys of the table. */
export function browse(state: SessionState, action: Exclude<KeyIn<'table'>, ListKey>): SessionState {
  const resource = resourceOf(state);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return state;
  switch (action.type) {
    case 'move':
    case 'move-to':
      return moveSelection(state, resource, browser, action);
    case 'next-page':
      return movePage(state, 'next');
    case 'previous-page':
      return movePage(state, 'previous');
    case 'first-page':
      return movePage(state, 'first');
    case 'last-page':
      return movePage(state, 'last');
    case 'next-match':
    case 'previous-match':
      return toMatch(state, resource, browser, action.type === 'next-match' ? 1 : -1);
    case 'toggle-order':
      return restartList(state, state.tab, shown => ({ ...shown, newestFirst: !shown.newestFirst }));
    case 'toggle-watch':
      return withBrowser(state, state.tab, shown => ({
        ...shown,
        watchS: shown.watchS === 0 ? WATCH_S : 0,
        changes: null,
      }));
    case 'inspect': {
      const { page } = browser;
      const row = selectedRow(resource, browser);
      return row === undefined || page === null
        ? state
        : withWish(state, state.tab, (shown, ticket) => ({
            ...shown,
            inspector: openInspector(resource, row, page, ticket),
          }));
    }
    case 'toggle-versions':
      return toggleVersions(state, resource);
    case 'clear-filters':
      return clear(state, resource, browser);
    case 'back':
      return goBack(state, browser);
  }
}

function movedInTable(resource: Resource, browser: Browser, action: MoveAction, height: number): Window {
  const { view } = browser;
  const groups = groupedLines(resource, browser);
  if (groups === undefined) return moved(view, action, visibleRows(resource, browser).length, height);
  const line = groups.lineOfRow[view.row] ?? 0;
  const window = moved({ row: line, top: view.top }, action, groups.lines.length, height);
  const direction = action.type === 'move' ? action.direction : action.end === 'start' ? 1 : -1;
  return windowOnLine(groups, window, direction, height);
}

function moveSelection(state: SessionState, resource: Resource, browser: Browser, action: MoveAction): SessionState {
  const window = movedInTable(resource, browser, action, layoutOf(state).tableRows);
  return fetchAhead(
    withBrowser(state, state.tab, shown => ({
      ...shown,
      view: { ...shown.view, ...window },
      spokenOf: spokenOf(resource, shown),
    })),
    state.tab,
  );
}

/** A search leaves the rows that hold it: behind the last one comes the first. */
function toMatch(state: SessionState, resource: Resource, browser: Browser, direction: 1 | -1): SessionState {
  const count = visibleRows(resource, browser).length;
  const place = browser.view.row + direction;
  if (place >= 0 && place < count)
    return moveSelection(state, resource, browser, { type: 'move', by: 'line', direction });
  const wrapped = moveSelection(state, resource, browser, { type: 'move-to', end: direction === 1 ? 'start' : 'end' });
  const hasMore = browser.whole === null && moveProblem(resource, browser, 'next') === undefined;
  const more = hasMore ? ' of this page; ] turns to the next' : '';
  return count < 2
    ? withNotice(state, `the only match${more}`)
    : withNotice(wrapped, `back at the ${direction === 1 ? 'first' : 'last'} match${more}`);
}

// As long as it moves, what is said is about the row it began on.
function spokenOf(resource: Resource, browser: Browser): Spoken | null {
  const { page } = browser;
  if (resource.about === undefined || page === null) return null;
  if (browser.spokenOf?.page === page) return browser.spokenOf;
  const row = selectedRow(resource, browser);
  return row === undefined ? null : { page, row };
}

function toggleVersions(state: SessionState, { id, versions }: Resource): SessionState {
  if (versions === undefined) return state;
  const { filter, value } = versions;
  return restartList(state, id, shown => {
    const { [filter]: now = [], ...others } = shown.filters;
    return { ...shown, filters: now[0] === value ? others : { ...others, [filter]: [value] } };
  });
}

function clear(state: SessionState, resource: Resource, browser: Browser): SessionState {
  const isFiltered = isFilteredBy(resource, browser.filters);
  const filters = resource.usualFilters ?? {};
  const cleared = withBrowser(state, state.tab, shown => ({ ...shown, find: '', filters }));
  return isFiltered ? restartList(cleared, state.tab, shown => shown) : fetchAhead(cleared, state.tab);
}

// Esc takes back the last narrowing thing, and never quits.
function goBack(state: SessionState, browser: Browser): SessionState {
  if (browser.failure !== null && browser.page !== null)
    return withBrowser(state, state.tab, shown => ({ ...asLoaded(shown), failure: null }));
  if (browser.loading !== null) {
    return withNotice(
      withBrowser(state, state.tab, shown => ({ ...asLoaded(shown), loading: null })),
      'cancelled',
    );
  }
  if (browser.whole?.status === 'gathering') return stepList(state, state.tab, { type: 'toggle-whole' });
  if (browser.find !== '')
    return fetchAhead(
      withBrowser(state, state.tab, shown => ({ ...shown, find: '' })),
      state.tab,
    );
  return withNotice(state, 'q quits');
}
