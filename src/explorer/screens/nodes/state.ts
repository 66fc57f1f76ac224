import { bestHeads, blocksBehind, type ChainHead, type ChainHeads } from '../../../attention/status/compare-nodes.ts';
import { TWO_CHAINS } from '../../../chain/directory/chain-watch.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { compareSegments } from '../../../chain/range/witnesses.ts';
import type { Choice } from '../../core/choice.ts';
import type { ChoiceList } from '../../core/choices.ts';
import type { OfferedNode, ProbeAnswer } from '../../services/node/offered-node.ts';

export type NodeAnswer = Extract<ProbeAnswer, { readonly kind: 'answered' }>;

/** Nodes to switch to, and their answers. */
export interface NodePicker {
  readonly list: ChoiceList;
  /** Null until the settings are read. */
  readonly offered: readonly OfferedNode[] | null;
  /** When they were asked; null until they are known. */
  readonly askedAtMs: number | null;
  /** The answer of each node; null while it is pending. */
  readonly answers: readonly (ProbeAnswer | null)[];
  /** Why the profiles of the settings are not among them. */
  readonly problem: string | null;
}

/** Of the nodes that have answered. */
export const chainHeads = (answers: NodePicker['answers']): ChainHeads =>
  bestHeads(answers.flatMap(answer => (answer?.kind === 'answered' ? [chainHead(answer)] : [])));

export const chainHead = ({ chainId, block }: NodeAnswer): ChainHead => ({
  chainId: chainId === '' ? null : chainId,
  height: block === null ? null : BigInt(block),
});

/** The history reported by the nodes of one chain: each is compared with the first node that lists any. */
interface ComparedHistory {
  /** The first node, which the others are compared with. */
  readonly first: string;
  /** Undefined of the first node itself. */
  readonly found?: ReturnType<typeof compareSegments>;
}

/** By node, where at least two of a chain list their history. */
export function comparedHistories({ offered, answers }: NodePicker): ReadonlyMap<OfferedNode, ComparedHistory> {
  const listed = (offered ?? []).flatMap((node, index) => {
    const answer = answers[index];
    if (answer?.kind !== 'answered' || answer.chainId === '') return [];
    const own = (answer.segments ?? []).filter(({ chainId }) => chainId === answer.chainId);
    return own.length === 0 ? [] : [{ node, own, chainId: answer.chainId }];
  });
  const compared = new Map<OfferedNode, ComparedHistory>();
  for (const [first, ...others] of Map.groupBy(listed, ({ chainId }) => chainId).values()) {
    if (first === undefined || others.length === 0) continue;
    compared.set(first.node, { first: first.node.name });
    for (const { node, own } of others)
      compared.set(node, { first: first.node.name, found: compareSegments(first.own, own) });
  }
  return compared;
}

/** In a column. `same` is about the segments that both list. */
export function historyLabel(compared: ComparedHistory | undefined): 'first' | 'same' | 'differs' | '-' {
  if (compared === undefined) return '-';
  const { found } = compared;
  if (found === undefined) return 'first';
  return found.differs !== null ? 'differs' : found.same === 0 ? '-' : 'same';
}

/** In a sentence; '' where nothing was compared. */
export function historySentence(compared: ComparedHistory | undefined): string {
  if (compared?.found === undefined) return '';
  const { first, found } = compared;
  if (found.differs !== null) {
    const { fromBlock, toBlock } = found.differs;
    return `history differs from ${first}: blocks ${fromBlock} to ${toBlock} have another segment`;
  }
  return found.same === 0
    ? `no history segment in common with ${first}`
    : `same history as ${first}: ${countOf(found.same, 'segment')} with the same id`;
}

/** A node as a choice: its answer is drawn next to it, and matched by the filter. */
export interface NodeChoiceItem extends Choice {
  readonly node: OfferedNode;
  readonly answer: ProbeAnswer | null;
}

/** All nodes that are offered. */
export function nodeChoices(picker: NodePicker): readonly NodeChoiceItem[] {
  const { offered, answers } = picker;
  const heads = chainHeads(answers);
  const histories = comparedHistories(picker);
  return (offered ?? []).map((node, index) => {
    const answer = answers[index] ?? null;
    const detail = [node.address, ...searchableWords(answer, heads), historySentence(histories.get(node))]
      .filter(text => text !== '')
      .join(', ');
    return { mark: '', label: node.name, detail, action: { type: 'choose-node', to: node }, node, answer };
  });
}

function searchableWords(answer: ProbeAnswer | null, heads: ChainHeads): readonly string[] {
  if (answer === null) return ['asking'];
  switch (answer.kind) {
    case 'not-started':
      return ['starts when it is chosen'];
    case 'failed':
      return [answer.problem];
    case 'answered': {
      const { chainId, block, latencyMs, version, mixed } = answer;
      const behind = blocksBehind(chainHead(answer), heads);
      const height = block === null ? '' : `block ${block}`;
      const trust = mixed === undefined ? '' : `${TWO_CHAINS}: ${mixed}`;
      return [chainId, trust, height, ...(behind === null ? [] : [`${behind} behind`]), `${latencyMs} ms`, version];
    }
  }
}

/** How many nodes a body of this height shows. */
export function pickerLayout({ problem }: NodePicker, bodyRows: number): PickerLines {
  // Title, a blank, heading; below the nodes a blank and two lines on the selected one, or one where there is little room.
  const above = problem === null ? 3 : 4;
  const isLow = bodyRows < LOW_ROWS;
  return { isLow, height: Math.max(1, bodyRows - above - (isLow ? 1 : 3)) };
}

interface PickerLines {
  readonly height: number;
  readonly isLow: boolean;
}

const LOW_ROWS = 10;
