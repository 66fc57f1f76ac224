import type { KeyAction } from '../../core/action.ts';
import type { ScreenKey } from '../../core/screen.ts';
import type { BrowseEvent, FilterKey, ListKey, RecordKey, TableKey } from './events.ts';
import { noIdToFilterBy } from './filters/handlers.ts';
import { countsBehindEsc } from './list/handlers.ts';
import {
  forShownRows,
  noFilters,
  noOtherOrder,
  noOtherValue,
  noPageMove,
  noPlaceToReturnTo,
  noRow,
  noRowsUnderFilterBar,
  nothingToClear,
  nothingToSave,
  nothingToSearch,
  nothingToUndo,
  notWatched,
  noValueListed,
  noVersions,
  type Reason,
  rateLimitReason,
} from './list/reasons.ts';
import { noChangeToView } from './list/view-change.ts';
import { wholeListProblem } from './list/whole-list.ts';
import { arrangementOf } from './list/whole-list-state.ts';
import type { ListContext } from './list-context.ts';
import { noIdToMark, nothingMine } from './mine.ts';
import { noStatement } from './open-statement.ts';
import type { Pane } from './panes.ts';
import { noGoalsReason } from './record/goals.ts';
import { hasKeysOfPreview } from './record/preview.ts';
import {
  noCalldata,
  noFold,
  noFoldAll,
  noMatch,
  noRecordBeyond,
  noValueHere,
  rawDoesNotFold,
} from './record/reasons.ts';
import type { BrowseState } from './state.ts';

/** A key of the list, of the record or of the filter bar, in the order of footer and help. */
export type BrowseKey = Pick<
  ScreenKey<BrowseState, BrowseEvent>,
  'keys' | 'title' | 'group' | 'footer' | 'footerNow' | 'isShownElsewhere' | 'isInProgramsPlace' | 'position' | 'needs'
> & {
  /** Where it is a key. */
  readonly panes: readonly Pane[];
  /** Only then; another of its keys, or the program, may have it otherwise. */
  readonly when?: (list: BrowseState, context: ListContext) => boolean;
  readonly disabledReason?: Reason;
} & ({ readonly event: TableKey | ListKey | RecordKey | FilterKey } | { readonly program: KeyAction });

const LIST = ['list'] as const;
const RECORD = ['record'] as const;
const BROWSING = ['list', 'record'] as const;
const FILTERS = ['filters'] as const;
const OFFERED = ['offered-filters'] as const;

const isOffering = (list: BrowseState, context: ListContext): boolean => noValueListed(list, context) === undefined;
const isOfferingNothing = (list: BrowseState, context: ListContext): boolean => !isOffering(list, context);

