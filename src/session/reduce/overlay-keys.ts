import { moved } from '../../explorer/core/moving.ts';
import type { Action, KeyAction } from '../model/action.ts';
import { layoutOf } from '../model/layout.ts';
import type { Menu } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import { resizeColumn, shiftColumn } from './columns-by-hand.ts';
import { menuItems } from './menu.ts';
import { isFor, type KeyIn } from './place.ts';
import { withNotice } from './transitions.ts';

/** What a key over an overlay leaves, and what is to be done to that: the choice of a menu, a command line. */
export interface Chosen {
  readonly state: SessionState;
  readonly actions: readonly Action[];
}

const closed = (state: SessionState): SessionState => ({ ...state, overlay: null });

const chosen = (state: SessionState, actions: readonly Action[] = []): Chosen => ({ state, actions });

/** Keys while something lies over the screen. */
export function overlayKey(state: SessionState, action: KeyAction): Chosen {
  const { overlay } = state;
  switch (overlay?.kind) {
    case 'menu':
      return isFor('menu', action) ? menuKey(state, overlay, action) : chosen(state);
    case undefined:
      return chosen(state);
  }
}

function menuKey(state: SessionState, menu: Menu, action: KeyIn<'menu'>): Chosen {
  const items = menuItems(state, menu);
  switch (action.type) {
    case 'move':
    case 'move-to': {
      const { row } = moved({ row: menu.cursor, top: 0 }, action, items.length, layoutOf(state).menuRows);
      return chosen({ ...state, overlay: { ...menu, cursor: row } });
    }
    case 'resize-column':
      return chosen(resizeColumn(state, menu, action.direction));
    case 'shift-column':
      return chosen(shiftColumn(state, menu, action.direction));
    case 'filter-menu':
      return chosen({ ...state, overlay: { ...menu, isFiltering: true } });
    case 'accept': {
      const item = items[menu.cursor];
      if (item === undefined) return chosen(state);
      if (item.off !== undefined) return chosen(withNotice(state, item.off));
      // A column list stays open: several are turned on and off in one go.
      return chosen(menu.id === 'columns' ? state : closed(state), [item.action]);
    }
    case 'back':
      // Esc leaves the search of a list first.
      return chosen(
        menu.isFiltering ? { ...state, overlay: { ...menu, isFiltering: false, query: '', cursor: 0 } } : closed(state),
      );
  }
}
