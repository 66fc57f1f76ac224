import { resourceById } from '../../chain/resources/registry.ts';
import type { ActionHandlers, SessionState } from '../core/state.ts';
import { withFeeRows } from '../services/names/last-fees.ts';
import { addSeenIds } from '../services/names/seen-ids.ts';
import { isArchiveNode } from '../services/node/health.ts';
import { type NodeEvent, type NodeStateEvent, nodeAfter } from '../services/node/node.ts';
import type { NodeChoice } from '../services/node/offered-node.ts';
import { notifyRoots } from './layers.ts';
import { receiveChainId, requestNewNames, retryNames, withAliases } from './names-events.ts';
import { rememberOpenedView } from './saved-views.ts';
import { switchNode } from './switch-node.ts';
import { withNotice } from './transitions.ts';

/** Handles the events of the node: for the node itself, and for lists and names. */
export const NODE_HANDLERS: ActionHandlers<NodeEvent> = {
  'node-connected': withArchiveTimes(nodeConnected),
  'node-failed': withArchiveTimes(
    (state, event) =>
      momentFailed(state, event.failure.lines[0] ?? event.failure.title) ?? applyNodeEvent(state, event),
  ),
  'profiles-read': (state, { profiles }) => ({ ...state, knownNodes: { ...state.knownNodes, profiles } }),
  'nodes-compared': (state, { compared }) => ({ ...state, knownNodes: { ...state.knownNodes, compared } }),
  'chain-known': withArchiveTimes((state, event) => receiveChainId(applyNodeEvent(state, event), event.chainId)),
  'check-due': state => {
    const lastId = state.lastId + 1;
    return { ...state, lastId, node: { ...state.node, checking: lastId } };
  },
  checked: withArchiveTimes((state, event) => {
    if (state.node.checking !== event.requestId) return state;
    const answered = applyNodeEvent(state, event);
    const checked = event.chainId === null ? answered : receiveChainId(answered, event.chainId);
    return notifyNodeBack(state, retryNames(checked, event.core.atMs));
  }),
  'check-failed': withArchiveTimes((state, event) =>
    state.node.checking === event.requestId ? applyNodeEvent(state, event) : state,
  ),
  'rows-arrived': withArchiveTimes(rowsArrived),
  'node-answered': withArchiveTimes((state, event) => {
    const answered = applyNodeEvent(state, event);
    const { chainId, atMs } = event.heard;
    return notifyNodeBack(state, retryNames(chainId === null ? answered : receiveChainId(answered, chainId), atMs));
  }),
  'build-known': withArchiveTimes(applyNodeEvent),
  'node-silent': withArchiveTimes(applyNodeEvent),
  'node-refused': withArchiveTimes(applyNodeEvent),
  'node-blocked': withArchiveTimes(applyNodeEvent),
  'segments-known': withArchiveTimes(applyNodeEvent),
  'preset-known': withArchiveTimes(applyNodeEvent),
};

/** For an archive node, ages are meaningless: all are counted from a block of long ago. */
function withArchiveTimes<Event extends NodeEvent>(handler: (state: SessionState, event: Event) => SessionState) {
  return (state: SessionState, event: Event): SessionState => {
    const after = handler(state, event);
    return !isArchiveNode(state) && isArchiveNode(after) ? { ...after, times: 'clock' } : after;
  };
}

function applyNodeEvent(state: SessionState, event: NodeStateEvent): SessionState {
  return { ...state, node: nodeAfter(state.node, event) };
}

/** Data that could not be fetched while the node was away is requested again. */
const notifyNodeBack = ({ node }: SessionState, after: SessionState): SessionState =>
  node.contact.silentSinceMs === null ? after : notifyRoots(after, () => ({ type: 'node-back' }));

// Rows that are looked through for ids.
const MAX_ROWS_SCANNED = 500;

/** Further information from arrived rows: the node answers, and which ids exist. */
function rowsArrived(state: SessionState, event: Extract<NodeEvent, { readonly type: 'rows-arrived' }>): SessionState {
  const resource = resourceById(event.resource);
  if (resource === undefined) return state;
  const seen = addSeenIds(state.seen, resource, event.rows.slice(0, MAX_ROWS_SCANNED));
  const lastFees = event.resource === 'fees' ? withFeeRows(state.lastFees, event.rows) : state.lastFees;
  const mine = event.isByHand ? { ...state.mine, readFor: null } : state.mine;
  const arrived = { ...state, seen, lastFees, mine, node: nodeAfter(state.node, event) };
  const retried = retryNames(arrived, event.atMs, event.isByHand);
  return requestNewNames(retried, state.seen, event.atMs);
}

/** Takes note of the node that is asked from now on, and of how its lists are opened. */
function nodeConnected(
  state: SessionState,
  event: Extract<NodeEvent, { readonly type: 'node-connected' }>,
): SessionState {
  const {
    label,
    address,
    hasLogin = false,
    colour = null,
    profiles,
    presets = null,
    moment = null,
    preferences,
    view = {},
    notice,
  } = event;
  const ready: SessionState = {
    ...state,
    preferences,
    node: {
      ...state.node,
      ...{ status: 'ready', label, address, hasLogin, colour, presets, moment },
      choice: moment === null ? state.node.choice : momentChoice(state.node.choice, moment.id),
      // The clock stands at the time of a snapshot.
      nowMs: moment?.takenMs ?? state.node.nowMs,
    },
    knownNodes: { ...state.knownNodes, ...(profiles !== undefined && { profiles }) },
    directory: withAliases(state.directory, preferences),
  };
  const told = rememberOpenedView(
    notifyRoots(ready, id => ({ type: 'connected', preferences, saved: view.lists?.[id] })),
  );
  const arrived = notifyRoots(told, tab => (tab === state.tab ? { type: 'arrived', isAgain: false } : undefined));
  return notice === null ? arrived : withNotice(arrived, notice, 'bad');
}

/** By its id, as the name that was typed may mean another one later. */
const momentChoice = (choice: NodeChoice, id: number): NodeChoice =>
  choice.kind === 'moment' ? { ...choice, at: String(id) } : { kind: 'moment', at: String(id), of: choice };

/** If the snapshot does not exist, the previous node or snapshot is shown again, with the reason. */
function momentFailed(state: SessionState, why: string): SessionState | undefined {
  const { choice, cameFrom } = state.node;
  if (choice.kind !== 'moment' || cameFrom === null) return undefined;
  // That one is unavailable too: retrying would continue indefinitely.
  if (JSON.stringify(choice) === JSON.stringify(cameFrom.choice)) return undefined;
  return withNotice(switchNode(state, cameFrom), why, 'bad');
}

/** Connects to the node that could not be connected to. */
export function reconnect(state: SessionState): SessionState {
  if (state.node.status !== 'failed') return state;
  const { failure: _, ...known } = state.node;
  return { ...state, node: { ...known, status: 'starting' } };
}
