import { editText, type TextEdit } from '../../base/text/edit-text.ts';
import { accessProblem } from '../core/guest-access.ts';
import type { AnyEvent } from '../core/layer.ts';
import type { ScreenKey } from '../core/screen.ts';
import type { SessionState } from '../core/state.ts';
import { SCREENS } from '../screens/registry.ts';
import { TABS } from '../tabs.ts';
import type { Binding } from './binding.ts';
import { currentKeyTarget, focusedField, hasProposedText } from './focus.ts';
import { hasLines, type TopScreen, topScreen } from './open-screens.ts';
import { refusalReason } from './refused-actions.ts';

const LISTS = ['screen', 'overlay'] as const;
const NOT_TYPING = ['screen'] as const;
const TYPING = ['field'] as const;

// biome-ignore format: a table, a row a binding
const MOVES = [
  { keys: ['down', 'j'], action: { type: 'move', by: 'line', direction: 1 }, title: 'down', targets: LISTS, group: 'Move' },
  { keys: ['up', 'k'], action: { type: 'move', by: 'line', direction: -1 }, title: 'up', targets: LISTS, group: 'Move' },
  { keys: ['pagedown', 'ctrl-f'], action: { type: 'move', by: 'page', direction: 1 }, title: 'a screen down', targets: LISTS, group: 'Move' },
  { keys: ['pageup', 'ctrl-b'], action: { type: 'move', by: 'page', direction: -1 }, title: 'a screen up', targets: LISTS, group: 'Move' },
  { keys: ['ctrl-d'], action: { type: 'move', by: 'half', direction: 1 }, title: 'half a screen down', targets: LISTS, group: 'Move' },
  { keys: ['ctrl-u'], action: { type: 'move', by: 'half', direction: -1 }, title: 'half a screen up', targets: LISTS, group: 'Move' },
  { keys: ['home'], action: { type: 'move-to', line: 'first' }, title: 'first row', targets: LISTS, group: 'Move' },
  { keys: ['G', 'end'], action: { type: 'move-to', line: 'last' }, title: 'last row', targets: LISTS, group: 'Move' },
] satisfies readonly Binding[];

// biome-ignore format: a table, a row a binding
const EDITS = [
  { keys: ['left'], action: { type: 'edit-field', edit: 'left' }, title: 'a character to the left', targets: TYPING, group: 'Field', disabledReason: noEdit('left') },
  { keys: ['right'], action: { type: 'edit-field', edit: 'right' }, title: 'a character to the right', targets: TYPING, group: 'Field', disabledReason: noEdit('right') },
  { keys: ['home', 'ctrl-a'], action: { type: 'edit-field', edit: 'to-start' }, title: 'to the start of the text', targets: TYPING, group: 'Field', disabledReason: noEdit('to-start') },
  { keys: ['end', 'ctrl-e'], action: { type: 'edit-field', edit: 'to-end' }, title: 'to the end of the text', targets: TYPING, group: 'Field', disabledReason: noEdit('to-end') },
  { keys: ['backspace'], action: { type: 'edit-field', edit: 'remove-before' }, title: 'erase the character to the left', targets: TYPING, group: 'Field', disabledReason: noEdit('remove-before') },
  { keys: ['delete'], action: { type: 'edit-field', edit: 'remove-after' }, title: 'erase the character at the cursor', targets: TYPING, group: 'Field', disabledReason: noEdit('remove-after') },
  { keys: ['ctrl-w'], action: { type: 'edit-field', edit: 'remove-word' }, title: 'erase the word to the left', targets: TYPING, group: 'Field', disabledReason: noEdit('remove-word') },
  { keys: ['ctrl-u'], action: { type: 'edit-field', edit: 'remove-to-start' }, title: 'erase everything to the left', targets: TYPING, group: 'Field', disabledReason: noEdit('remove-to-start') },
  { keys: ['ctrl-k'], action: { type: 'edit-field', edit: 'remove-to-end' }, title: 'erase everything to the right', targets: TYPING, group: 'Field', disabledReason: noEdit('remove-to-end') },
] satisfies readonly Binding[];

