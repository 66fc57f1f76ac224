import type { SessionState } from '../core/state.ts';
import { chainHistoryAfterSwitch, isFetching } from '../services/chain-history/chain-history.ts';
import { jobsAfterSwitch } from '../services/export-job.ts';
import type { NodeState } from '../services/node/node.ts';
import type { KnownNodes } from '../services/node/nodes.ts';
import { nodeInUse, nodeName } from '../services/node/nodes.ts';
import type { LiveChoice, NodeChoice, OfferedNode } from '../services/node/offered-node.ts';
import { askToConfirm } from './confirmations.ts';
import { initialState } from './initial-state.ts';
import { layersAfterSwitch } from './layers.ts';
import { rememberOpenedView, viewToSave } from './saved-views.ts';
import { showTab, withNotice } from './transitions.ts';

/** Switches to another node; an export or a fetch that runs is asked about first, as it would be cancelled. */
export function chooseNode(state: SessionState, to: OfferedNode): SessionState {
  const { node, job, chainHistory } = state;
  if (isInUse(state, to) && node.status !== 'failed') return withNotice(state, `${to.name} is in use`);
  if (job?.status === 'running' || isFetching(chainHistory)) return askToConfirm(state, { about: 'switch-node', to });
  return switchNode(state, to);
}

// An address is typed again to give it another login.
function isInUse({ node }: SessionState, { choice, name }: OfferedNode): boolean {
  const hasLogin = choice.kind === 'address' && choice.address.includes('@');
  return name === nodeName(node) && !hasLogin;
}

/**
 * The state for another node: the same tab, without data of the previous node, so that none of its rows can appear under
 * the other's name. Requests to it are dropped, and ids continue from the current one.
 */
export function switchNode(state: SessionState, to: OfferedNode): SessionState {
  const lastId = state.lastId + 1;
  const left = viewToSave(state);
  const { screen, tab, node, preferences } = state;
  const label = to.name === to.address ? '' : to.name;
  const fresh = initialState({
    screen,
    tab,
    label,
    nowMs: node.nowMs,
    preferences,
    colour: to.colour ?? null,
  });
  const other: SessionState = {
    access: state.access,
    screen,
    preferences,
    tab,
    times: state.times,
    isFirstStart: state.isFirstStart,
    isEnded: state.isEnded,
    isInterrupted: state.isInterrupted,
    copying: state.copying,
    saving: state.saving,
    looks: state.looks,
    history: state.history,
    layers: layersAfterSwitch(state, isStep(state, to)),
    knownNodes: withNodeVisited(state),
    views: {
      opened: '',
      saving: left === undefined ? state.views.saving : { requestId: lastId, ...left },
    },
    notice: null,
    spin: null,
    outbox: state.outbox,
    lastId,
    node: {
      ...fresh.node,
      requestId: lastId,
      choice: to.choice,
      address: to.address,
      cameFrom: lastWorkingNode(state),
    },
    exportFolder: state.exportFolder,
    ...jobsAfterSwitch(state, nodeName(state.node)),
    chainHistory: chainHistoryAfterSwitch(state.chainHistory),
    partyRequest: state.partyRequest,
    trail: fresh.trail,
    seen: fresh.seen,
    mine: { ...fresh.mine, saving: state.mine.saving },
    lastFees: fresh.lastFees,
    directory: fresh.directory,
    naming: fresh.naming,
  };
  return showTab(rememberOpenedView(other), tab);
}

/** A step between snapshots of a chain, and its node: the current content stays until it is compared with the new one. */
const isStep = ({ node }: SessionState, { choice }: OfferedNode): boolean =>
  [choice.kind, node.choice.kind].includes('moment') &&
  JSON.stringify(liveChoice(choice)) === JSON.stringify(liveChoice(node.choice));

const liveChoice = (choice: NodeChoice): LiveChoice => (choice.kind === 'moment' ? choice.of : choice);

/** The snapshot before or after the one that is shown; before a node the newest one. */
export function stepMoment(state: SessionState, direction: 1 | -1): SessionState {
  const { moment } = state.node;
  if (moment === null) return direction === 1 ? state : switchNode(state, momentNode(state.node, ''));
  const id = direction === 1 ? moment.after : moment.before;
  return id === null ? state : switchNode(state, momentNode(state.node, String(id)));
}

/** A snapshot of the chain of the node in use. */
export function momentNode({ choice, chainId }: Pick<NodeState, 'choice' | 'chainId'>, at: string): OfferedNode {
  const of = liveChoice(choice);
  const chain = chainId || (choice.kind === 'moment' ? choice.chainId : undefined);
  return {
    choice: { kind: 'moment', at, of, ...(chain && { chainId: chain }) },
    name: /^\d+$/.test(at) ? `snapshot ${at}` : at === '' ? 'snapshot' : `at ${at}`,
    address: '',
  };
}

// Of several nodes that do not answer one comes back to the last that did.
function lastWorkingNode({ node }: SessionState): OfferedNode | null {
  const hasAnswered = node.hasAnswered || node.contact.answeredAtMs !== null;
  return hasAnswered || node.cameFrom === null ? nodeInUse(node) : node.cameFrom;
}

function withNodeVisited({ node, knownNodes }: SessionState): KnownNodes {
  const { visited } = knownNodes;
  const isVisited = visited.some(({ name }) => name === nodeName(node));
  const isAddress = node.label === '' && node.address !== '';
  return {
    ...knownNodes,
    visited: isAddress && !isVisited ? [...visited, nodeInUse(node)] : visited,
  };
}
