import { baseAddress, isAddress, shownAddress } from '../../../chain/api/request.ts';
import type { OpeningVerb, SharedState } from '../../core/screen.ts';
import { open } from '../../openings.ts';
import { offeredNodes } from '../../services/node/nodes.ts';
import type { OfferedNode } from '../../services/node/offered-node.ts';

/** `:node`: another node, or the list of nodes. */
export const NODE_VERB: OpeningVerb = {
  needs: 'other-node',
  help: ['node [NAME|URL|demo]', 'another node, - for the previous one; without a name: a list'],
  read: (shared, words) => {
    const [action = ''] = words;
    if (SETTINGS_ACTIONS.includes(action)) return { problem: `in a shell: blockglass node ${words.join(' ')}` };
    const word = (action === 'use' ? words.slice(1) : words).join(' ');
    if (word === '' || word === 'list') return { messages: [open('nodes', null)] };
    const to = nodeNamed(shared, word);
    return 'problem' in to ? to : { messages: [{ type: 'choose-node', to }] };
  },
  complete: ({ node, knownNodes }) => offeredNodes(node, knownNodes).map(({ name }) => name),
};

/** They change the settings. */
const SETTINGS_ACTIONS = ['add', 'remove'];

/** `:status`: the list of nodes. */
export const NODES_VERB: OpeningVerb = {
  needs: 'other-node',
  help: ['status', 'nodes: their health; switch'],
  read: () => ({ messages: [open('nodes', null)] }),
};

/** The node that a word of the command line stands for, or the problem with it. */
function nodeNamed({ node, knownNodes }: SharedState, word: string): OfferedNode | { readonly problem: string } {
  const offered = offeredNodes(node, knownNodes);
  const known = offered.find(({ name }) => name === word);
  if (known !== undefined) return known;
  if (word === '-') return node.cameFrom ?? { problem: 'no previous node to go back to' };
  if (!isAddress(word)) return { problem: `no node "${word}": there are ${listSomeNames(offered)}, or an address` };
  try {
    const shown = shownAddress(baseAddress(word));
    return { choice: { kind: 'address', address: word }, name: shown, address: shown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function listSomeNames(nodes: readonly OfferedNode[]): string {
  const more = nodes.length > MAX_NAMES_LISTED ? ` and ${nodes.length - MAX_NAMES_LISTED} more (N lists them)` : '';
  return `${nodes
    .slice(0, MAX_NAMES_LISTED)
    .map(({ name }) => name)
    .join(', ')}${more}`;
}

const MAX_NAMES_LISTED = 8;