// biome-ignore format: a table, a row a binding
const PROGRAM = [
  { keys: ['N'], action: { type: 'toggle-screen', screen: 'nodes' }, title: 'nodes: their health; switch', targets: NOT_TYPING, group: 'Program', footerNow: labelWhileOffline },
  { keys: [':'], action: { type: 'open-prompt', id: 'command' }, title: 'command line', targets: NOT_TYPING, group: 'Program', footer: 'command' },
  { keys: TABS.map(({ key }) => key), action: { type: 'go-to-tab', index: 0 }, title: 'go to that tab', targets: NOT_TYPING, group: 'Program' },
  { keys: ['tab'], action: { type: 'next-tab' }, title: 'next tab', targets: NOT_TYPING, group: 'Program' },
  { keys: ['shift-tab'], action: { type: 'previous-tab' }, title: 'previous tab', targets: NOT_TYPING, group: 'Program' },
  { keys: ['D'], action: { type: 'toggle-screen', screen: 'changes' }, title: 'changes since yesterday', targets: NOT_TYPING, group: 'Program' },
  { keys: [','], action: { type: 'step-moment', direction: -1 }, title: 'an earlier snapshot', targets: NOT_TYPING, group: 'Program', footerNow: labelInSnapshot('earlier'), disabledReason: noMoment(-1) },
  { keys: ['.'], action: { type: 'step-moment', direction: 1 }, title: 'a later snapshot', targets: NOT_TYPING, group: 'Program', footerNow: labelInSnapshot('later'), disabledReason: noMoment(1) },
  { keys: ['L'], action: { type: 'toggle-screen', screen: 'requests' }, title: 'log of requests', targets: NOT_TYPING, group: 'Program' },
  { keys: ['?'], action: { type: 'open-menu', id: 'keys' }, title: 'keys', targets: NOT_TYPING, group: 'Program', footer: 'help' },
  { keys: ['esc'], action: { type: 'back' }, title: 'back', footer: 'back', targets: ['screen', 'overlay', 'field'], group: 'Program' },
  { keys: ['ctrl-l'], action: { type: 'redraw' }, title: 'draw the screen again', targets: [...NOT_TYPING, 'overlay'], group: 'Program' },
  { keys: ['ctrl-z'], action: { type: 'suspend' }, title: 'back to the shell; fg returns', targets: ['screen', 'overlay', 'field'], group: 'Program' },
  { keys: ['q'], action: { type: 'back' }, title: 'close', targets: ['screen', 'overlay'], group: 'Program' },
] satisfies readonly Binding[];

/** The keys of the program; screens have additional keys. */
export const KEYMAP: readonly Binding[] = [...MOVES, ...EDITS, ...PROGRAM];

/** The bindings that count now, in the table's order; only those of `key` if it is given. */
export function currentBindings(state: SessionState, key?: string): readonly Binding[] {
  const target = currentKeyTarget(state);
  const bindings = KEYMAP.filter(({ targets }) => targets.includes(target));
  const top = topScreen(state);
  return top === undefined ? bindings : layerBindings(top, bindings, key);
}

/** The binding that a key has now; ctrl-c always interrupts. */
export function bindingFor(state: SessionState, key: string): Binding | undefined {
  const binding = currentBindings(state, key).find(({ keys }) => keys.includes(key));
  if (binding?.action.type === 'go-to-tab') return { ...binding, action: { type: 'go-to-tab', index: Number(key) } };
  return binding;
}

/** What the footer calls a key of its now. */
export const footerLabel = (
  state: SessionState,
  { footer, footerNow, isShownElsewhere }: Binding,
): string | undefined => footerNow?.(state) ?? (isShownElsewhere?.(state) === true ? undefined : footer);

export const disabledReasonOf = (state: SessionState, binding: Binding): string | undefined =>
  refusalReason(state, binding.action) ?? binding.disabledReason?.(state);

/** `n ]`, with the names of keys that have no character. */
export const keyNamesText = (binding: Binding): string => binding.keys.join(' ');

/** A node that does not answer is left more often than anything else is done here. */
function labelWhileOffline({ node }: SessionState): string | undefined {
  return node.status === 'failed' || node.contact.silentSinceMs !== null ? 'other nodes' : undefined;
}

