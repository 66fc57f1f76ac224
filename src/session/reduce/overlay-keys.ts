import { layoutOf } from '../model/layout.ts';
import type { Confirm, Menu, Overlay, Prompt, ValueView } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import { valueLines } from '../model/value-lines.ts';
import type { Action, KeyAction } from './action.ts';
import { moved } from './browse.ts';
import { runCommand } from './command.ts';
import { menuItems } from './menu.ts';
import { withField, withNotice } from './transitions.ts';

/** What a key over an overlay leaves, and what is to be done to that: the choice of a menu, a command line. */
export interface Chosen {
  readonly state: SessionState;
  readonly actions: readonly Action[];
}

const chosen = (state: SessionState, actions: readonly Action[] = []): Chosen => ({ state, actions });

/** Keys while something lies over the screen. */
export function overlayKey(state: SessionState, overlay: Overlay, action: KeyAction): Chosen {
  if (action.type === 'back') return chosen(closeOverlay(state, overlay));
  switch (overlay.kind) {
    case 'menu':
      return menuKey(state, overlay, action);
    case 'prompt':
      return action.type === 'accept' ? acceptPrompt(state, overlay) : chosen(state);
    case 'confirm':
      return chosen(action.type === 'accept' ? acceptConfirm(state, overlay) : state);
    case 'value':
      return chosen(scrollValue(state, overlay, action));
  }
}

function closeOverlay(state: SessionState, overlay: Overlay): SessionState {
  if (overlay.kind === 'menu' && overlay.isFiltering)
    return { ...state, overlay: { ...overlay, isFiltering: false, query: '', cursor: 0 } };
  // Leaving a search without Enter leaves nothing searched for.
  return { ...withField(state, ''), overlay: null };
}

function menuKey(state: SessionState, menu: Menu, action: KeyAction): Chosen {
  const items = menuItems(state, menu);
  switch (action.type) {
    case 'move':
    case 'move-to': {
      const { row } = moved({ row: menu.cursor, top: 0 }, action, items.length, layoutOf(state).menuRows);
      return chosen({ ...state, overlay: { ...menu, cursor: row } });
    }
    case 'filter-menu':
      return chosen({ ...state, overlay: { ...menu, isFiltering: true } });
    case 'accept': {
      const item = items[menu.cursor];
      if (item === undefined) return chosen(state);
      if (item.off !== undefined) return chosen(withNotice(state, item.off));
      // A column list stays open: several are turned on and off in one go.
      return chosen(menu.id === 'columns' ? state : { ...state, overlay: null }, [item.action]);
    }
    default:
      return chosen(state);
  }
}

function acceptPrompt(state: SessionState, prompt: Prompt): Chosen {
  const closed: SessionState = { ...state, overlay: null };
  if (prompt.id === 'find' || prompt.id === 'inspector-find') return chosen(closed);
  const outcome =
    prompt.id === 'page-size' ? runCommand(state, `size ${prompt.value}`) : runCommand(state, prompt.value);
  if ('problem' in outcome) return chosen({ ...state, overlay: { ...prompt, problem: outcome.problem } });
  return chosen(closed, outcome.actions);
}

function acceptConfirm(state: SessionState, confirm: Confirm): SessionState {
  const closed: SessionState = { ...state, overlay: null };
  if (confirm.id === 'quit') return { ...closed, isEnded: true };
  if (confirm.id === 'overwrite') return { ...closed, wizard: { ...state.wizard, mayOverwrite: true, step: 'review' } };
  return state.job?.status === 'running' ? { ...closed, job: { ...state.job, isCancelling: true } } : closed;
}

function scrollValue(state: SessionState, view: ValueView, action: KeyAction): SessionState {
  if (action.type !== 'move' && action.type !== 'move-to') return state;
  const height = layoutOf(state).bodyRows - 1;
  const count = valueLines(view.text, state.screen.columns).length;
  const direction =
    action.type === 'move'
      ? action.direction * (action.by === 'line' ? 1 : height)
      : action.end === 'start'
        ? -count
        : count;
  return { ...state, overlay: { ...view, top: Math.max(0, Math.min(view.top + direction, count - height)) } };
}
