import type { Fact } from '../model/action.ts';
import { openedView, reopened } from '../model/kept-lists.ts';
import type { SessionState } from '../model/state.ts';
import { withAsLeft } from './as-left.ts';
import { withAliases } from './take-names.ts';
import { arriveAtTab, withNotice } from './transitions.ts';

/** Takes note of the node that is asked from now on, and of how its lists are opened. */
export function nodeConnected(
  state: SessionState,
  fact: Extract<Fact, { readonly type: 'node-connected' }>,
): SessionState {
  const {
    label,
    address,
    hasLogin = false,
    colour = null,
    profiles,
    presets = null,
    preferences,
    view = {},
    notice,
  } = fact;
  const browsers = reopened(state.browsers, preferences, view);
  const opened = openedView({ ...state, browsers, preferences });
  const ready: SessionState = {
    ...state,
    preferences,
    node: { ...state.node, status: 'ready', label, address, hasLogin, colour },
    knownNodes: { ...state.knownNodes, ...(profiles !== undefined && { profiles }) },
    views: { ...state.views, opened },
    browsers,
    wizard: { ...state.wizard, presets },
    directory: withAliases(state.directory, preferences),
  };
  const arrived = { ...arriveAtTab(ready, state.tab), overlay: state.overlay, layers: state.layers };
  if (notice !== null) return withNotice(arrived, notice, 'bad');
  return opened === state.views.opened ? arrived : withAsLeft(arrived);
}
