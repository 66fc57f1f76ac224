import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import type { Cell, PointerTarget } from '../../core/screen.ts';
import type { ChooseValue, SelectEvent } from './events.ts';
import { listedValues, valueIndexAtRow } from './filters/offered-values.ts';
import { prefetchNextPage } from './list/pager.ts';
import { groupedLines } from './list/table-lines.ts';
import { visibleRows } from './list/visible-rows.ts';
import type { ListContext } from './list-context.ts';
import { focusedPane, listPanes } from './panes.ts';
import { steppedRecord } from './record/handlers.ts';
import { lineCount } from './record/inspector.ts';
import { withPreviewFocused } from './record/preview.ts';
import type { BrowseState } from './state.ts';

/** What lies in a cell of the body, where 0, 0 is the top left, when it can be selected. */
export function listPointerTarget(
  list: BrowseState,
  { row, column }: Cell,
  context: ListContext,
): PointerTarget<SelectEvent | ChooseValue> | undefined {
  const { barRows, bodyRows } = listPanes(list, context);
  const offered = valueIndexAtRow(list, row - barRows, context.shared, bodyRows);
  if (offered !== undefined)
    return {
      isSelected: offered === listedValues(list, context.shared)?.place,
      select: { type: 'choose-value', index: offered },
    };
  const resource = resourceById(list.resource);
  const pane = focusedPane(list);
  if (resource === undefined || (pane !== 'list' && pane !== 'record')) return undefined;
  const { tableColumns, tableRows, inspectorRows } = listPanes(list, context);
  const isInTable = column < tableColumns;
  const line = row - HEADING_ROWS;
  if (line < 0 || line >= (isInTable ? tableRows : inspectorRows)) return undefined;
  return isInTable ? tableRowTarget(resource, list, list.view.top + line) : recordLineTarget(resource, list, line);
}

const HEADING_ROWS = 1;

function tableRowTarget(resource: Resource, list: BrowseState, line: number): PointerTarget<SelectEvent> | undefined {
  if (list.failure !== null || list.page === null) return undefined;
  const grouped = groupedLines(resource, list)?.lines[line];
  const index = grouped === undefined ? line : grouped.kind === 'row' ? grouped.index : -1;
  if (index < 0 || index >= visibleRows(resource, list).length) return undefined;
  // With an open record, Enter is a key of the record.
  return { isSelected: index === list.view.row && list.inspector === null, select: { type: 'select-row', index } };
}

function recordLineTarget(
  resource: Resource,
  { inspector, preview }: BrowseState,
  line: number,
): PointerTarget<SelectEvent> | undefined {
  // In brief it has other lines than the record that opens.
  if (inspector === null) return preview === null ? undefined : { isSelected: false, select: TO_RECORD };
  const index = inspector.top + line;
  if (index >= lineCount(resource, inspector)) return undefined;
  return { isSelected: index === inspector.cursor, select: { type: 'select-line', index } };
}

const TO_RECORD: SelectEvent = { type: 'select-line', index: 0 };

/** The list with a row selected; a record that is open goes with it. */
export function withRowSelected(list: BrowseState, index: number): BrowseState {
  const { inspector, view } = list;
  if (inspector !== null) return steppedRecord(list, index - view.row);
  return prefetchNextPage({ ...list, spokenOf: null, view: { ...view, row: index } });
}

/** The list with a line of its record selected; a previewed record gets the keys. */
export const withLineSelected = (list: BrowseState, index: number): BrowseState =>
  list.inspector === null && list.preview !== null
    ? withPreviewFocused(list, list.preview)
    : { ...list, inspector: list.inspector && { ...list.inspector, cursor: index } };
