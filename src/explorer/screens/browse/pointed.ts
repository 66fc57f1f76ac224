import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import type { Cell, Pointed } from '../../core/screen.ts';
import type { ChooseValue, SelectEvent } from './events.ts';
import { listedValues, offeredInRow } from './filters/offered-values.ts';
import { fetchedAhead } from './list/pager.ts';
import { groupedLines } from './list/table-lines.ts';
import { visibleRows } from './list/visible-rows.ts';
import type { ListContext } from './list-context.ts';
import { paneOf, panesOf } from './panes.ts';
import { steppedRecord } from './record/handlers.ts';
import { lineCount } from './record/inspector.ts';
import type { BrowseState } from './state.ts';

/** What lies in a cell of the body, where 0, 0 is the top left, when it can be selected. */
export function pointedInList(
  list: BrowseState,
  { row, column }: Cell,
  context: ListContext,
): Pointed<SelectEvent | ChooseValue> | undefined {
  const { barRows, bodyRows } = panesOf(list, context);
  const offered = offeredInRow(list, row - barRows, context.shared, bodyRows);
  if (offered !== undefined)
    return {
      isSelected: offered === listedValues(list, context.shared)?.place,
      select: { type: 'choose-value', index: offered },
    };
  const resource = resourceById(list.resource);
  const pane = paneOf(list);
  if (resource === undefined || (pane !== 'list' && pane !== 'record')) return undefined;
  const { tableColumns, tableRows, inspectorRows } = panesOf(list, context);
  const isInTable = column < tableColumns;
  const line = row - HEADING_ROWS;
  if (line < 0 || line >= (isInTable ? tableRows : inspectorRows)) return undefined;
  return isInTable ? rowAt(resource, list, list.view.top + line) : lineAt(resource, list, line);
}

const HEADING_ROWS = 1;

function rowAt(resource: Resource, list: BrowseState, line: number): Pointed<SelectEvent> | undefined {
  if (list.failure !== null || list.page === null) return undefined;
  const grouped = groupedLines(resource, list)?.lines[line];
  const index = grouped === undefined ? line : grouped.kind === 'row' ? grouped.index : -1;
  if (index < 0 || index >= visibleRows(resource, list).length) return undefined;
  // Beside a record Enter is a key of the record.
  return { isSelected: index === list.view.row && list.inspector === null, select: { type: 'select-row', index } };
}

function lineAt(resource: Resource, { inspector }: BrowseState, line: number): Pointed<SelectEvent> | undefined {
  if (inspector === null) return undefined;
  const index = inspector.top + line;
  if (index >= lineCount(resource, inspector)) return undefined;
  return { isSelected: index === inspector.cursor, select: { type: 'select-line', index } };
}

/** The list with a row selected; a record that is open goes with it. */
export function withRowSelected(list: BrowseState, index: number): BrowseState {
  const { inspector, view } = list;
  if (inspector !== null) return steppedRecord(list, index - view.row);
  return fetchedAhead({ ...list, spokenOf: null, view: { ...view, row: index } });
}

/** The list with a line of its record selected. */
export const withLineSelected = (list: BrowseState, index: number): BrowseState => ({
  ...list,
  inspector: list.inspector && { ...list.inspector, cursor: index },
});
