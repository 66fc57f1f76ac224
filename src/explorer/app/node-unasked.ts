import { shownLayers } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { SCREENS } from '../screens/registry.ts';

/** Connects to the node once something of it is wanted: a tab that no screen covers, a screen that needs it, a pasted value. */
export function withNodeAsked(state: SessionState): SessionState {
  const { node, layers } = state;
  if (node.status !== 'unasked') return state;
  const isTabShown = shownLayers(state).every(({ tab, isRoot }) => tab === null || isRoot);
  const isWanted = isTabShown || layers.some(({ screen }) => SCREENS[screen]?.needsNode === true);
  return isWanted ? { ...state, node: { ...node, status: 'starting' } } : state;
}
