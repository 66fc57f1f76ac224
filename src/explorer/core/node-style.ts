import type { NodeState } from '../services/node/node.ts';
import type { Style } from './line.ts';

/** How the name of a node is drawn: in the colour of its profile, if it has one. */
export const nodeStyle = (colour: NodeState['colour']): Style => (colour === null ? 'accent' : `node-${colour}`);
