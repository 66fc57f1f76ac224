import type { Goal } from '../../chain/resources/leads.ts';
import type { KeyOfRecord } from '../../chain/resources/record-key.ts';
import { resourceById } from '../../chain/resources/registry.ts';
import { layersOfTabs } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { withPlace } from '../core/trail.ts';
import { toRoots } from '../openings.ts';
import { wayBack } from '../services/node/nodes.ts';
import { leftRoot, sendToRoots, withRootReturned } from './layers.ts';
import { chooseNode } from './switch-node.ts';
import { arriveAtTab } from './transitions.ts';

/** Goes where an id leads, and remembers what is left. */
export function goTo(state: SessionState, goal: Goal): SessionState {
  const { resource } = goal;
  if (resourceById(resource) === undefined) return state;
  const isFromHere = state.tab === resource;
  return sendToRoots(leaving(state, resource), toRoots('browse', [resource], { type: 'seek', goal, isFromHere }));
}

/** Goes to the record of a list that has this key, as commands take it. */
export function goToKey(
  state: SessionState,
  { resource, key, filters, asOfMs }: KeyOfRecord & { readonly resource: string },
): SessionState {
  if (resourceById(resource) === undefined) return state;
  const sought = { key, ...(filters !== undefined && { filters }), ...(asOfMs !== undefined && { asOfMs }) };
  return sendToRoots(leaving(state, resource), toRoots('browse', [resource], { type: 'seek-key', sought }));
}

function leaving(state: SessionState, tab: string): SessionState {
  const trail = withPlace(state.trail, { tab: state.tab, ...leftRoot(state, state.tab) });
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
  return arriveAtTab(withRootReturned(shown, { tab, left }), tab);
}
