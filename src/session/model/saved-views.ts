import { nodeName } from '../../explorer/services/node/nodes.ts';
import { RESOURCES } from '../../resources/registry.ts';
import type { SavedView, ViewToSave } from '../../settings/saved-view.ts';
import { savedList } from './saved-list.ts';
import type { SessionState } from './state.ts';
import { TABS } from './tabs.ts';

/** The view of the node in use that is to be saved; undefined when nothing has changed, or views are not restored. */
export function viewToSave(state: SessionState): ViewToSave | undefined {
  const { node, preferences, views } = state;
  const name = nodeName(node);
  if (node.status === 'unasked' || preferences.restore === 'off' || name === '') return undefined;
  const view = viewOf(state, 'now');
  return JSON.stringify(view) === views.opened ? undefined : { name, view, before: viewOf(state, 'opened') };
}

/** The view that the lists were opened with, to tell whether it has changed. */
export const openedView = (state: Viewed): string => JSON.stringify(viewOf(state, 'opened'));

type Viewed = Pick<SessionState, 'tab' | 'browsers' | 'preferences'>;

/** How the lists of the tabs stand, as far as that is not how they are opened without a saved view. */
function viewOf({ tab, browsers, preferences }: Viewed, as: 'now' | 'opened'): SavedView {
  const lists = RESOURCES.flatMap(({ id }) => {
    const browser = browsers[id];
    const list = browser === undefined ? {} : savedList(browser, preferences)[as];
    return Object.keys(list).length === 0 ? [] : [[id, list] as const];
  });
  return {
    ...(tab !== TABS[0]?.id && { tab }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
  };
}
