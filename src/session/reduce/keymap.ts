import { editText, type TextEdit } from '../../text/edit-text.ts';
import type { KeyAction } from '../model/action.ts';
import { editedField, isProposed } from '../model/field.ts';
import { MODE_OF, modeOf } from '../model/mode.ts';
import type { SessionState } from '../model/state.ts';
import { TABS } from '../model/tabs.ts';
import { arrangementOf } from '../model/whole.ts';
import type { Binding } from './binding.ts';
import { BROWSE_KEYS, type BrowseKey } from './browse-keys.ts';
import { layerBindings, topScreen } from './layers.ts';
import type { ModeFor } from './place.ts';
import { ofList } from './tab-list.ts';

/** A binding whose action has an effect in each of its modes. */
type Row = { readonly [type in KeyAction['type']]: RowOf<type> }[KeyAction['type']];

interface RowOf<Type extends KeyAction['type']> extends Binding {
  readonly action: Extract<KeyAction, { readonly type: Type }>;
  readonly modes: readonly ModeFor<Type>[];
}

const LISTS = ['table', 'inspector', 'layer', 'layer-overlay'] as const;
const NOT_TYPING = ['table', 'inspector', 'filters-offered', 'layer'] as const;
/** In a record `N` belongs to its search. */
const NODES_FROM = NOT_TYPING.filter(mode => mode !== 'inspector');
const TYPING = ['filters', 'layer-field'] as const;

// biome-ignore format: a table, a row a binding
const MOVES = [
  { keys: ['down', 'j'], action: { type: 'move', by: 'line', direction: 1 }, title: 'down', modes: LISTS, group: 'Move' },
  { keys: ['up', 'k'], action: { type: 'move', by: 'line', direction: -1 }, title: 'up', modes: LISTS, group: 'Move' },
  { keys: ['pagedown', 'ctrl-f'], action: { type: 'move', by: 'page', direction: 1 }, title: 'a screen down', modes: LISTS, group: 'Move' },
  { keys: ['pageup', 'ctrl-b'], action: { type: 'move', by: 'page', direction: -1 }, title: 'a screen up', modes: LISTS, group: 'Move' },
  { keys: ['ctrl-d'], action: { type: 'move', by: 'half', direction: 1 }, title: 'half a screen down', modes: LISTS, group: 'Move' },
  { keys: ['ctrl-u'], action: { type: 'move', by: 'half', direction: -1 }, title: 'half a screen up', modes: LISTS, group: 'Move' },
  { keys: ['home'], action: { type: 'move-to', end: 'start' }, title: 'first row', modes: LISTS, group: 'Move' },
  { keys: ['G', 'end'], action: { type: 'move-to', end: 'end' }, title: 'last row', modes: LISTS, group: 'Move' },
] satisfies readonly Row[];

// biome-ignore format: a table, a row a binding
const EDITS = [
  { keys: ['left'], action: { type: 'edit-field', edit: 'left' }, title: 'a character to the left', modes: TYPING, group: 'Field', off: editOff('left') },
  { keys: ['right'], action: { type: 'edit-field', edit: 'right' }, title: 'a character to the right', modes: TYPING, group: 'Field', off: editOff('right') },
  { keys: ['home', 'ctrl-a'], action: { type: 'edit-field', edit: 'to-start' }, title: 'to the start of the text', modes: TYPING, group: 'Field', off: editOff('to-start') },
  { keys: ['end', 'ctrl-e'], action: { type: 'edit-field', edit: 'to-end' }, title: 'to the end of the text', modes: TYPING, group: 'Field', off: editOff('to-end') },
  { keys: ['backspace'], action: { type: 'edit-field', edit: 'remove-before' }, title: 'erase the character to the left', modes: TYPING, group: 'Field', off: editOff('remove-before') },
  { keys: ['delete'], action: { type: 'edit-field', edit: 'remove-after' }, title: 'erase the character at the cursor', modes: TYPING, group: 'Field', off: editOff('remove-after') },
  { keys: ['ctrl-w'], action: { type: 'edit-field', edit: 'remove-word' }, title: 'erase the word to the left', modes: TYPING, group: 'Field', off: editOff('remove-word') },
  { keys: ['ctrl-u'], action: { type: 'edit-field', edit: 'remove-to-start' }, title: 'erase everything to the left', modes: TYPING, group: 'Field', off: editOff('remove-to-start') },
  { keys: ['ctrl-k'], action: { type: 'edit-field', edit: 'remove-to-end' }, title: 'erase everything to the right', modes: TYPING, group: 'Field', off: editOff('remove-to-end') },
] satisfies readonly Row[];

