import { wayBack } from '../../explorer/services/node/nodes.ts';
import type { KeyAction } from '../model/action.ts';
import { modeOf } from '../model/mode.ts';
import type { SessionState } from '../model/state.ts';
import { TABS } from '../model/tabs.ts';
import { arrangementOf } from '../model/whole.ts';
import type { Binding } from './binding.ts';
import { editOff, suggestOff } from './field-off.ts';
import { leadsNowhere } from './goals.ts';
import { layerBindings, topScreen } from './layers.ts';
import { moveOff, noFilters, noRow, nothingToClear, nothingToLeave, noVersions, ofRows, orderOff } from './list-off.ts';
import { noStatement } from './list-statement.ts';
import { noIdToMark, nothingMine } from './mine.ts';
import { nothingToFindIn } from './off-reasons.ts';
import type { ModeFor } from './place.ts';
import { foldAllOff, foldOff, noCalldata, noMatch, noValueHere, rawFold, recordOff } from './record-off.ts';
import { saveableHere } from './saveable-here.ts';
import { ofList } from './tab-list.ts';
import { noChange } from './view-change.ts';
import { watchOff, wholeOff } from './whole-list.ts';

/** A binding whose action has an effect in each of its modes. */
type Row = { readonly [type in KeyAction['type']]: RowOf<type> }[KeyAction['type']];

interface RowOf<Type extends KeyAction['type']> extends Binding {
  readonly action: Extract<KeyAction, { readonly type: Type }>;
  readonly modes: readonly ModeFor<Type>[];
}

const TABLE = ['table'] as const;
const INSPECTOR = ['inspector'] as const;
const LISTS = ['table', 'inspector', 'layer', 'layer-overlay'] as const;
const BROWSING = ['table', 'inspector'] as const;
const NOT_TYPING = ['table', 'inspector', 'filters-offered', 'layer'] as const;
/** Nothing lies over these: `q` quits. Everywhere else it closes what is on top, as Esc does. */
const ROOTS = ['table', 'filters-offered'] as const;
const CLOSED_BY_Q = ['inspector', 'layer', 'layer-overlay'] as const;
/** In a record `N` belongs to its search. */
const NODES_FROM = NOT_TYPING.filter(mode => mode !== 'inspector');
const TYPING = ['filters', 'layer-field'] as const;

