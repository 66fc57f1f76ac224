import { SCREENS } from '../../explorer/screens/registry.ts';
import type { BrowseEvent, ListNews } from '../model/browse-event.ts';
import { shownLayers, topLayer } from '../model/layer.ts';
import { listArea } from '../model/layout.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { afterChange } from './after-change.ts';
import { pastedIntoFilters } from './edit-filters.ts';
import { tellRoots } from './layers.ts';
import type { ListContext, ListStep } from './list-context.ts';
import { listNews } from './list-news.ts';
import { settledList } from './settled-list.ts';
import { updateList } from './update-list.ts';

// The lists as they stand in the state of the session.

/** What the list of a tab sees of the session. */
export function listContext(state: SessionState, list: Browser): ListContext {
  const { resource: id } = list;
  const { layers, screen } = state;
  const cover = shownLayers({ layers, tab: id }).findLast(({ isOverlay, isRoot }) => !isOverlay && !isRoot);
  return {
    shared: state,
    area: listArea(screen, list, cover !== undefined),
    isOnTop: state.tab === id && topLayer(state) === undefined,
    coveredBy: cover && { name: cover.screen, title: SCREENS[cover.screen]?.title ?? '' },
    to: event => ({ type: 'list-event', resource: id, event }),
    live: (read, otherwise) => below => {
      const now = below.browsers[id];
      return now === undefined ? otherwise : read(now, listContext(below, now));
    },
  };
}

/** What is asked of a list, asked of the one that the tab shows. */
export const ofList =
  <Answer>(ask: (list: Browser, context: ListContext) => Answer) =>
  (state: SessionState): Answer | undefined => {
    const list = state.browsers[state.tab];
    return list && ask(list, listContext(state, list));
  };

/** The state after an event to the list of a tab; what it wants of others waits in the state. */
export function stepList(state: SessionState, id: string, event: BrowseEvent): SessionState {
  const list = state.browsers[id];
  return list === undefined ? state : withStep(state, list, updateList(list, event, listContext(state, list)));
}

/** The state after its tabs have heard of something that happened to the program. */
export const tellTabs = (state: SessionState, newsOf: (tab: string) => ListNews | undefined): SessionState =>
  Object.values(state.browsers).reduce(
    (told, list) => {
      const news = newsOf(list.resource);
      return news === undefined ? told : withStep(told, list, listNews(list, news, listContext(told, list)));
    },
    tellRoots(state, newsOf),
  );

function withStep(state: SessionState, was: Browser, { state: list, messages = [] }: ListStep): SessionState {
  const stepped = withList(state, afterChange(was, list, state.directory));
  return messages.length === 0 ? stepped : { ...stepped, outbox: [...stepped.outbox, ...messages] };
}

const withList = (state: SessionState, list: Browser): SessionState =>
  state.browsers[list.resource] === list ? state : { ...state, browsers: { ...state.browsers, [list.resource]: list } };

/** The state with all that follows in its lists from what has changed in them, or in their room. */
export function withListsSettled(before: SessionState, after: SessionState): SessionState {
  const { directory } = after;
  return Object.keys(after.browsers).reduce((state, id) => {
    const list = state.browsers[id];
    if (list === undefined) return state;
    const changed = afterChange(before.browsers[id], list, directory);
    return withList(state, settledList(changed, listContext(state, changed)));
  }, after);
}

/** What comes of text that is pasted while the list of the tab has the keys, where it does not just go into a field. */
export function pastedInList(state: SessionState, text: string): BrowseEvent | undefined {
  const browser = state.browsers[state.tab];
  if (browser === undefined) return undefined;
  const context = listContext(state, browser);
  return context.isOnTop ? pastedIntoFilters(browser, text, context) : undefined;
}
