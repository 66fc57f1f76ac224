import type { LinkTarget } from '../../chain/resources/links.ts';
import type { KeyedRecord } from '../../chain/resources/record-key.ts';
import { resourceById } from '../../chain/resources/registry.ts';
import { layersKeptByTabs } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { pushPlace } from '../core/trail.ts';
import { rootEvent } from '../openings.ts';
import { previousNode } from '../services/node/nodes.ts';
import { leaveRoot, restoreRoot, sendToRoots } from './layers.ts';
import { chooseNode } from './switch-node.ts';
import { showTab } from './transitions.ts';

/** Goes to the target of an id, and remembers the previous place. */
export function goTo(state: SessionState, goal: LinkTarget): SessionState {
  const { resource } = goal;
  if (resourceById(resource) === undefined) return state;
  const isFromHere = state.tab === resource;
  return sendToRoots(
    rememberAndLeave(state, resource),
    rootEvent('browse', [resource], { type: 'seek', goal, isFromHere }),
  );
}

/** Goes to the record of a list that has this key, as commands take it. */
export function goToKey(
  state: SessionState,
  { resource, key, filters, asOfMs }: KeyedRecord & { readonly resource: string },
): SessionState {
  if (resourceById(resource) === undefined) return state;
  const sought = { key, ...(filters !== undefined && { filters }), ...(asOfMs !== undefined && { asOfMs }) };
  return sendToRoots(rememberAndLeave(state, resource), rootEvent('browse', [resource], { type: 'seek-key', sought }));
}

function rememberAndLeave(state: SessionState, tab: string): SessionState {
  const trail = pushPlace(state.trail, { tab: state.tab, ...leaveRoot(state, state.tab) });
  return { ...state, tab, layers: layersKeptByTabs(state), trail };
}

/** Shows a tab, and remembers the previous place. */
export function goToTab(state: SessionState, tab: string): SessionState {
  const { trail } = rememberAndLeave(state, tab);
  return showTab({ ...state, trail }, tab);
}

/** Comes back to where the last way began, and nothing is asked for again; or to the node before one that shows nothing. */
export function returnToPlace(state: SessionState): SessionState {
  const place = state.trail.at(-1);
  const before = previousNode(state.node);
  if (place === undefined) return before === undefined ? state : chooseNode(state, before);
  const { tab, state: left } = place;
  const shown = { ...state, trail: state.trail.slice(0, -1) };
  return showTab(restoreRoot(shown, { tab, left }), tab);
}
