import type { SavedView, ViewToSave } from '../../base/settings/saved-view.ts';
import type { SessionState } from '../core/state.ts';
import { nodeName } from '../services/node/nodes.ts';
import { TABS } from '../tabs.ts';
import { savedTabState } from './open-screens.ts';

/** The view of the node in use that is to be saved; undefined when nothing has changed, or views are not restored. */
export function viewToSave(state: SessionState): ViewToSave | undefined {
  const { node, preferences, views } = state;
  const name = nodeName(node);
  // A snapshot has none of its own.
  if (node.status === 'unasked' || node.choice.kind === 'moment' || preferences.restore === 'off' || name === '')
    return undefined;
  const view = listsToSave(state, 'now');
  return JSON.stringify(view) === views.opened ? undefined : { name, view, before: listsToSave(state, 'opened') };
}

/** The state with the view that its lists were opened with, to tell whether it has changed. */
export const rememberOpenedView = (state: SessionState): SessionState => ({
  ...state,
  views: { ...state.views, opened: JSON.stringify(listsToSave(state, 'opened')) },
});

/** The lists of the tabs, where they differ from lists without a saved view. */
function listsToSave(state: SessionState, as: 'now' | 'opened'): SavedView {
  const { tab } = state;
  const lists = TABS.flatMap(({ id }) => {
    const list = savedTabState(state, id)?.[as] ?? {};
    return Object.keys(list).length === 0 ? [] : [[id, list] as const];
  });
  return {
    ...(tab !== TABS[0]?.id && { tab }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
  };
}
