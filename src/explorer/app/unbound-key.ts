import type { Action } from '../core/action.ts';
import type { SessionState } from '../core/state.ts';
import { isTyping, modeOf } from './focus.ts';
import { bindingFor } from './keymap.ts';
import { otherKeyInLayer } from './layers.ts';

/** What comes of a key that has no meaning now: what the screen on top makes of it, else a word that it does nothing. */
export function unboundKey(state: SessionState, key: string): readonly Action[] {
  const mode = modeOf(state);
  if (isTyping(mode)) return [];
  const inLayer = mode === 'layer' || mode === 'layer-overlay' ? otherKeyInLayer(state, key) : undefined;
  if (inLayer !== undefined) return [inLayer];
  const hint = bindingFor(state, '?') === undefined ? '' : '; ? shows the keys';
  return [{ type: 'noticed', text: `${key} does nothing here${hint}` }];
}
