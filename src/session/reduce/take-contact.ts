import type { Fact } from '../model/action.ts';
import { answered, refused, unanswered } from '../model/contact.ts';
import { heightIn } from '../model/height.ts';
import { move } from '../model/pager.ts';
import type { SessionState } from '../model/state.ts';
import { chainKnown } from './take-names.ts';
import { withWish } from './transitions.ts';

type ContactFact = Extract<
  Fact,
  { readonly type: 'check-due' | 'checked' | 'check-failed' | 'node-silent' | 'node-refused' }
>;

/** Takes note of whether the node answers. */
export function takeContact(state: SessionState, fact: ContactFact): SessionState {
  const { node } = state;
  switch (fact.type) {
    case 'check-due': {
      const ticket = state.ticket + 1;
      return { ...state, ticket, node: { ...node, checking: ticket } };
    }
    case 'checked':
      return node.checking === fact.ticket ? checked(state, fact) : state;
    case 'check-failed': {
      if (node.checking !== fact.ticket) return state;
      const blockedUntilMs = Math.max(node.blockedUntilMs, fact.retryAtMs);
      // Whatever it failed of, the next one is not asked for at once.
      const contact = { ...node.contact, knownAtMs: fact.atMs };
      return { ...state, node: { ...node, nowMs: fact.atMs, checking: null, blockedUntilMs, contact } };
    }
    case 'node-silent':
      return { ...state, node: unanswered(node, fact.atMs) };
    case 'node-refused':
      return { ...state, node: fact.isByNode ? answered(node, fact.atMs) : refused(node, fact.atMs) };
  }
}

function checked(
  state: SessionState,
  { core, facts, chainId }: Extract<Fact, { readonly type: 'checked' }>,
): SessionState {
  const { node } = state;
  const height = heightIn(facts, core.atMs) ?? node.height;
  const known = chainKnown(
    { ...state, node: { ...answered(node, core.atMs), core, height, checking: null, blockedUntilMs: 0 } },
    chainId,
  );
  return node.contact.silentSinceMs === null ? known : askedAgain(known);
}

// What could not be had while the node was away.
function askedAgain(state: SessionState): SessionState {
  const failure = state.browsers[state.tab]?.failure;
  if (failure?.kind !== 'network' && failure?.kind !== 'timeout') return state;
  return withWish(state, state.tab, (shown, ticket) => move(shown, 'reload', ticket));
}
