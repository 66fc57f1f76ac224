import { baseAddress, isAddress, shownAddress } from '../../api/request.ts';
import type { Fact } from '../model/action.ts';
import type { OfferedNode, Picker, ProbeAnswer } from '../model/nodes.ts';
import { blocksBehind, type ChainHeads, chainHeads, offeredNodes } from '../model/nodes-in-use.ts';
import type { Menu } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import type { MenuItem } from './menu-item.ts';

const MENU: Menu = { kind: 'menu', id: 'nodes', cursor: 0, query: '', isFiltering: false };

/** Opens the picker: settings and nodes are asked anew each time, and not before. */
export function openPicker(state: SessionState): SessionState {
  const ticket = state.ticket + 1;
  const picker: Picker = { ticket, offered: null, askedAtMs: null, answers: [], problem: null };
  return { ...state, ticket, overlay: MENU, nodes: { ...state.nodes, picker } };
}

/** Takes note of the profiles that there are now: each node is asked from here on. */
export function nodesKnown(
  state: SessionState,
  { ticket, profiles, problem, atMs }: Omit<Extract<Fact, { readonly type: 'nodes-known' }>, 'type'>,
): SessionState {
  const { picker } = state.nodes;
  if (picker?.ticket !== ticket) return state;
  const nodes = { ...state.nodes, profiles: profiles ?? state.nodes.profiles };
  const offered = offeredNodes(state.node, nodes);
  const known = { ...picker, offered, askedAtMs: atMs, answers: offered.map(() => null), problem };
  return { ...state, nodes: { ...nodes, picker: known } };
}

export function nodeProbed(
  state: SessionState,
  { ticket, index, answer }: { readonly ticket: number; readonly index: number; readonly answer: ProbeAnswer },
): SessionState {
  const { picker } = state.nodes;
  if (picker?.ticket !== ticket || picker.answers[index] !== null) return state;
  const answers = picker.answers.with(index, answer);
  return { ...state, nodes: { ...state.nodes, picker: { ...picker, answers } } };
}

/** Each node that is offered; what it answered is drawn beside it. */
export function nodeItems({ nodes: { picker } }: SessionState): readonly MenuItem[] {
  const { offered, answers } = picker ?? { offered: null, answers: [] };
  const heads = chainHeads(answers);
  return (offered ?? []).map((to, index) => ({
    mark: '',
    label: to.name,
    detail: [to.address, ...wordsOf(answers[index] ?? null, heads)].filter(text => text !== '').join(', '),
    action: { type: 'choose-node', to },
  }));
}

/** What a search in the list finds, and what is read out. */
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

/** What `:node` may be followed by. */
export const nodeWords = ({ node, nodes }: SessionState): readonly string[] =>
  offeredNodes(node, nodes).map(({ name }) => name);

/** The node that a word of the command line means, or what is wrong with it. */
export function nodeNamed({ node, nodes }: SessionState, word: string): OfferedNode | { readonly problem: string } {
  const offered = offeredNodes(node, nodes);
  const known = offered.find(({ name }) => name === word);
  if (known !== undefined) return known;
  if (word === '-') return node.cameFrom ?? { problem: 'there is no node to go back to' };
  if (!isAddress(word)) return { problem: `no node "${word}": there are ${fewOf(offered)}, or an address` };
  try {
    const shown = shownAddress(baseAddress(word));
    return { choice: { kind: 'address', address: word }, name: shown, address: shown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function fewOf(nodes: readonly OfferedNode[]): string {
  const more = nodes.length > MOST_NAMED ? ` and ${nodes.length - MOST_NAMED} more (N lists them)` : '';
  return `${nodes
    .slice(0, MOST_NAMED)
    .map(({ name }) => name)
    .join(', ')}${more}`;
}

const MOST_NAMED = 8;
