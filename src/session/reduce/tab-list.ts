import type { BrowseEvent } from '../model/browse-event.ts';
import { isTabCovered, topLayer } from '../model/layer.ts';
import { bodyArea } from '../model/layout.ts';
import type { Browser, SessionState } from '../model/state.ts';
import type { ListContext } from './list-context.ts';
import { withNamesInUse } from './names-in-use.ts';
import { withRowsKept } from './rows-kept.ts';
import { withBrowser } from './transitions.ts';
import { updateList } from './update-list.ts';
import { withArrangements } from './whole-list.ts';

// The lists as they stand in the state of the session.

/** What the list of a tab sees of the session. */
export const listContext = (state: SessionState, id: string): ListContext => ({
  shared: state,
  area: bodyArea(state.screen),
  isOnTop: state.tab === id && topLayer(state) === undefined,
  isCovered: isTabCovered({ layers: state.layers, tab: id }),
  to: event => ({ type: 'list-event', resource: id, event }),
});

/** What is asked of a list, asked of the one that the tab shows. */
export const ofList =
  <Answer>(ask: (list: Browser, context: ListContext) => Answer) =>
  (state: SessionState): Answer | undefined => {
    const list = state.browsers[state.tab];
    return list && ask(list, listContext(state, state.tab));
  };

/** The state after an event to the list of a tab; what it wants of others waits in the state. */
export function stepList(state: SessionState, id: string, event: BrowseEvent): SessionState {
  const browser = state.browsers[id];
  if (browser === undefined) return state;
  const { state: list, messages = [] } = updateList(browser, event, listContext(state, id));
  const stepped = withBrowser(state, id, () => list);
  const settled = withArrangements(withRowsKept(state, withNamesInUse(state, stepped)));
  return messages.length === 0 ? settled : { ...settled, outbox: [...settled.outbox, ...messages] };
}
