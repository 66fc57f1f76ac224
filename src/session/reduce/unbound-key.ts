import { isTyping, modeOf } from '../model/mode.ts';
import type { Menu } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import type { Action } from './action.ts';
import { bindingFor } from './keymap.ts';
import { menuItems } from './menu.ts';

/** What comes of a key that the mode has no row for: the line of a menu that shows it, else a word that it does nothing. */
export function unboundKey(state: SessionState, key: string): Action | undefined {
  const mode = modeOf(state);
  if (isTyping(mode)) return undefined;
  const { overlay } = state;
  const index = overlay?.kind === 'menu' ? markedLine(state, overlay, key) : -1;
  if (index >= 0) return { type: 'select-line', pane: 'menu', index };
  const hint = bindingFor(mode, '?') === undefined ? '' : '; ? shows the keys';
  return { type: 'noticed', text: `${key} does nothing here${hint}` };
}

/** The next line with this key in front of it, the one of the cursor last: several may lead to the same tab. */
function markedLine(state: SessionState, menu: Menu, key: string): number {
  const items = menuItems(state, menu);
  const isMarked = items.map(({ mark }) => mark.split(' ').includes(key));
  const below = isMarked.indexOf(true, menu.cursor + 1);
  return below < 0 ? isMarked.indexOf(true) : below;
}
