import { DEMO, type Nodes, type OfferedNode, type Picker, type ProbeAnswer } from './nodes.ts';
import type { NodeState } from './state.ts';

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
  return all.filter(({ name }, index) => all.findIndex(other => other.name === name) === index);
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

/** Blocks that a node is behind the best of those on its chain that have answered; undefined where none but itself has. */
export function blocksBehind(answer: ProbeAnswer, answers: Picker['answers']): bigint | undefined {
  if (answer.kind !== 'answered' || answer.block === null || answer.chainId === '') return undefined;
  const heights = answers.flatMap(other =>
    other?.kind === 'answered' && other.chainId === answer.chainId && other.block !== null ? [BigInt(other.block)] : [],
  );
  if (heights.length < 2) return undefined;
  const best = heights.reduce((high, height) => (height > high ? height : high), 0n);
  return best - BigInt(answer.block);
}
