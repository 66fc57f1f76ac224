import { layoutOf } from '../model/layout.ts';
import type { Confirm, Menu, Overlay, Prompt } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import { valueLines } from '../model/value-lines.ts';
import type { Action, KeyAction } from './action.ts';
import { moved } from './browse.ts';
import { runCommand } from './command.ts';
import { menuItems } from './menu.ts';
import { reduce } from './reduce.ts';
import { withNotice } from './transitions.ts';

/** Keys while something lies over the screen. */
export function overlayKey(state: SessionState, overlay: Overlay, action: KeyAction): SessionState {
  if (action.type === 'back') return closeOverlay(state, overlay);
  switch (overlay.kind) {
    case 'menu':
      return menuKey(state, overlay, action);
    case 'prompt':
      return action.type === 'accept' ? acceptPrompt(state, overlay) : state;
    case 'confirm':
      return action.type === 'accept' ? acceptConfirm(state, overlay) : state;
    case 'value': {
      if (action.type !== 'move' && action.type !== 'move-to') return state;
      const height = layoutOf(state).bodyRows - 1;
      const count = valueLines(overlay.text, state.screen.columns).length;
      const direction =
        action.type === 'move'
          ? action.direction * (action.by === 'line' ? 1 : height)
          : action.end === 'start'
            ? -count
            : count;
      return {
        ...state,
        overlay: { ...overlay, top: Math.max(0, Math.min(overlay.top + direction, count - height)) },
      };
    }
  }
}

function closeOverlay(state: SessionState, overlay: Overlay): SessionState {
  if (overlay.kind === 'menu' && overlay.isFiltering)
    return { ...state, overlay: { ...overlay, isFiltering: false, query: '', cursor: 0 } };
  // Leaving a search without Enter leaves nothing searched for.
  return { ...reduce(state, { type: 'type-text', value: '' }), overlay: null };
}

function menuKey(state: SessionState, menu: Menu, action: KeyAction): SessionState {
  const items = menuItems(state, menu);
  switch (action.type) {
    case 'move':
    case 'move-to': {
      const { row } = moved({ row: menu.cursor, top: 0 }, action, items.length, layoutOf(state).menuRows);
      return { ...state, overlay: { ...menu, cursor: row } };
    }
    case 'filter-menu':
      return { ...state, overlay: { ...menu, isFiltering: true } };
    case 'accept': {
      const item = items[menu.cursor];
      if (item === undefined) return state;
      if (item.off !== undefined) return withNotice(state, item.off);
      // A column list stays open: several are turned on and off in one go.
      if (menu.id === 'columns') return reduce(state, item.action);
      return reduce({ ...state, overlay: null }, item.action);
    }
    default:
      return state;
  }
}

function acceptPrompt(state: SessionState, prompt: Prompt): SessionState {
  const closed: SessionState = { ...state, overlay: null };
  if (prompt.id === 'find' || prompt.id === 'inspector-find') return closed;
  const outcome =
    prompt.id === 'page-size' ? runCommand(state, `size ${prompt.value}`) : runCommand(state, prompt.value);
  if ('problem' in outcome) return { ...state, overlay: { ...prompt, problem: outcome.problem } };
  return outcome.actions.reduce((next: SessionState, action: Action) => reduce(next, action), closed);
}

function acceptConfirm(state: SessionState, confirm: Confirm): SessionState {
  const closed: SessionState = { ...state, overlay: null };
  if (confirm.id === 'quit') return { ...closed, isEnded: true };
  if (confirm.id === 'overwrite') return { ...closed, wizard: { ...state.wizard, mayOverwrite: true, step: 'review' } };
  return state.job?.status === 'running' ? { ...closed, job: { ...state.job, isCancelling: true } } : closed;
}