// biome-ignore format: a table, a row a binding
export const KEYMAP: readonly Binding[] = [
  { keys: ['enter'], action: { type: 'inspect' }, title: 'inspect the record', modes: TABLE, group: 'Record', footer: 'inspect', off: noRow },
  { keys: ['enter'], action: { type: 'view-value' }, title: 'unfold, or show the whole value', modes: INSPECTOR, group: 'Record', footer: 'value', off: ofList(noValueHere) },
  { keys: ['C'], action: { type: 'copy-calldata' }, title: 'copy the calldata', modes: INSPECTOR, group: 'Record', footer: 'calldata', off: ofList(noCalldata) },
  { keys: ['space'], action: { type: 'toggle-fold' }, title: 'fold or unfold', modes: INSPECTOR, group: 'Record', footer: 'fold', off: ofList(foldOff('toggle')) },
  { keys: ['left', 'h'], action: { type: 'fold' }, title: 'fold, or go to the branch above', modes: INSPECTOR, group: 'Record', off: ofList(foldOff(false)) },
  { keys: ['right', 'l'], action: { type: 'unfold' }, title: 'unfold', modes: INSPECTOR, group: 'Record', off: ofList(foldOff(true)) },
  { keys: ['-'], action: { type: 'fold-all' }, title: 'fold everything', modes: INSPECTOR, group: 'Record', off: ofList(foldAllOff(false)) },
  { keys: ['+'], action: { type: 'unfold-all' }, title: 'unfold everything', modes: INSPECTOR, group: 'Record', off: ofList(foldAllOff(true)) },
  { keys: ['R'], action: { type: 'toggle-raw' }, title: 'JSON as the node sent it', modes: INSPECTOR, group: 'Record', footer: 'raw' },
  { keys: ['J'], action: { type: 'next-record' }, title: 'next record', modes: INSPECTOR, group: 'Record', off: ofList(recordOff(1)) },
  { keys: ['K'], action: { type: 'previous-record' }, title: 'previous record', modes: INSPECTOR, group: 'Record', off: ofList(recordOff(-1)) },

  { keys: ['down', 'j'], action: { type: 'move', by: 'line', direction: 1 }, title: 'down', modes: LISTS, group: 'Move' },
  { keys: ['up', 'k'], action: { type: 'move', by: 'line', direction: -1 }, title: 'up', modes: LISTS, group: 'Move' },
  { keys: ['pagedown', 'ctrl-f'], action: { type: 'move', by: 'page', direction: 1 }, title: 'a screen down', modes: LISTS, group: 'Move' },
  { keys: ['pageup', 'ctrl-b'], action: { type: 'move', by: 'page', direction: -1 }, title: 'a screen up', modes: LISTS, group: 'Move' },
  { keys: ['ctrl-d'], action: { type: 'move', by: 'half', direction: 1 }, title: 'half a screen down', modes: LISTS, group: 'Move' },
  { keys: ['ctrl-u'], action: { type: 'move', by: 'half', direction: -1 }, title: 'half a screen up', modes: LISTS, group: 'Move' },
  { keys: ['home'], action: { type: 'move-to', end: 'start' }, title: 'first row', modes: LISTS, group: 'Move' },
  { keys: ['G', 'end'], action: { type: 'move-to', end: 'end' }, title: 'last row', modes: LISTS, group: 'Move' },
  { keys: ['right', 'l'], action: { type: 'scroll-columns', direction: 1 }, title: 'the cell to the right: g, y, s and F begin with it; columns scroll at the edge', modes: TABLE, group: 'Move' },
  { keys: ['left', 'h'], action: { type: 'scroll-columns', direction: -1 }, title: 'the cell to the left, and the whole row again', modes: TABLE, group: 'Move' },

  { keys: ['n'], action: { type: 'next-match' }, title: 'next match (while searching)', modes: TABLE, group: 'Filter', footer: 'next match', off: noRow, when: isSearching },
  { keys: ['N'], action: { type: 'previous-match' }, title: 'previous match (while searching)', modes: TABLE, group: 'Filter', footer: 'previous', off: noRow, when: isSearching },
  { keys: [']'], action: { type: 'next-page' }, title: 'next page (while searching)', modes: TABLE, group: 'Pages', footer: 'next', off: moveOff('next'), when: isSearching },
  { keys: ['n', ']'], action: { type: 'next-page' }, title: 'next page', modes: TABLE, group: 'Pages', footer: 'next', off: moveOff('next'), when: isNotSearching },
  { keys: ['p', '['], action: { type: 'previous-page' }, title: 'previous page', modes: TABLE, group: 'Pages', footer: 'prev', off: moveOff('previous') },
  { keys: ['<'], action: { type: 'first-page' }, title: 'first page', modes: TABLE, group: 'Pages', off: moveOff('first') },
  { keys: ['>'], action: { type: 'last-page' }, title: 'last page', modes: TABLE, group: 'Pages', off: moveOff('last') },
  { keys: ['r'], action: { type: 'reload' }, title: 'reload', modes: BROWSING, group: 'Pages', off: reloadOff },
  { keys: ['o'], action: { type: 'toggle-order' }, title: 'newest or oldest first', modes: TABLE, group: 'Pages', off: orderOff },
  { keys: ['w'], action: { type: 'toggle-watch' }, title: 'watch: reload every 10 s, mark what changed', modes: TABLE, group: 'Pages', off: watchOff },
  { keys: ['v'], action: { type: 'view-change' }, title: 'show the old values of the marked cells', modes: TABLE, group: 'Look', footer: 'was', off: ofRows(ofList(noChange)) },
  { keys: ['z'], action: { type: 'open-prompt', id: 'page-size' }, title: 'rows a page', modes: TABLE, group: 'Pages' },

  { keys: ['g'], action: { type: 'open-menu', id: 'go' }, title: 'open what its ids refer to', modes: BROWSING, group: 'Record', footer: 'go to', off: ofRows(ofList(leadsNowhere)) },
  { keys: ['backspace'], action: { type: 'come-back' }, title: 'back to where g was pressed', modes: BROWSING, group: 'Record', off: cameFromNowhere },


  { keys: ['f'], action: { type: 'edit-filters' }, title: 'filter at the node', modes: TABLE, group: 'Filter', footer: 'filter', off: noFilters },
  { keys: ['='], action: { type: 'filter-by-row' }, title: 'filter by the ids of this row', modes: TABLE, group: 'Filter', off: ofRows(noFilters) },
  { keys: ['x'], action: { type: 'clear-filters' }, title: 'clear filters and search', modes: TABLE, group: 'Filter', off: nothingToClear },
  { keys: ['/'], action: { type: 'open-prompt', id: 'find' }, title: 'find in the loaded rows', modes: TABLE, group: 'Filter', footer: 'find', off: ofRows(nothingToFindIn) },
  { keys: ['S'], action: { type: 'toggle-whole' }, title: 'load the whole list to sort and search it; again: pages', modes: TABLE, group: 'Pages', footer: 'whole list', off: wholeOff },
  { keys: ['T'], action: { type: 'open-statement' }, title: 'statement: fees allocated to the party or on the market', modes: BROWSING, group: 'Record', footer: 'statement', off: ofRows(ofList(noStatement)) },
  { keys: ['/'], action: { type: 'open-prompt', id: 'inspector-find' }, title: 'find in the record', modes: INSPECTOR, group: 'Filter', footer: 'find', off: ofList(rawFold) },
  { keys: ['t'], action: { type: 'toggle-times' }, title: 'times as ages, or of the clock in UTC', modes: BROWSING, group: 'Look' },
  { keys: ['n'], action: { type: 'next-match' }, title: 'next match', modes: INSPECTOR, group: 'Filter', footer: 'next match', off: ofList(noMatch) },
  { keys: ['N'], action: { type: 'previous-match' }, title: 'previous match', modes: INSPECTOR, group: 'Filter', footer: 'previous', off: ofList(noMatch) },
  { keys: ['s'], action: { type: 'open-menu', id: 'sort' }, title: 'sort', modes: TABLE, group: 'Look' },
  { keys: ['c'], action: { type: 'open-menu', id: 'columns' }, title: 'columns', modes: TABLE, group: 'Look' },
  { keys: ['m'], action: { type: 'limit-to-mine' }, title: 'only what is yours; again: the next of yours, or all', modes: ROOTS, group: 'Filter', off: nothingMine },
  { keys: ['M'], action: { type: 'toggle-mine' }, title: 'mark an id here as yours, or take it back', modes: BROWSING, group: 'Record', off: ofRows(noIdToMark) },
  { keys: ['y'], action: { type: 'open-menu', id: 'copy' }, title: 'copy', modes: BROWSING, group: 'Record', footer: 'copy' },
  { keys: ['W'], action: { type: 'open-prompt', id: 'save' }, title: 'save to a file', modes: [...BROWSING], group: 'Record', off: ofRows(nothingToSave) },
  { keys: ['a'], action: { type: 'toggle-versions' }, title: 'switch between every version and the current state', modes: TABLE, group: 'Look', footer: 'versions', off: noVersions },


  { keys: ['f', 'enter'], action: { type: 'edit-filters' }, title: 'type into the filter bar', modes: ['filters-offered'], group: 'Field', footer: 'type' },
  { keys: ['enter'], action: { type: 'apply-filters' }, title: 'apply', modes: ['filters'], group: 'Field', footer: 'apply' },
  { keys: ['tab'], action: { type: 'next-field' }, title: 'next field', modes: ['filters'], group: 'Field', footer: 'next field' },
  { keys: ['shift-tab'], action: { type: 'previous-field' }, title: 'previous field', modes: ['filters'], group: 'Field' },
  { keys: ['down'], action: { type: 'suggest', direction: 1 }, title: 'next known value', modes: ['filters', 'filters-offered'], group: 'Field', footer: 'values', off: suggestOff(1) },
  { keys: ['up'], action: { type: 'suggest', direction: -1 }, title: 'previous known value', modes: ['filters'], group: 'Field', off: suggestOff(-1) },
  { keys: ['left'], action: { type: 'edit-field', edit: 'left' }, title: 'a character to the left', modes: TYPING, group: 'Field', off: editOff('left') },
  { keys: ['right'], action: { type: 'edit-field', edit: 'right' }, title: 'a character to the right', modes: TYPING, group: 'Field', off: editOff('right') },
  { keys: ['home', 'ctrl-a'], action: { type: 'edit-field', edit: 'to-start' }, title: 'to the start of the text', modes: TYPING, group: 'Field', off: editOff('to-start') },
  { keys: ['end', 'ctrl-e'], action: { type: 'edit-field', edit: 'to-end' }, title: 'to the end of the text', modes: TYPING, group: 'Field', off: editOff('to-end') },
  { keys: ['backspace'], action: { type: 'edit-field', edit: 'remove-before' }, title: 'erase the character to the left', modes: TYPING, group: 'Field', off: editOff('remove-before') },
  { keys: ['delete'], action: { type: 'edit-field', edit: 'remove-after' }, title: 'erase the character at the cursor', modes: TYPING, group: 'Field', off: editOff('remove-after') },
  { keys: ['ctrl-w'], action: { type: 'edit-field', edit: 'remove-word' }, title: 'erase the word to the left', modes: TYPING, group: 'Field', off: editOff('remove-word') },
  { keys: ['ctrl-u'], action: { type: 'edit-field', edit: 'remove-to-start' }, title: 'erase everything to the left', modes: TYPING, group: 'Field', off: editOff('remove-to-start') },
  { keys: ['ctrl-k'], action: { type: 'edit-field', edit: 'remove-to-end' }, title: 'erase everything to the right', modes: TYPING, group: 'Field', off: editOff('remove-to-end') },

  { keys: ['N'], action: { type: 'toggle-screen', screen: 'nodes' }, title: 'nodes: how they stand, and another one', modes: NODES_FROM, group: 'Program', when: isNotSearching },
  { keys: [':'], action: { type: 'open-prompt', id: 'command' }, title: 'command line', modes: NOT_TYPING, group: 'Program', footer: 'command' },
  { keys: TABS.map(({ key }) => key), action: { type: 'go-to-tab', index: 0 }, title: 'go to that tab', modes: NOT_TYPING, group: 'Program' },
  { keys: ['tab'], action: { type: 'next-tab' }, title: 'next tab', modes: NOT_TYPING, group: 'Program' },
  { keys: ['shift-tab'], action: { type: 'previous-tab' }, title: 'previous tab', modes: NOT_TYPING, group: 'Program' },
  { keys: ['L'], action: { type: 'toggle-screen', screen: 'requests' }, title: 'log of requests', modes: NOT_TYPING, group: 'Program' },
  { keys: ['?'], action: { type: 'open-menu', id: 'help' }, title: 'keys', modes: NOT_TYPING, group: 'Program', footer: 'help' },
  { keys: ['esc'], action: { type: 'back' }, title: 'back', footer: 'back', modes: ['inspector', 'layer', 'layer-overlay', 'layer-field', 'filters', 'filters-offered', 'table'], group: 'Program', off: nothingToLeave },
  { keys: ['ctrl-l'], action: { type: 'redraw' }, title: 'draw the screen again', modes: [...NOT_TYPING, 'layer-overlay'], group: 'Program' },
  { keys: ['ctrl-z'], action: { type: 'suspend' }, title: 'back to the shell; fg returns', modes: NOT_TYPING, group: 'Program' },
  { keys: ['q'], action: { type: 'quit' }, title: 'quit', modes: ROOTS, group: 'Program', footer: 'quit' },
  { keys: ['F'], action: { type: 'open-menu', id: 'count' }, title: 'frequency: how often the values of a column occur, and sums', modes: TABLE, group: 'Look', footer: 'count', off: noRow },
  { keys: ['q'], action: { type: 'back' }, title: 'close', modes: CLOSED_BY_Q, group: 'Program' },
] satisfies readonly Row[];

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

function cameFromNowhere({ trail, node }: SessionState): string | undefined {
  return trail.length > 0 || wayBack(node) !== undefined
    ? undefined
    : 'g goes somewhere, and this key comes back from there';
}

function reloadOff(state: SessionState): string | undefined {
  const waitMs = state.node.blockedUntilMs - state.node.nowMs;
  return waitMs > 0 ? `the node said too many requests: ${Math.ceil(waitMs / 1000)} s to wait` : undefined;
}

function nothingToSave(state: SessionState): string | undefined {
  const view = saveableHere(state);
  return typeof view === 'string' ? view : undefined;
}

function isSearching(state: SessionState): boolean {
  const browser = state.browsers[state.tab];
  return modeOf(state) === 'table' && browser !== undefined && arrangementOf(browser).find !== '';
}

function isNotSearching(state: SessionState): boolean {
  return !isSearching(state);
}
