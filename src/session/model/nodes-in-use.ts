import { DEMO, type Nodes, type OfferedNode, type Picker, type ProbeAnswer } from './nodes.ts';
import type { NodeState } from './state.ts';
import { OLD_MS } from './trust.ts';

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
export const wayBack = ({ cameFrom, hasAnswered }: NodeState): OfferedNode | undefined =>
  hasAnswered ? undefined : (cameFrom ?? undefined);

/** Everything there is to switch to, each name once: profiles, addresses that were in use, the embedded node. */
export function offeredNodes(node: NodeState, { profiles, visited }: Nodes): readonly OfferedNode[] {
  const used = nodeInUse(node);
  const all = [...profiles, ...(used.name === '' ? [] : [used]), ...visited, DEMO];
  const seen = new Set<string>();
  return all.filter(({ name }) => !seen.has(name) && seen.add(name));
}

export interface OtherNodes {
  /** When they were asked: nobody asks them but the picker. */
  readonly atMs: number;
  readonly nodes: readonly {
    readonly node: OfferedNode;
    readonly answer: Exclude<ProbeAnswer, { readonly kind: 'not-started' }>;
  }[];
}

/** How the nodes that are not in use stood when the picker was last open, as far as they had answered; undefined a while afterwards. */
export function otherNodes(node: NodeState, { picker }: Nodes): OtherNodes | undefined {
  if (picker?.askedAtMs == null || node.nowMs - picker.askedAtMs >= OLD_MS) return undefined;
  const nodes = (picker.offered ?? []).flatMap((other, index) => {
    const answer = picker.answers[index] ?? null;
    const isOther = other.name !== nodeName(node);
    return isOther && answer !== null && answer.kind !== 'not-started' ? [{ node: other, answer }] : [];
  });
  return nodes.length === 0 ? undefined : { atMs: picker.askedAtMs, nodes };
}

/** Lines of the picker above its nodes, and of the nodes themselves, on a body of so many. */
export function pickerLines(picker: Picker | null, bodyRows: number): PickerLines {
  // Title, a blank, heading; below the nodes a blank and two lines on the selected one, or one where there is little room.
  const above = picker?.problem == null ? 3 : 4;
  const isLow = bodyRows < LOW_ROWS;
  return { above, isLow, nodes: Math.max(1, bodyRows - above - (isLow ? 1 : 3)) };
}

export interface PickerLines {
  readonly above: number;
  readonly nodes: number;
  readonly isLow: boolean;
}

const LOW_ROWS = 10;

/** By chain, how many nodes have told a block of it, and the newest of those. */
export type ChainHeads = ReadonlyMap<string, { readonly nodes: number; readonly best: bigint }>;

export function chainHeads(answers: Picker['answers']): ChainHeads {
  const heads = new Map<string, { readonly nodes: number; readonly best: bigint }>();
  for (const answer of answers) {
    if (answer?.kind !== 'answered' || answer.block === null || answer.chainId === '') continue;
    const { nodes, best } = heads.get(answer.chainId) ?? { nodes: 0, best: 0n };
    const height = BigInt(answer.block);
    heads.set(answer.chainId, { nodes: nodes + 1, best: height > best ? height : best });
  }
  return heads;
}

/** Blocks that a node is behind the best of those on its chain that have answered; undefined where none but itself has. */
export function blocksBehind(answer: ProbeAnswer, heads: ChainHeads): bigint | undefined {
  if (answer.kind !== 'answered' || answer.block === null) return undefined;
  const head = heads.get(answer.chainId);
  return head === undefined || head.nodes < 2 ? undefined : head.best - BigInt(answer.block);
}
