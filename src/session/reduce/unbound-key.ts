import type { Action } from '../model/action.ts';
import { isTyping, modeOf } from '../model/mode.ts';
import type { Menu } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import { bindingFor, offReason } from './keymap.ts';
import { otherKeyInLayer } from './layers.ts';
import { menuItems } from './menu.ts';

/** What comes of a key that has no meaning now: what the menu that shows it says, else a word that it does nothing. */
export function unboundKey(state: SessionState, key: string): readonly Action[] {
  const mode = modeOf(state);
  if (isTyping(mode)) return [];
  const inLayer = mode === 'layer' || mode === 'layer-overlay' ? otherKeyInLayer(state, key) : undefined;
  if (inLayer !== undefined) return [inLayer];
  const { overlay } = state;
  const inMenu = overlay?.kind === 'menu' ? shownInMenu(state, overlay, key) : [];
  if (inMenu.length > 0) return inMenu;
  const hint = bindingFor(state, '?') === undefined ? '' : '; ? shows the keys';
  return [{ type: 'noticed', text: `${key} does nothing here${hint}` }];
}

/** In the others a mark is no key: `v` stands for a descending sort. */
const SHOWS_KEYS: readonly Menu['id'][] = ['help', 'go', 'go-all'];

/** A key that one line shows does what that line does; where several show it, it goes from one to the next. */
function shownInMenu(state: SessionState, menu: Menu, key: string): readonly Action[] {
  if (!SHOWS_KEYS.includes(menu.id)) return [];
  const isShown = menuItems(state, menu).map(({ mark }) => mark.split(' ').includes(key));
  const below = isShown.indexOf(true, menu.cursor + 1);
  const index = below < 0 ? isShown.indexOf(true) : below;
  if (index < 0) return [];
  if (menu.id === 'help') return asBelow({ ...state, overlay: null }, key);
  const select = { type: 'select-line', pane: 'menu', index } as const;
  return isShown.filter(Boolean).length === 1 ? [select, { type: 'accept' }] : [select];
}

/** The help shows the keys of what lies below it: they work from there, each digit with its tab. */
function asBelow(below: SessionState, key: string): readonly Action[] {
  const binding = bindingFor(below, key);
  if (binding === undefined) return [];
  const off = offReason(below, binding);
  return off === undefined ? [{ type: 'back' }, binding.action] : [{ type: 'noticed', text: off }];
}
