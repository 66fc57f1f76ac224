import type { Fact } from '../model/action.ts';
import { answered } from '../model/contact.ts';
import { heightIn } from '../model/height.ts';
import type { NodeState, SessionState } from '../model/state.ts';

/** Takes note of how the node stands to its core; which build answers is asked for anew with it. */
export function coreKnown(
  state: SessionState,
  { core, facts }: Extract<Fact, { readonly type: 'chain-known' }>,
): SessionState {
  const { node } = state;
  // It came with what else is asked of the node, which was not asked for its core.
  if (core === undefined) return state;
  // Where no list was shown nothing else tells of its newest block.
  const height = node.height ?? (facts && heightIn(facts, core.atMs)) ?? null;
  const heard = facts === undefined ? node : answered(node, core.atMs);
  const asked = { ...heard, core, height, isChainDoubted: false, build: { ...node.build, isDoubted: true } };
  return { ...state, node: asked };
}

export const buildKnown = (state: SessionState, version: string): SessionState => ({
  ...state,
  node: { ...state.node, build: { version, isDoubted: false } },
});

/** Behind a page it is asked for again, if it is of a while ago; behind a reload by hand sooner, which wants to know. */
export function standingAgain(node: NodeState, isByHand: boolean): NodeState {
  const freshMs = isByHand ? FRESH_MS : KNOWN_MS;
  if (node.core === null || Math.abs(node.nowMs - node.core.atMs) < freshMs) return node;
  return { ...node, isChainDoubted: true };
}

const FRESH_MS = 10_000;
const KNOWN_MS = 60_000;
