import { SCREENS } from '../../explorer/screens/registry.ts';
import type { SessionState } from '../model/state.ts';
import { isViewing } from './viewer-state.ts';

/** A node that was not asked is, once something of it is wanted; tables on the disk want nothing of any. */
export function withNodeAsked(state: SessionState): SessionState {
  const { node, layers } = state;
  if (node.status !== 'unasked') return state;
  const isWanted = !isViewing(state) || layers.some(({ screen }) => SCREENS[screen]?.needsNode === true);
  return isWanted ? { ...state, node: { ...node, status: 'starting' } } : state;
}

/** The table was all that was asked for: behind it is nothing. */
export const isAllThereIs = ({ node }: SessionState): boolean => node.status === 'unasked';