function labelInSnapshot(word: string) {
  return ({ node }: SessionState): string | undefined => (node.moment === null ? undefined : word);
}

/** Why no snapshot exists in this direction. */
function noMoment(direction: 1 | -1) {
  return ({ node: { moment, status } }: SessionState): string | undefined => {
    if (status === 'starting') return 'a snapshot is being read';
    if (moment === null) return direction === 1 ? 'already showing the live node' : undefined;
    if (direction === 1)
      return moment.after === null ? 'this is the newest snapshot; :at now shows the node' : undefined;
    return moment.before === null ? 'this is the oldest snapshot' : undefined;
  };
}

/** Why a key of a field does nothing. */
function noEdit(edit: TextEdit) {
  return (state: SessionState): string | undefined => {
    const before = focusedField(state);
    if (before.text === '') return 'the field is empty';
    const after = editText(before, edit);
    if (hasProposedText(state) || after.text !== before.text || after.at !== before.at) return undefined;
    return before.at === 0 ? 'the cursor is at the start' : 'the cursor is at the end';
  };
}

/** The keys of the top screen, and those of the program; only the bindings of `key` if it is given. */
export function layerBindings(top: TopScreen, program: readonly Binding[], key?: string): readonly Binding[] {
  const { layer, screen, context } = top;
  const isMeant = ({ keys }: { readonly keys: readonly string[] }): boolean => key === undefined || keys.includes(key);
  // Text for a field is not a key.
  const isTyped = ({ keys }: { readonly keys: readonly string[] }): boolean =>
    layer.field !== null && keys.every(key => [...key].length === 1 || key === 'space');
  const works = (own: ScreenKey<unknown, AnyEvent>): boolean =>
    !isTyped(own) && own.when?.(layer.state, context) !== false;
  const own = screen.keys.filter(row => isMeant(row) && works(row));
  const isOwn = ({ keys }: Binding): boolean =>
    keys.every(name => screen.keys.some(row => row.keys.includes(name) && works(row)));
  const inPlaceOf = ({ keys }: Binding): readonly Binding[] =>
    own
      .filter(key => key.isInProgramsPlace && key.keys.some(name => keys.includes(name)))
      .map(key => screenKeyBinding(key, top));
  const shared = program.filter(isMeant);
  const isMove = ({ group }: Binding): boolean => group === 'Move';
  const at = (position: 'first' | 'last' | undefined): readonly Binding[] =>
    own
      .filter(key => key.isInProgramsPlace !== true && key.position === position)
      .map(key => screenKeyBinding(key, top));
  const moves = hasLines(top);
  return [
    ...at('first'),
    ...(moves ? shared.filter(isMove) : []),
    ...at(undefined),
    ...shared.flatMap(row => (isMove(row) ? [] : isOwn(row) ? inPlaceOf(row) : [row])),
    ...at('last'),
  ];
}

function screenKeyBinding(key: ScreenKey<unknown, AnyEvent>, { layer, screen, context }: TopScreen): Binding {
  const { keys, title, group, footer } = key;
  const action = 'program' in key ? key.program : ({ type: 'in-layer', layer: layer.id, event: key.event } as const);
  const isSave = action.type === 'open-prompt' && action.id === 'save';
  return {
    ...{ keys, title, group, action, targets: ['screen'] },
    ...(footer !== undefined && { footer }),
    footerNow: () => key.footerNow?.(layer.state, context),
    isShownElsewhere: () => key.isShownElsewhere?.(layer.state) === true,
    disabledReason: () =>
      accessProblem(context.shared.access, key.needs) ??
      key.disabledReason?.(layer.state, context) ??
      (isSave ? nothingToSave({ layer, screen, context }) : undefined),
  };
}

function nothingToSave({ layer, screen, context }: TopScreen): string | undefined {
  const saved = screen.output?.file?.saves(layer.state, context);
  return typeof saved === 'string' ? saved : undefined;
}

/** The keys that each screen has for itself, for the page that lists all keys. */
export const SCREEN_KEYS: readonly Pick<Binding, 'keys' | 'title' | 'group'>[] = Object.values(SCREENS).flatMap(
  ({ keys }) => keys,
);
