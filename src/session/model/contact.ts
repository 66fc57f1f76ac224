import type { Contact, NodeState, SessionState } from './state.ts';

export const NO_CONTACT: Contact = { answeredAtMs: null, silentSinceMs: null, knownAtMs: null };

/** With the limit of a check, a node that hangs is known to within a minute. */
const CHECK_MS = 55_000;

/** One failed request may be the fault of that request alone: the next check decides. */
const DOUBT_MS = 5000;

export const answered = (node: NodeState, atMs: number): NodeState => ({
  ...node,
  nowMs: Math.max(node.nowMs, atMs),
  contact: { answeredAtMs: atMs, silentSinceMs: null, knownAtMs: atMs },
});

/** A refusal that may be a proxy's comes from somebody, but says nothing of the node. */
export const refused = (node: NodeState, atMs: number): NodeState => ({
  ...node,
  nowMs: Math.max(node.nowMs, atMs),
  contact: { ...node.contact, silentSinceMs: null, knownAtMs: atMs },
});

export const unanswered = (node: NodeState, atMs: number): NodeState => ({
  ...node,
  nowMs: Math.max(node.nowMs, atMs),
  contact: { ...node.contact, silentSinceMs: node.contact.silentSinceMs ?? atMs, knownAtMs: atMs },
});

/** How long until the node is to be checked; undefined while it is not. */
export function checkInMs({ node, preferences }: Pick<SessionState, 'node' | 'preferences'>): number | undefined {
  const { contact, nowMs, blockedUntilMs, checking } = node;
  const { knownAtMs, silentSinceMs } = contact;
  if (preferences.nodeCheck === 'off' || knownAtMs === null) return undefined;
  if (checking !== null || blockedUntilMs > nowMs) return undefined;
  return Math.max(0, knownAtMs + (silentSinceMs === knownAtMs ? DOUBT_MS : CHECK_MS) - nowMs);
}
