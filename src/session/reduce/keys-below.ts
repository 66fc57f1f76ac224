import type { SessionState } from '../model/state.ts';
import type { Binding } from './binding.ts';
import { bindingsOf } from './keymap.ts';

/** The keys of what lies below the prompt. Where a digit leads is not in its title. */
export const bindingsBelow = (state: SessionState): readonly Binding[] =>
  bindingsOf({ ...state, overlay: null }).filter(({ action }) => action.type !== 'go-to-tab');
