import { MAX_ANSWER_AGE_MS } from './health.ts';
import type { NodeState } from './node.ts';
import { type ComparedNodes, DEMO, type OfferedNode } from './offered-node.ts';

/** Nodes other than the one in use. */
export interface KnownNodes {
  /** Those of the settings, once these are read. */
  readonly profiles: readonly OfferedNode[];
  /** Addresses that were in use and have no profile. */
  readonly visited: readonly OfferedNode[];
  /** How they stood when they were compared last; null while they never were. */
  readonly compared: ComparedNodes | null;
}

export const NO_KNOWN_NODES: KnownNodes = { profiles: [], visited: [], compared: null };

/** What the node in use is called on the screen. */
export const nodeName = ({ label, address }: Pick<NodeState, 'label' | 'address'>): string =>
  label === '' ? address : label;

/** The node in use, as one comes back to it. */
export const nodeInUse = ({ choice, address, colour, ...node }: NodeState): OfferedNode => ({
  choice,
  name: nodeName({ ...node, address }),
  address,
  ...(colour !== null && { colour }),
});

/** The node that one came from, while the one switched to has shown nothing. */
export const previousNode = ({ cameFrom, hasAnswered }: NodeState): OfferedNode | undefined =>
  hasAnswered ? undefined : (cameFrom ?? undefined);

/** Everything there is to switch to, each name once: profiles, addresses that were in use, the embedded node. */
export function offeredNodes(node: NodeState, { profiles, visited }: KnownNodes): readonly OfferedNode[] {
  const used = nodeInUse(node);
  const all = [...profiles, ...(used.name === '' ? [] : [used]), ...visited, DEMO];
  const seen = new Set<string>();
  return all.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** How the nodes that are not in use stood when they were compared last; undefined some minutes afterwards. */
export function recentlyComparedNodes(node: NodeState, { compared }: KnownNodes): ComparedNodes | undefined {
  if (compared === null || node.nowMs - compared.atMs >= MAX_ANSWER_AGE_MS) return undefined;
  const nodes = compared.nodes.filter(other => other.node.name !== nodeName(node));
  return nodes.length === 0 ? undefined : { ...compared, nodes };
}