// biome-ignore format: a table, a row a key
export const BROWSE_KEYS: readonly BrowseKey[] = [
  { panes: LIST, keys: ['enter'], event: { type: 'inspect' }, title: 'inspect the record', group: 'Record', footer: 'inspect', position: 'first', disabledReason: noRow },
  { panes: RECORD, keys: ['enter'], event: { type: 'view-value' }, title: 'unfold, or show the whole value', group: 'Record', footer: 'value', position: 'first', disabledReason: noValueHere },
  { panes: RECORD, keys: ['C'], event: { type: 'copy-calldata' }, title: 'copy the calldata', group: 'Record', footer: 'calldata', position: 'first', disabledReason: noCalldata },
  { panes: RECORD, keys: ['space'], event: { type: 'toggle-fold' }, title: 'fold or unfold', group: 'Record', footer: 'fold', position: 'first', disabledReason: noFold('toggle') },
  { panes: RECORD, keys: ['left', 'h'], event: { type: 'fold' }, title: 'fold, or go to the branch above', group: 'Record', position: 'first', disabledReason: noFold(false) },
  { panes: RECORD, keys: ['right', 'l'], event: { type: 'unfold' }, title: 'unfold', group: 'Record', position: 'first', disabledReason: noFold(true) },
  { panes: RECORD, keys: ['-'], event: { type: 'fold-all' }, title: 'fold everything', group: 'Record', position: 'first', disabledReason: noFoldAll(false) },
  { panes: RECORD, keys: ['+'], event: { type: 'unfold-all' }, title: 'unfold everything', group: 'Record', position: 'first', disabledReason: noFoldAll(true) },
  { panes: RECORD, keys: ['R'], event: { type: 'toggle-raw' }, title: 'JSON as the node sent it', group: 'Record', footer: 'raw', position: 'first' },
  { panes: RECORD, keys: ['v'], event: { type: 'open-versions' }, title: 'versions: what the record was in stored snapshots', group: 'Record', position: 'first', needs: 'snapshots' },
  { panes: RECORD, keys: ['J'], event: { type: 'next-record' }, title: 'next record', group: 'Record', position: 'first', disabledReason: noRecordBeyond(1) },
  { panes: RECORD, keys: ['K'], event: { type: 'previous-record' }, title: 'previous record', group: 'Record', position: 'first', disabledReason: noRecordBeyond(-1) },

  { panes: LIST, keys: ['right', 'l'], event: { type: 'scroll-columns', direction: 1 }, title: 'the cell to the right, for g, y, s and F; then more columns', group: 'Move' },
  { panes: LIST, keys: ['left', 'h'], event: { type: 'scroll-columns', direction: -1 }, title: 'the cell to the left, then the whole row', group: 'Move' },
  { panes: LIST, keys: ['n'], event: { type: 'next-match' }, title: 'next match (while searching)', group: 'Filter', footer: 'next match', disabledReason: noRow, when: isSearching },
  { panes: LIST, keys: ['N'], event: { type: 'previous-match' }, title: 'previous match (while searching)', group: 'Filter', footer: 'previous', disabledReason: noRow, when: isSearching },
  { panes: LIST, keys: [']'], event: { type: 'next-page' }, title: 'next page (while searching)', group: 'Pages', footer: 'next', disabledReason: noPageMove('next'), when: isSearching },
  { panes: LIST, keys: ['n', ']'], event: { type: 'next-page' }, title: 'next page', group: 'Pages', footer: 'next', disabledReason: noPageMove('next'), when: isNotSearching },
  { panes: LIST, keys: ['p', '['], event: { type: 'previous-page' }, title: 'previous page', group: 'Pages', footer: 'prev', disabledReason: noPageMove('previous') },
  { panes: LIST, keys: ['<'], event: { type: 'first-page' }, title: 'first page', group: 'Pages', disabledReason: noPageMove('first') },
  { panes: LIST, keys: ['>'], event: { type: 'last-page' }, title: 'last page', group: 'Pages', disabledReason: noPageMove('last') },
  { panes: [...BROWSING, ...OFFERED], keys: ['r'], event: { type: 'reload' }, title: 'reload', group: 'Pages', footerNow: labelAfterFailure, disabledReason: rateLimitReason },
  { panes: LIST, keys: ['o'], event: { type: 'toggle-order' }, title: 'newest or oldest first', group: 'Pages', disabledReason: noOtherOrder },
  { panes: LIST, keys: ['w'], event: { type: 'toggle-watch' }, title: 'watch: reload every 10 s, mark what changed', group: 'Pages', disabledReason: notWatched },
  { panes: LIST, keys: ['v'], event: { type: 'view-change' }, title: 'show the old values of the marked cells', group: 'Look', footer: 'was', disabledReason: forShownRows(noChangeToView) },
  { panes: LIST, keys: ['z'], event: { type: 'open-prompt', id: 'page-size' }, title: 'change the number of rows a page', group: 'Pages' },
  { panes: BROWSING, keys: ['g'], event: { type: 'open-menu', id: 'go' }, title: 'open what its ids refer to', group: 'Record', footer: 'go to', isShownElsewhere: hasKeysOfPreview, disabledReason: forShownRows(noGoalsReason) },
  { panes: BROWSING, keys: ['backspace'], program: { type: 'come-back' }, title: 'back to where g was pressed', group: 'Record', disabledReason: noPlaceToReturnTo },
  { panes: LIST, keys: ['f'], event: { type: 'edit-filters' }, title: 'filter at the node', group: 'Filter', footer: 'filter', disabledReason: noFilters },
  { panes: LIST, keys: ['='], event: { type: 'filter-by-row' }, title: 'filter by the ids of this row', group: 'Filter', disabledReason: forShownRows(noIdToFilterBy) },
  { panes: LIST, keys: ['x'], event: { type: 'clear-filters' }, title: 'clear filters and search', group: 'Filter', disabledReason: nothingToClear },
  { panes: LIST, keys: ['/'], event: { type: 'open-prompt', id: 'find' }, title: 'find in the loaded rows', group: 'Filter', footer: 'find', disabledReason: forShownRows(nothingToSearch) },
  { panes: LIST, keys: ['S'], event: { type: 'toggle-whole' }, title: 'sort the whole list; again: pages', group: 'Pages', footer: 'whole list', disabledReason: wholeListProblem },
  { panes: BROWSING, keys: ['T'], event: { type: 'open-statement' }, title: 'statement of fees by epoch', group: 'Record', footer: 'statement', disabledReason: forShownRows(noStatement) },
  { panes: RECORD, keys: ['/'], event: { type: 'open-prompt', id: 'inspector-find' }, title: 'find in the record', group: 'Filter', footer: 'find', disabledReason: rawDoesNotFold },
  { panes: BROWSING, keys: ['t'], program: { type: 'toggle-times' }, title: 'toggle relative and UTC times', group: 'Look' },
  { panes: RECORD, keys: ['n'], event: { type: 'next-in-record' }, title: 'next match', group: 'Filter', footer: 'next match', disabledReason: noMatch },
  { panes: RECORD, keys: ['N'], event: { type: 'previous-in-record' }, title: 'previous match', group: 'Filter', footer: 'previous', disabledReason: noMatch },
  { panes: LIST, keys: ['s'], event: { type: 'open-menu', id: 'sort' }, title: 'sort', group: 'Look' },
  { panes: LIST, keys: ['c'], event: { type: 'open-menu', id: 'columns' }, title: 'columns', group: 'Look' },
  { panes: [...LIST, ...OFFERED], keys: ['m'], event: { type: 'limit-to-mine' }, title: 'only yours; again: next id, all', group: 'Filter', disabledReason: nothingMine },
  { panes: BROWSING, keys: ['M'], event: { type: 'toggle-mine' }, title: 'mark as yours, or take it back', group: 'Record', disabledReason: forShownRows(noIdToMark) },
  { panes: BROWSING, keys: ['y'], program: { type: 'open-menu', id: 'copy' }, title: 'copy', group: 'Record', footer: 'copy' },
  { panes: BROWSING, keys: ['W'], program: { type: 'open-prompt', id: 'save' }, title: 'save to a file', group: 'Record', disabledReason: forShownRows(nothingToSave) },
  { panes: LIST, keys: ['a'], event: { type: 'toggle-versions' }, title: 'all versions, or the current state', group: 'Look', footer: 'versions', disabledReason: noVersions },
  { panes: OFFERED, keys: ['enter'], when: isOffering, event: { type: 'take-offer' }, title: 'choose the selected value', group: 'Field', footer: 'choose' },
  { panes: OFFERED, keys: ['f'], when: isOffering, event: { type: 'edit-filters' }, title: 'type into the filter bar', group: 'Field', footer: 'type' },
  { panes: OFFERED, keys: ['f', 'enter'], when: isOfferingNothing, event: { type: 'edit-filters' }, title: 'type into the filter bar', group: 'Field', footer: 'type' },
  { panes: FILTERS, keys: ['enter'], event: { type: 'apply-filters' }, title: 'apply', group: 'Field', footer: 'apply' },
  { panes: FILTERS, keys: ['tab'], event: { type: 'next-field' }, title: 'next field', group: 'Field', footer: 'next field' },
  { panes: FILTERS, keys: ['shift-tab'], event: { type: 'previous-field' }, title: 'previous field', group: 'Field' },
  { panes: FILTERS, keys: ['down'], event: { type: 'suggest', direction: 1 }, title: 'next known value', group: 'Field', footer: 'values', disabledReason: noOtherValue(1) },
  { panes: OFFERED, keys: ['y'], program: { type: 'open-menu', id: 'copy' }, title: 'copy', group: 'Record' },
  { panes: FILTERS, keys: ['up'], event: { type: 'suggest', direction: -1 }, title: 'previous known value', group: 'Field', disabledReason: noOtherValue(-1) },

  { panes: LIST, keys: ['esc'], event: { type: 'back' }, title: 'back', group: 'Program', footer: 'back', footerNow: labelOfCounts, isInProgramsPlace: true, disabledReason: nothingToUndo },
  { panes: OFFERED, keys: ['esc'], event: { type: 'leave-filters' }, title: 'back', group: 'Program', footer: 'back', isInProgramsPlace: true, disabledReason: noRowsUnderFilterBar },
  { panes: RECORD, keys: ['esc'], event: { type: 'leave-record' }, title: 'back', group: 'Program', footer: 'back', isInProgramsPlace: true },
  { panes: FILTERS, keys: ['esc'], event: { type: 'leave-filters' }, title: 'back', group: 'Program', footer: 'back', isInProgramsPlace: true },
  { panes: [...LIST, ...OFFERED], keys: ['q'], program: { type: 'quit' }, title: 'quit', group: 'Program', footer: 'quit', isInProgramsPlace: true },
  { panes: RECORD, keys: ['q'], event: { type: 'leave-record' }, title: 'close', group: 'Program', isInProgramsPlace: true },
  { panes: LIST, keys: ['F'], event: { type: 'open-menu', id: 'count' }, title: 'count the values of a column, and sums', group: 'Look', footer: 'count', position: 'last', disabledReason: noRow },
];

function labelAfterFailure({ failure }: BrowseState, { shared: { node } }: ListContext): string | undefined {
  return failure !== null || node.status === 'failed' ? 'try again' : undefined;
}

function labelOfCounts(list: BrowseState): string | undefined {
  return countsBehindEsc(list) === undefined ? undefined : 'counts';
}

function isSearching(list: BrowseState): boolean {
  return arrangementOf(list).find !== '';
}

function isNotSearching(list: BrowseState): boolean {
  return !isSearching(list);
}
