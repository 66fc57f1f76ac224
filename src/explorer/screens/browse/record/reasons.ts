import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Resource } from '../../../../chain/resources/resource.ts';
import { isBranch } from '../../../../chain/resources/tree.ts';
import { selectedRow } from '../list/visible-rows.ts';
import type { BrowseState, Inspector } from '../state.ts';
import { lineAtCursor, setAllFolds, treeLines } from './inspector.ts';
import { matchLines } from './inspector-matches.ts';
import { calldataOf, explanationCopies } from './meaning.ts';

// Why keys of a record do nothing now.

interface OpenRecord {
  readonly resource: Resource;
  readonly inspector: Inspector;
}

function openRecord({ resource: id, inspector }: BrowseState): OpenRecord | undefined {
  const resource = resourceById(id);
  return resource === undefined || inspector === null ? undefined : { resource, inspector };
}

export function noMatch(list: BrowseState): string | undefined {
  const record = openRecord(list);
  if (record === undefined || record.inspector.find === '') return '/ finds in the record first';
  const [first, ...others] = matchLines(record.resource, record.inspector);
  if (first === undefined) return 'nothing here matches';
  return others.length === 0 && first === record.inspector.cursor ? 'this is the only match' : undefined;
}

export function noCalldata(list: BrowseState): string | undefined {
  const inspector = openRecord(list)?.inspector;
  if (calldataOf(inspector) !== undefined) return undefined;
  if (inspector?.meaning.status === 'asked') return 'the explanation is loading';
  // Each of several possible calls has its own.
  return explanationCopies(inspector).some(({ what }) => what.startsWith('calldata '))
    ? 'not known which call the contract has: y copies the selected line'
    : 'no calldata to copy here';
}

export const rawDoesNotFold = (list: BrowseState): string | undefined =>
  openRecord(list)?.inspector.isRaw ? 'raw JSON does not fold: R goes back to the tree' : undefined;

/** Enter unfolds a branch, or shows a value in full. */
export function noValueHere(list: BrowseState): string | undefined {
  const record = openRecord(list);
  if (record === undefined) return undefined;
  if (record.inspector.isRaw) return 'raw JSON is shown in full: R goes back to the tree';
  const line = lineAtCursor(record.resource, record.inspector);
  if (line === undefined) return NOTHING_FOUND;
  if (isBranch(line.node)) return noFold('toggle')(list);
  return line.node.value === undefined ? 'this line has no value' : undefined;
}

const NOTHING_FOUND = 'nothing here matches: Esc clears the search';
const STAYS_OPEN = 'matches stay unfolded: Esc clears the search';

/** A key that folds or unfolds what the cursor is on, or goes to the branch above. */
export function noFold(isOpen: boolean | 'toggle') {
  return (list: BrowseState): string | undefined => {
    const record = openRecord(list);
    if (record === undefined || record.inspector.isRaw) return rawDoesNotFold(list);
    const line = lineAtCursor(record.resource, record.inspector);
    if (line === undefined) return NOTHING_FOUND;
    const isChanged = isBranch(line.node) && (isOpen === 'toggle' || isOpen !== line.isOpen);
    if (isChanged) return record.inspector.find === '' ? undefined : STAYS_OPEN;
    if (isOpen === true) return 'nothing is folded here';
    return line.depth > 0 ? undefined : 'no branch to fold here';
  };
}

/** The same for the whole record. */
export function noFoldAll(isOpen: boolean) {
  return (list: BrowseState): string | undefined => {
    const record = openRecord(list);
    if (record === undefined || record.inspector.isRaw) return rawDoesNotFold(list);
    const { resource, inspector } = record;
    if (inspector.find !== '') return STAYS_OPEN;
    const lines = treeLines(resource, inspector).length;
    const isMoved = inspector.cursor > 0 || inspector.top > 0;
    if (isMoved || treeLines(resource, setAllFolds(resource, inspector, isOpen)).length !== lines) return undefined;
    return isOpen ? 'everything is unfolded' : 'everything is folded';
  };
}

export function noRecordBeyond(by: 1 | -1) {
  return (list: BrowseState): string | undefined => {
    const resource = resourceById(list.resource);
    if (resource === undefined || selectedRow(resource, list, by) !== undefined) return undefined;
    return by === 1 ? 'this is the last record that is loaded' : 'this is the first record that is loaded';
  };
}
