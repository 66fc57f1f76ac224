import { wayBack } from '../../explorer/services/node/nodes.ts';
import type { Goal } from '../../resources/leads.ts';
import type { KeyOfRecord } from '../../resources/record-key.ts';
import { layersOfTabs } from '../model/layer.ts';
import { leftList, returnedList } from '../model/left-list.ts';
import type { SessionState } from '../model/state.ts';
import { withPlace } from '../model/trail.ts';
import { chooseNode } from './switch-node.ts';
import { stepList } from './tab-list.ts';
import { arriveAtTab, withBrowser } from './transitions.ts';

/** Goes where an id leads, and remembers what is left. */
export function goTo(state: SessionState, goal: Goal): SessionState {
  const { resource } = goal;
  if (state.browsers[resource] === undefined) return state;
  const isFromHere = state.tab === resource;
  return stepList(leaving(state, resource), resource, { type: 'seek', goal, isFromHere });
}

/** Goes to the record of a list that has this key, as commands take it. */
export function goToKey(
  state: SessionState,
  { resource, key, filters }: KeyOfRecord & { readonly resource: string },
): SessionState {
  if (state.browsers[resource] === undefined) return state;
  return stepList(leaving(state, resource), resource, {
    type: 'seek-key',
    sought: { key, ...(filters !== undefined && { filters }) },
  });
}

function leaving(state: SessionState, tab: string): SessionState {
  const left = state.browsers[state.tab];
  const place = left === undefined ? { state: null, rows: 0 } : leftList(left);
  const trail = withPlace(state.trail, { tab: state.tab, ...place });
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
  return arriveAtTab(left === null ? shown : withBrowser(shown, tab, now => returnedList(now, left)), tab);
}
