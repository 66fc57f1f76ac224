import { jsonText, member } from '../../../../chain/api/json.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Resource, Row } from '../../../../chain/resources/resource.ts';
import { isBranch } from '../../../../chain/resources/tree.ts';
import type { Handlers } from '../../../core/screen.ts';
import { type MoveAction, moveWindow } from '../../../core/window.ts';
import { open, type VersionsOpening } from '../../../openings.ts';
import type { RecordKey } from '../events.ts';
import { prefetchNextPage, withNewRequest } from '../list/pager.ts';
import { selectedRow } from '../list/visible-rows.ts';
import { type ListContext, type ListStep, withResource } from '../list-context.ts';
import { listPanes } from '../panes.ts';
import type { BrowseState, Inspector } from '../state.ts';
import { lineAtCursor, lineCount, openInspector, setAllFolds, setFold, valueAtCursor } from './inspector.ts';
import { endInspectorFind, moveToMatch, startInspectorFind } from './inspector-matches.ts';
import { calldataOf } from './meaning.ts';
import { toPreview } from './preview.ts';

export const RECORD_HANDLERS: Handlers<BrowseState, RecordKey> = {
  'toggle-fold': ofRecord(({ resource, inspector, height }) => setFold(resource, inspector, 'toggle', height)),
  fold: ofRecord(({ resource, inspector, height }) => setFold(resource, inspector, false, height)),
  unfold: ofRecord(({ resource, inspector, height }) => setFold(resource, inspector, true, height)),
  'fold-all': ofRecord(({ resource, inspector }) => setAllFolds(resource, inspector, false)),
  'unfold-all': ofRecord(({ resource, inspector }) => setAllFolds(resource, inspector, true)),
  'toggle-raw': ofRecord(({ inspector }) => ({ ...inspector, isRaw: !inspector.isRaw, cursor: 0, top: 0 })),
  'view-value': (list, _, context) => {
    const record = openRecord(list, context);
    return record === undefined ? { state: list } : enter(list, record);
  },
  'next-record': list => ({ state: steppedRecord(list, 1) }),
  'previous-record': list => ({ state: steppedRecord(list, -1) }),
  'next-in-record': ofRecord(({ resource, inspector }) => moveToMatch(resource, inspector, 1)),
  'previous-in-record': ofRecord(({ resource, inspector }) => moveToMatch(resource, inspector, -1)),
  'copy-calldata': list => {
    const text = list.inspector === null ? undefined : calldataOf(list.inspector);
    if (text === undefined) return { state: list };
    return { state: list, messages: [{ type: 'copy', what: 'calldata', content: { kind: 'text', text } }] };
  },
  'open-versions': withResource((list, resource) =>
    list.inspector === null
      ? { state: list }
      : { state: list, messages: [open('versions', versionsOf(resource, list.inspector.row))] },
  ),
  'leave-record': ofRecord(({ resource, inspector }) => {
    if (inspector.isRaw) return { ...inspector, isRaw: false, cursor: 0, top: 0 };
    return inspector.find === '' ? null : endInspectorFind(resource, inspector);
  }),
};

/** The list after a key of movement in its record. */
export const movedInRecord = (list: BrowseState, action: MoveAction, context: ListContext): BrowseState =>
  ofRecord(({ resource, inspector, height }) => {
    const window = { row: inspector.cursor, top: inspector.top };
    const { row, top } = moveWindow(window, action, lineCount(resource, inspector), height);
    return { ...inspector, cursor: row, top };
  })(list, action, context).state;

interface OpenRecord {
  readonly resource: Resource;
  readonly inspector: Inspector;
  readonly height: number;
}

function openRecord(list: BrowseState, context: ListContext): OpenRecord | undefined {
  const resource = resourceById(list.resource);
  const { inspector } = list;
  if (resource === undefined || inspector === null) return undefined;
  return { resource, inspector, height: listPanes(list, context).inspectorRows };
}

/** Changes the record that is open; null closes it. */
function ofRecord(change: (open: OpenRecord) => Inspector | null) {
  return (list: BrowseState, _: unknown, context: ListContext): ListStep => {
    const record = openRecord(list, context);
    if (record === undefined) return { state: list };
    const inspector = change(record);
    const { page } = list;
    const isLeft = inspector === null && page !== null;
    return { state: { ...list, inspector, preview: isLeft ? toPreview(record.inspector, page) : list.preview } };
  };
}

// Enter opens a closed item: a folded branch, or a value that the line cuts.
function enter(list: BrowseState, { resource, inspector, height }: OpenRecord): ListStep {
  const line = lineAtCursor(resource, inspector);
  if (line !== undefined && isBranch(line.node))
    return { state: { ...list, inspector: setFold(resource, inspector, 'toggle', height) } };
  const value = valueAtCursor(resource, inspector);
  return value === undefined ? { state: list } : { state: list, messages: [open('value', value)] };
}

/** With the record at this distance in rows, unfolded like the current one. */
function steppedRecord(list: BrowseState, by: number): BrowseState {
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
  return prefetchNextPage(stepped);
}

/** The record searched for a text; '' for nothing. */
export function foundInRecord(list: BrowseState, find: string, { shared }: ListContext): BrowseState {
  const resource = resourceById(list.resource);
  const { inspector } = list;
  if (resource === undefined || inspector === null) return list;
  return { ...list, inspector: startInspectorFind(resource, inspector, { find, names: shared.directory }) };
}

/** The record's key in snapshots: provisions are stored by market, and fees by epoch. */
function versionsOf(resource: Resource, row: Row): VersionsOpening {
  const key = resource.keyOf(row);
  const of = { provisions: textAt(row, 'marketId').toLowerCase(), fees: textAt(row, 'epochSeq') };
  return { resource: resource.id, key, title: key, scope: new Map(Object.entries(of)).get(resource.id) ?? '' };
}

const textAt = (row: Row, name: string): string => jsonText(member(row, name));
