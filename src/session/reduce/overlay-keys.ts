import { moved } from '../../explorer/core/moving.ts';
import { withEntered } from '../../explorer/services/history/history.ts';
import type { Action, KeyAction } from '../model/action.ts';
import { layoutOf } from '../model/layout.ts';
import type { Menu, Prompt } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import { NO_PARTY, partyTyped } from './ask-export.ts';
import { resizeColumn, shiftColumn } from './columns-by-hand.ts';
import { runCommand } from './command.ts';
import { menuItems } from './menu.ts';
import { isFor, type KeyIn } from './place.ts';
import { complete, recall } from './prompt-line.ts';
import { saveAs } from './save.ts';
import { withField, withNotice } from './transitions.ts';

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
    case 'prompt':
      return isFor('prompt', action) ? promptKey(state, overlay, action) : chosen(state);
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

function promptKey(state: SessionState, prompt: Prompt, action: KeyIn<'prompt'>): Chosen {
  switch (action.type) {
    case 'complete':
      return chosen(complete(state, prompt, action.direction));
    case 'recall':
      return chosen(recall(state, prompt, action.direction));
    case 'accept':
      return acceptPrompt(state, prompt);
    case 'back':
      // Leaving a search without Enter leaves nothing searched for.
      return chosen(closed(withField(state, '')));
  }
}

function acceptPrompt(state: SessionState, prompt: Prompt): Chosen {
  switch (prompt.id) {
    case 'find':
    case 'inspector-find':
      return chosen(closed(state));
    case 'party':
      if (partyTyped(state, prompt.value) === undefined)
        return chosen({ ...state, overlay: { ...prompt, problem: NO_PARTY } });
      return chosen(closed(state), [{ type: 'in-viewer', choice: { kind: 'ask-party', party: prompt.value } }]);
    case 'viewer-find':
      return chosen(closed(state), [{ type: 'in-viewer', choice: { kind: 'find', text: prompt.value } }]);
    case 'save':
      return chosen(saveAs(state, prompt.value));
    case 'page-size':
      return runLine(state, prompt, `size ${prompt.value}`);
    case 'command':
      return remembered(prompt.value, runLine(state, prompt, prompt.value));
  }
}

function runLine(state: SessionState, prompt: Prompt, line: string): Chosen {
  const outcome = runCommand(state, line);
  if ('problem' in outcome) return chosen({ ...state, overlay: { ...prompt, problem: outcome.problem } });
  return chosen(closed(state), outcome.actions);
}

// A line that something was wrong with stays in the field.
function remembered(line: string, { state, actions }: Chosen): Chosen {
  if (state.overlay !== null) return { state, actions };
  const ticket = state.ticket + 1;
  return chosen({ ...state, ticket, history: withEntered(state.history, line, ticket) }, actions);
}
