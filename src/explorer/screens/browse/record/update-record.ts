import { jsonText, member } from '../../../../api/json.ts';
import { resourceById } from '../../../../resources/registry.ts';
import type { Resource, Row } from '../../../../resources/resource.ts';
import { isBranch } from '../../../../resources/tree.ts';
import { moved } from '../../../core/moving.ts';
import { open, type VersionsOpening } from '../../../openings.ts';
import type { RecordKey } from '../events.ts';
import { withNewRequest } from '../list/pager.ts';
import { selectedRow } from '../list/visible-rows.ts';
import type { ListContext, ListStep } from '../list-context.ts';
import { fetchedAhead } from '../list-requests.ts';
import { panesOf } from '../panes.ts';
import type { BrowseState, Inspector } from '../state.ts';
import { lineAtCursor, lineCount, openInspector, setAllFolds, setFold, valueAtCursor } from './inspector.ts';
import { atMatch, withFind, withoutFind } from './inspector-matches.ts';
import { calldataOf } from './meaning.ts';

/** Keys of the record. */
export function updateRecord(list: BrowseState, key: RecordKey, context: ListContext): ListStep {
  const resource = resourceById(list.resource);
  const { inspector } = list;
  if (resource === undefined || inspector === null) return { state: list };
  const height = panesOf(list, context).inspectorRows;
  const change = (changed: Inspector | null): ListStep => ({ state: { ...list, inspector: changed } });
  switch (key.type) {
    case 'move':
    case 'move-to': {
      const window = { row: inspector.cursor, top: inspector.top };
      const { row, top } = moved(window, key, lineCount(resource, inspector), height);
      return change({ ...inspector, cursor: row, top });
    }
    case 'toggle-fold':
      return change(setFold(resource, inspector, 'toggle', height));
    case 'fold':
      return change(setFold(resource, inspector, false, height));
    case 'unfold':
      return change(setFold(resource, inspector, true, height));
    case 'fold-all':
    case 'unfold-all':
      return change(setAllFolds(resource, inspector, key.type === 'unfold-all'));
    case 'toggle-raw':
      return change({ ...inspector, isRaw: !inspector.isRaw, cursor: 0, top: 0 });
    case 'view-value':
      return enter(list, { resource, inspector, height });
    case 'next-record':
    case 'previous-record':
      return { state: steppedRecord(list, key.type === 'next-record' ? 1 : -1) };
    case 'next-match':
    case 'previous-match':
      return change(atMatch(resource, inspector, key.type === 'next-match' ? 1 : -1));
    case 'copy-calldata': {
      const text = calldataOf(inspector);
      if (text === undefined) return { state: list };
      return { state: list, messages: [{ type: 'copy', what: 'calldata', content: { kind: 'text', text } }] };
    }
    case 'open-versions':
      return { state: list, messages: [open('versions', versionsOf(resource, inspector.row))] };
    case 'back':
      if (inspector.isRaw) return change({ ...inspector, isRaw: false, cursor: 0, top: 0 });
      return change(inspector.find === '' ? null : withoutFind(resource, inspector));
  }
}

interface OpenRecord {
  readonly resource: Resource;
  readonly inspector: Inspector;
  readonly height: number;
}

// Enter opens what is closed: a folded branch, or a value that the line has cut.
function enter(list: BrowseState, { resource, inspector, height }: OpenRecord): ListStep {
  const line = lineAtCursor(resource, inspector);
  if (line !== undefined && isBranch(line.node))
    return { state: { ...list, inspector: setFold(resource, inspector, 'toggle', height) } };
  const value = valueAtCursor(resource, inspector);
  return value === undefined ? { state: list } : { state: list, messages: [open('value', value)] };
}

/** With the record so many rows further down, unfolded as this one is. */
export function steppedRecord(list: BrowseState, by: number): BrowseState {
  const resource = resourceById(list.resource);
  const { page } = list;
  const row = resource && selectedRow(resource, list, by);
  if (resource === undefined || row === undefined || page === null) return list;
  const stepped = withNewRequest(list, (shown, id) => ({
    ...shown,
    view: { ...shown.view, row: shown.view.row + by },
    inspector: shown.inspector && {
      ...openInspector(resource, row, page, id),
      folds: shown.inspector.folds,
      isRaw: shown.inspector.isRaw,
    },
  }));
  return fetchedAhead(stepped);
}

/** The record searched for a text; '' for nothing. */
export function foundInRecord(list: BrowseState, find: string, { shared }: ListContext): BrowseState {
  const resource = resourceById(list.resource);
  const { inspector } = list;
  if (resource === undefined || inspector === null) return list;
  return { ...list, inspector: withFind(resource, inspector, { find, names: shared.directory }) };
}

/** The record as snapshots name it: provisions are stored by market, and fees by epoch. */
function versionsOf(resource: Resource, row: Row): VersionsOpening {
  const key = resource.keyOf(row);
  const of = { provisions: textAt(row, 'marketId').toLowerCase(), fees: textAt(row, 'epochSeq') };
  return { resource: resource.id, key, title: key, scope: new Map(Object.entries(of)).get(resource.id) ?? '' };
}

const textAt = (row: Row, name: string): string => jsonText(member(row, name));
