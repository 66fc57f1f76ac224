import type { SessionState } from '../core/state.ts';
import type { Binding } from './binding.ts';
import { bindingsOf } from './keymap.ts';
import { withoutOverlays } from './layers.ts';

/** The keys of what lies below the prompt. Where a digit leads is not in its title. */
export const bindingsBelow = (state: SessionState): readonly Binding[] =>
  bindingsOf(withoutOverlays(state)).filter(({ action }) => action.type !== 'go-to-tab');
