import type { Choice } from '../../core/choice.ts';
import type { ChoiceList } from '../../core/choices.ts';
import type { OfferedNode, ProbeAnswer } from '../../services/node/offered-node.ts';

/** Nodes to switch to, and what each of them answers. */
export interface NodePicker {
  readonly list: ChoiceList;
  /** Null until the settings are read. */
  readonly offered: readonly OfferedNode[] | null;
  /** When they were asked; null until they are known. */
  readonly askedAtMs: number | null;
  /** What each of them answered; null while it is asked. */
  readonly answers: readonly (ProbeAnswer | null)[];
  /** Why the profiles of the settings are not among them. */
  readonly problem: string | null;
}

/** By chain, how many nodes have named a block of it, and the newest of those. */
export type ChainHeads = ReadonlyMap<string, { readonly nodes: number; readonly best: bigint }>;

export function chainHeads(answers: NodePicker['answers']): ChainHeads {
  const heads = new Map<string, { readonly nodes: number; readonly best: bigint }>();
  for (const answer of answers) {
    if (answer?.kind !== 'answered' || answer.block === null || answer.chainId === '') continue;
    const { nodes, best } = heads.get(answer.chainId) ?? { nodes: 0, best: 0n };
    const height = BigInt(answer.block);
    heads.set(answer.chainId, { nodes: nodes + 1, best: height > best ? height : best });
  }
  return heads;
}

/** Blocks that a node is behind the best one on its chain that has answered; undefined where no other has. */
export function blocksBehind(answer: ProbeAnswer, heads: ChainHeads): bigint | undefined {
  if (answer.kind !== 'answered' || answer.block === null) return undefined;
  const head = heads.get(answer.chainId);
  return head === undefined || head.nodes < 2 ? undefined : head.best - BigInt(answer.block);
}

/** A node as a choice: what it answered is drawn beside it, and found by the filter. */
export interface NodeChoiceItem extends Choice {
  readonly node: OfferedNode;
  readonly answer: ProbeAnswer | null;
}

/** All nodes that are offered. */
export function nodeChoices({ offered, answers }: NodePicker): readonly NodeChoiceItem[] {
  const heads = chainHeads(answers);
  return (offered ?? []).map((node, index) => {
    const answer = answers[index] ?? null;
    const detail = [node.address, ...wordsOf(answer, heads)].filter(text => text !== '').join(', ');
    return { mark: '', label: node.name, detail, action: { type: 'choose-node', to: node }, node, answer };
  });
}

function wordsOf(answer: ProbeAnswer | null, heads: ChainHeads): readonly string[] {
  if (answer === null) return ['asking'];
  switch (answer.kind) {
    case 'not-started':
      return ['starts when it is chosen'];
    case 'failed':
      return [answer.problem];
    case 'answered': {
      const { chainId, block, latencyMs, version } = answer;
      const behind = blocksBehind(answer, heads);
      const height = block === null ? '' : `block ${block}`;
      return [chainId, height, ...(behind === undefined ? [] : [`${behind} behind`]), `${latencyMs} ms`, version];
    }
  }
}

/** Lines above the nodes, and of the nodes themselves, in a body of so many rows. */
export function pickerLines({ problem }: NodePicker, bodyRows: number): PickerLines {
  // Title, a blank, heading; below the nodes a blank and two lines on the selected one, or one where there is little room.
  const above = problem === null ? 3 : 4;
  const isLow = bodyRows < LOW_ROWS;
  return { above, isLow, nodes: Math.max(1, bodyRows - above - (isLow ? 1 : 3)) };
}

export interface PickerLines {
  readonly above: number;
  readonly nodes: number;
  readonly isLow: boolean;
}

const LOW_ROWS = 10;
