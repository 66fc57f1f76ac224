import type { Directory } from '../../../chain/directory/directory.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import { requiredFilterBar } from './filters/filter-bar.ts';
import { withNewRequest } from './list/pager.ts';
import { clampTableWindow } from './list/table-lines.ts';
import { selectedRow, selectRow } from './list/visible-rows.ts';
import { requestArrangement } from './list/whole-list.ts';
import type { ListContext } from './list-context.ts';
import { type ListPanes, listPanes } from './panes.ts';
import { moveInspectorTo, withScreenWidth } from './record/inspector.ts';
import { canShowPreview, hasPreviewPane, withLeadsOn } from './record/preview.ts';
import type { BrowseState, Inspector } from './state.ts';

/** The list after a change, with all that follows from it: the names in use, the row selected, the order of a whole list. */
export function afterListChange(was: BrowseState | undefined, now: BrowseState, directory: Directory): BrowseState {
  if (was === now) return now;
  const named = withNamesInUse(was, now, directory);
  return withNewRequest(was === undefined ? named : keepSelectedRow(was, named), requestArrangement);
}

/**
 * The list with the newest names if its rows are found, sorted or laid out again for the user's or the list's own reason.
 * Names that arrive while the user is reading change no row, order or column until then.
 */
function withNamesInUse(was: BrowseState | undefined, now: BrowseState, directory: Directory): BrowseState {
  const { names, namesLaidOut } = now;
  const isOfNow = names === directory && namesLaidOut === directory;
  const inspector = now.inspector && inspectorWithNames(was?.inspector ?? null, now.inspector, directory);
  const isLaidOut = !isOfNow && (was === undefined || isLaidOutAnew(was, now));
  // It leaves the columns where they are, and so does who leaves the search.
  const isFound = was?.find !== now.find;
  if (!isLaidOut && !isFound) return inspector === now.inspector ? now : { ...now, inspector };
  return { ...now, inspector, names: directory, namesLaidOut: isLaidOut ? directory : namesLaidOut };
}

function isLaidOutAnew(was: BrowseState, now: BrowseState): boolean {
  const isOpened = hasRecordShown(was) !== hasRecordShown(now);
  const isOther = was.page !== now.page || was.sort !== now.sort;
  const isMoved = was.view.left !== now.view.left || COLUMNS_OF.some(member => was[member] !== now[member]);
  const isResized = was.laidOutIn !== null && was.laidOutIn !== now.laidOutIn;
  return isOther || isMoved || isOpened || isResized;
}

const hasRecordShown = (list: BrowseState): boolean => list.inspector !== null || list.hasPreviewPane;

const COLUMNS_OF = ['columnChoice', 'times'] as const;

function inspectorWithNames(was: Inspector | null, now: Inspector, directory: Directory): Inspector {
  if (now.names === directory) return now;
  const isSame = was?.row === now.row && was.find === now.find;
  return isSame ? now : { ...now, names: directory };
}

/**
 * The list with its selection on the same record, and in its line of the screen, after the rows of its page were found or
 * sorted again; on the first row if the record is no longer among them.
 */
function keepSelectedRow(was: BrowseState, now: BrowseState): BrowseState {
  if (!hasOrderChanged(was, now)) return now;
  const resource = resourceById(now.resource);
  const row = resource && selectedRow(resource, was);
  return row === undefined ? now : selectRow(now, row);
}

const hasOrderChanged = (was: BrowseState, now: BrowseState): boolean =>
  now.whole?.status !== 'known' &&
  was.page === now.page &&
  was.view.row === now.view.row &&
  (was.find !== now.find || was.sort !== now.sort || was.names !== now.names);

/**
 * The list adapted to its room, with every cursor on an existing line and inside its window. Keys keep this true; an
 * answer, a timer or a new size may leave fewer lines than before.
 */
export function settleList(list: BrowseState, context: ListContext): BrowseState {
  const { times, directory } = context.shared;
  const { columns } = context.area;
  const hasPane = hasPreviewPane(list, columns, context.shared);
  const isSame = list.times === times && list.laidOutIn === columns && list.hasPreviewPane === hasPane;
  const settled = isSame
    ? list
    : afterListChange(list, { ...list, times, laidOutIn: columns, hasPreviewPane: hasPane }, directory);
  return clampListCursors(withLeadsOn(keepPreview(keepFilterChoice(settled), context), context), context);
}

/** A preview stays only while it has room, and the list has rows. */
function keepPreview(list: BrowseState, { shared }: ListContext): BrowseState {
  const { preview, nextPreview } = list;
  if ((preview === null && nextPreview === null) || canShowPreview(list, shared)) return list;
  return { ...list, preview: null, nextPreview: null };
}

/** While the node requires a filter and no rows exist, the values to choose from stay on the screen. */
function keepFilterChoice(list: BrowseState): BrowseState {
  const { page, loading, failure, filterBar, demand } = list;
  const resource = resourceById(list.resource);
  const isMissing = demand !== null && [page, loading, failure, filterBar].every(one => one === null);
  return isMissing && resource !== undefined ? { ...list, filterBar: requiredFilterBar(resource, list.filters) } : list;
}

function clampListCursors(list: BrowseState, context: ListContext): BrowseState {
  const resource = resourceById(list.resource);
  if (resource === undefined) return list;
  const panes = listPanes(list, context);
  const { view } = list;
  const { row, top } = clampTableWindow(resource, list, panes.tableRows);
  const inspector = list.inspector && clampInspectorCursor(resource, list.inspector, panes);
  const isSame = row === view.row && top === view.top && inspector === list.inspector;
  return isSame ? list : { ...list, view: { ...view, row, top }, inspector };
}

function clampInspectorCursor(resource: Resource, before: Inspector, panes: ListPanes): Inspector {
  const { inspectorRows, inspectorColumns } = panes;
  const inspector = before.columns === inspectorColumns ? before : withScreenWidth(resource, before, inspectorColumns);
  const { cursor, top } = inspector;
  const inside = moveInspectorTo(inspector, cursor, resource, inspectorRows);
  return inside.cursor === cursor && inside.top === top ? inspector : inside;
}
