import type { Notice, RefusedKey } from '../core/action.ts';
import { layersKeptByTabs } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { notifyRoots } from './layers.ts';

export const withNotice = (
  state: SessionState,
  text: string,
  tone: Notice['tone'] = 'info',
  refused?: RefusedKey,
): SessionState => ({
  ...state,
  notice: { text, tone, ...(refused !== undefined && { refused }) },
});

/** Shows a tab. */
export function showTab(state: SessionState, tab: string, isAgain = false): SessionState {
  const arrived = { ...state, tab, layers: layersKeptByTabs(state) };
  return notifyRoots(arrived, id => (id === tab ? { type: 'arrived', isAgain } : undefined));
}
