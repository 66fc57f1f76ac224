import type { MenuId, PromptId } from '../core/action.ts';
import type { Choice } from '../core/choice.ts';
import type { SessionState } from '../core/state.ts';
import type { HelpOpening } from '../openings.ts';
import type { Binding } from './binding.ts';
import { promptCommands, runCommand } from './commands/command.ts';
import { completionsFor } from './commands/completion.ts';
import { copyItems } from './copying.ts';
import { answerItems, partyPrompt } from './export-results.ts';
import { bindingFor, currentBindings, disabledReasonOf, KEYMAP, keyNamesText } from './keymap.ts';
import { openOver } from './layers.ts';
import { asPage, screenMenuItems, topScreen } from './open-screens.ts';
import { savePrompt } from './saving.ts';

const MENU_TITLES: { readonly [id in Exclude<MenuId, 'keys'>]: string } = {
  copy: 'Copy',
  presets: 'Presets: Enter fills the export',
  'after-export': 'What to do with it',
  answers: 'Ask about the export',
};

/** Opens a menu of the program, or one whose items the screen has that is shown. */
export function openMenu(state: SessionState, id: MenuId): SessionState {
  const choices = (below: SessionState): readonly Choice[] => menuItems(below, id);
  return id === 'keys'
    ? openOver(state, 'help', { choices, pressed: keyBelowHelp, description: helpDescription(state) })
    : openOver(state, 'menu', { id, title: MENU_TITLES[id], choices });
}

/** What a key does without the help over it. */
function keyBelowHelp(below: SessionState, key: string): ReturnType<HelpOpening['pressed']> {
  const binding = bindingFor(below, key);
  if (binding === undefined) return undefined;
  const disabledReason = disabledReasonOf(below, binding);
  return disabledReason === undefined ? { action: binding.action } : { disabledReason };
}

function menuItems(state: SessionState, id: MenuId): readonly Choice[] {
  switch (id) {
    case 'keys':
      return helpItems(state);
    case 'copy':
      return copyItems(state);
    case 'presets':
    case 'after-export':
      return screenMenuItems(state, id);
    case 'answers':
      return answerItems(state);
  }
}

/** The help's description of the current screen. */
function helpDescription(state: SessionState): string {
  const top = topScreen(state);
  const description = asPage(top?.screen)?.description ?? '';
  return typeof description === 'string' ? description : description(top?.layer.state);
}

/** The main keys first, those of movement last. */
function helpItems(below: SessionState): readonly Choice[] {
  const bindings = currentBindings(below);
  const main = bindings
    .filter(binding => isMainKey(binding) && disabledReasonOf(below, binding) === undefined)
    .slice(0, MAIN_KEYS);
  const others = bindings.filter(binding => !main.includes(binding));
  const moves = others.filter(({ group }) => group === 'Move');
  const ordered = [...main, ...others.filter(binding => !moves.includes(binding)), ...moves];
  const items = ordered.map(binding => {
    const disabledReason = disabledReasonOf(below, binding);
    return {
      mark: keyNamesText(binding),
      label: binding.title,
      detail: disabledReason ?? '',
      action: binding.action,
      ...(disabledReason !== undefined && { disabledReason }),
    };
  });
  return [...items, ...fieldItems()];
}

const MAIN_KEYS = 5;

/** Those that the footer names are what a screen is for. */
const isMainKey = ({ footer, group }: Binding): boolean =>
  footer !== undefined && group !== 'Program' && group !== 'Move';

/** Keys that edit a field. Help opens in none, since a question mark is typed there. */
const fieldItems = (): readonly Choice[] =>
  KEYMAP.filter(({ action }) => action.type === 'edit-field').map(binding => ({
    mark: keyNamesText(binding),
    label: binding.title,
    detail: 'in a field',
    action: binding.action,
    disabledReason: 'this key edits a field: / and : open one',
  }));

/** Opens a prompt. */
export function openPrompt(state: SessionState, id: PromptId): SessionState {
  switch (id) {
    case 'command':
      return openOver(state, 'command-line', { run: runCommand, offers: completionsFor, commands: promptCommands });
    case 'party':
      return openOver(state, 'prompt', partyPrompt(state));
    case 'save':
      return openOver(state, 'prompt', savePrompt(state));
  }
}
