import { wayBack } from '../../explorer/services/node/nodes.ts';
import type { Goal } from '../../resources/leads.ts';
import type { KeyOfRecord } from '../../resources/record-key.ts';
import { layersOfTabs } from '../model/layer.ts';
import { leftList, returnedList } from '../model/left-list.ts';
import type { LeftTab, SessionState } from '../model/state.ts';
import { type LeftState, withPlace } from '../model/trail.ts';
import { leftRoot, withRootReturned } from './layers.ts';
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
  const trail = withPlace(state.trail, { tab: state.tab, ...leftTab(state) });
  return { ...state, tab, layers: layersOfTabs(state), trail };
}

function leftTab(state: SessionState): LeftState<LeftTab> {
  const list = state.browsers[state.tab];
  if (list === undefined) {
    const { state: root, rows } = leftRoot(state, state.tab);
    return { state: { root }, rows };
  }
  const { state: left, rows } = leftList(list);
  return { state: { list: left }, rows };
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
  const back =
    'root' in left
      ? withRootReturned(shown, { tab, left: left.root })
      : withBrowser(shown, tab, now => returnedList(now, left.list));
  return arriveAtTab(back, tab);
}
