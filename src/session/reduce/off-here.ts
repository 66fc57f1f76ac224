import type { SessionState } from '../model/state.ts';
import type { Binding } from './binding.ts';
import { shiftProblem } from './columns-by-hand.ts';
import { offReason } from './keymap.ts';
import { menuItems } from './menu.ts';

/** Why a key does nothing now: by its row of the key table, or by the line of the menu that the cursor is on. */
export const offHere = (state: SessionState, binding: Binding): string | undefined =>
  offReason(state, binding) ?? offInMenu(state, binding);

function offInMenu(state: SessionState, { action }: Binding): string | undefined {
  const { overlay } = state;
  if (overlay?.kind !== 'menu') return undefined;
  if (action.type === 'shift-column') return shiftProblem(state, overlay, action.direction);
  if (action.type !== 'accept') return undefined;
  const item = menuItems(state, overlay)[overlay.cursor];
  return item === undefined ? 'nothing here matches' : item.off;
}