// biome-ignore format: a table, a row a binding
const PROGRAM = [
  { keys: ['N'], action: { type: 'toggle-screen', screen: 'nodes' }, title: 'nodes: how they stand, and another one', modes: NODES_FROM, group: 'Program', when: isNotSearching },
  { keys: [':'], action: { type: 'open-prompt', id: 'command' }, title: 'command line', modes: NOT_TYPING, group: 'Program', footer: 'command' },
  { keys: TABS.map(({ key }) => key), action: { type: 'go-to-tab', index: 0 }, title: 'go to that tab', modes: NOT_TYPING, group: 'Program' },
  { keys: ['tab'], action: { type: 'next-tab' }, title: 'next tab', modes: NOT_TYPING, group: 'Program' },
  { keys: ['shift-tab'], action: { type: 'previous-tab' }, title: 'previous tab', modes: NOT_TYPING, group: 'Program' },
  { keys: ['L'], action: { type: 'toggle-screen', screen: 'requests' }, title: 'log of requests', modes: NOT_TYPING, group: 'Program' },
  { keys: ['?'], action: { type: 'open-menu', id: 'help' }, title: 'keys', modes: NOT_TYPING, group: 'Program', footer: 'help' },
  { keys: ['esc'], action: { type: 'back' }, title: 'back', footer: 'back', modes: ['layer', 'layer-overlay', 'layer-field'], group: 'Program' },
  { keys: ['ctrl-l'], action: { type: 'redraw' }, title: 'draw the screen again', modes: [...NOT_TYPING, 'layer-overlay'], group: 'Program' },
  { keys: ['ctrl-z'], action: { type: 'suspend' }, title: 'back to the shell; fg returns', modes: NOT_TYPING, group: 'Program' },
  { keys: ['q'], action: { type: 'back' }, title: 'close', modes: ['layer', 'layer-overlay'], group: 'Program' },
] satisfies readonly Row[];

/** The keys of the lists, where a screen has its own. */
const browseRows = (position: BrowseKey['position']): readonly Binding[] =>
  BROWSE_KEYS.filter(key => key.isInProgramsPlace !== true && key.position === position).map(asRow);

function asRow(key: BrowseKey): Binding {
  const { keys, title, group, footer, panes, when, disabledReason } = key;
  const action = 'program' in key ? key.program : ({ type: 'in-list', event: key.event } as const);
  return {
    ...{ keys, title, group, action, modes: panes.map(pane => MODE_OF[pane]) },
    ...(footer !== undefined && { footer }),
    ...(when !== undefined && { when: state => ofList(when)(state) !== false }),
    ...(disabledReason !== undefined && { off: ofList(disabledReason) }),
  };
}

const inPlaceOf = ({ keys }: Binding): readonly Binding[] =>
  BROWSE_KEYS.filter(key => key.isInProgramsPlace && key.keys.some(name => keys.includes(name))).map(asRow);

export const KEYMAP: readonly Binding[] = [
  ...browseRows('first'),
  ...MOVES,
  ...browseRows(undefined),
  ...EDITS,
  ...PROGRAM.flatMap(row => [...inPlaceOf(row), row]),
  ...browseRows('last'),
];

/** The bindings that count now, in the table's order. */
export function bindingsOf(state: SessionState): readonly Binding[] {
  const mode = modeOf(state);
  const bindings = KEYMAP.filter(({ modes, when }) => modes.includes(mode) && when?.(state) !== false);
  const top = topScreen(state);
  return top === undefined ? bindings : layerBindings(top, bindings);
}

/** The binding that a key has now; ctrl-c always interrupts. */
export function bindingFor(state: SessionState, key: string): Binding | undefined {
  const binding = bindingsOf(state).find(({ keys }) => keys.includes(key));
  if (binding?.action.type === 'go-to-tab') return { ...binding, action: { type: 'go-to-tab', index: Number(key) } };
  return binding;
}

/** What the footer calls a key of its now. */
export const footerWord = (state: SessionState, { footer, footerNow }: Binding): string | undefined =>
  footerNow?.(state) ?? footer;

export const offReason = (state: SessionState, binding: Binding): string | undefined => binding.off?.(state);

/** `n ]`, with the names of keys that have no character. */
export const keyNames = (binding: Binding): string => binding.keys.join(' ');

function isNotSearching(state: SessionState): boolean {
  return modeOf(state) !== 'table' || ofList(list => arrangementOf(list).find === '')(state) !== false;
}

/** Why a key of a field does nothing. */
function editOff(edit: TextEdit) {
  return (state: SessionState): string | undefined => {
    const before = editedField(state);
    if (before.text === '') return 'the field is empty';
    const after = editText(before, edit);
    if (isProposed(state) || after.text !== before.text || after.at !== before.at) return undefined;
    return before.at === 0 ? 'the cursor is at the start' : 'the cursor is at the end';
  };
}
