import type { Notice, RefusedKey } from '../core/action.ts';
import { layersOfTabs } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { tellRoots } from './layers.ts';

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
export function arriveAtTab(state: SessionState, tab: string, isAgain = false): SessionState {
  const arrived = { ...state, tab, layers: layersOfTabs(state) };
  return tellRoots(arrived, id => (id === tab ? { type: 'arrived', isAgain } : undefined));
}

/** Shows a tab with nothing over it. */
export const toRoot = (state: SessionState, tab: string): SessionState =>
  arriveAtTab({ ...state, layers: state.layers.filter(layer => layer.isRoot || layer.tab !== tab) }, tab);
