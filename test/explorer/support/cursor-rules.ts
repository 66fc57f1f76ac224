import { resourceById } from '../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../src/chain/resources/resource.ts';
import { bodyArea } from '../../../src/explorer/core/area.ts';
import type { Choice } from '../../../src/explorer/core/choice.ts';
import { type ChoiceList, matchingChoices } from '../../../src/explorer/core/choices.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { groupedLines } from '../../../src/explorer/screens/browse/list/table-lines.ts';
import { visibleRows } from '../../../src/explorer/screens/browse/list/visible-rows.ts';
import { lineCount } from '../../../src/explorer/screens/browse/record/inspector.ts';
import type { BrowseState } from '../../../src/explorer/screens/browse/state.ts';
import { countsLayout } from '../../../src/explorer/screens/counts/lines.ts';
import { countLines, type ShownCounts } from '../../../src/explorer/screens/counts/state.ts';
import { type NodePicker, nodeChoices } from '../../../src/explorer/screens/nodes/state.ts';
import { type RequestLog, visibleRowCount } from '../../../src/explorer/screens/requests/state.ts';
import { maxStatementTop } from '../../../src/explorer/screens/statement/lines.ts';
import type { ShownStatement } from '../../../src/explorer/screens/statement/state.ts';
import { valueLines } from '../../../src/explorer/screens/value/lines.ts';
import { type IdentifiedValue, whatChoices } from '../../../src/explorer/screens/what/state.ts';
import { contextOfTop, layoutOf, listsOf, menuItems, overlayOf, type Shown, topState } from './layers.ts';

/** Every cursor that stands on nothing, and every window that its cursor is not in; empty when there is none. */
export function outOfRange(state: SessionState): readonly string[] {
  return [
    ...Object.values(listsOf(state)).flatMap(browser => {
      const resource = resourceById(browser.resource);
      return resource === undefined ? [] : inBrowser(state, resource, browser);
    }),
    ...inStatement(state, topState(state, 'statement')),
    ...inCounts(state, topState(state, 'counts')),
    ...inRequests(state, topState(state, 'requests')),
    ...inNodes(topState(state, 'nodes')),
    ...inRoles(topState(state, 'what')),
    ...inOverlay(state, overlayOf(state)),
  ];
}

function inBrowser(state: SessionState, resource: Resource, browser: BrowseState): readonly string[] {
  const { view, inspector, filterBar } = browser;
  const { tableRows, inspectorRows } = layoutOf({ ...state, tab: resource.id });
  const groups = groupedLines(resource, browser);
  const { row, top } = view;
  // Below headings a row is on another line than its own number.
  const found =
    groups === undefined || groups.lines.length === 0
      ? inWindow('row', view, visibleRows(resource, browser).length, tableRows)
      : inWindow('line', { row: groups.lineOfRow[row] ?? -1, top }, groups.lines.length, tableRows);
  if (inspector !== null) {
    const { cursor: row, top } = inspector;
    found.push(...inWindow('line of the record', { row, top }, lineCount(resource, inspector), inspectorRows));
  }
  if (filterBar !== null && !isIndex(filterBar.field, resource.filters.length))
    found.push(`filter ${filterBar.field} has the focus`);
  return found.map(what => `${resource.id}: ${what}`);
}

function inCounts(state: SessionState, counts: ShownCounts | undefined): readonly string[] {
  const count = counts === undefined ? 0 : countLines(counts);
  if (counts === undefined || count === 0) return [];
  return inWindow('line of the counts', counts, count, countsLayout(counts, contextOfTop(state)).height);
}

function inRequests({ screen }: SessionState, log: RequestLog | undefined): readonly string[] {
  if (log === undefined || log.requests.length === 0) return [];
  return inWindow('request', log, log.requests.length, visibleRowCount(bodyArea(screen)));
}

function inNodes(picker: NodePicker | undefined): readonly string[] {
  return picker === undefined
    ? []
    : inChoices('the nodes', matchingChoices(nodeChoices(picker), picker.list), picker.list);
}

function inRoles(value: IdentifiedValue | undefined): readonly string[] {
  return value === undefined ? [] : inChoices('the roles', matchingChoices(whatChoices(value), value.list), value.list);
}

function inChoices(of: string, shown: readonly Choice[], { row: cursor }: ChoiceList): readonly string[] {
  return isIndex(cursor, shown.length) ? [] : [`choice ${cursor} of ${shown.length} of ${of} has the cursor`];
}

function inStatement(state: SessionState, statement: ShownStatement | undefined): readonly string[] {
  if (statement === undefined) return [];
  const last = maxStatementTop(statement, contextOfTop(state));
  return statement.top >= 0 && statement.top <= last
    ? []
    : [`the statement begins at line ${statement.top} of ${last}`];
}

function inOverlay(state: SessionState, overlay: Shown | null): readonly string[] {
  if (overlay?.kind === 'value') {
    const count = valueLines(overlay, state.screen.columns).length;
    const last = Math.max(0, count - (layoutOf(state).bodyRows - 1));
    return overlay.top >= 0 && overlay.top <= last ? [] : [`the value begins at line ${overlay.top} of ${count}`];
  }
  if (overlay?.kind !== 'menu') return [];
  const items = menuItems(state, overlay).length;
  return isIndex(overlay.cursor, items) ? [] : [`item ${overlay.cursor} of ${items} of the menu has the cursor`];
}

function inWindow(
  what: string,
  { row, top }: { readonly row: number; readonly top: number },
  count: number,
  height: number,
): string[] {
  const found: string[] = [];
  if (!isIndex(row, count)) found.push(`${what} ${row} of ${count} has the cursor`);
  if (top < 0 || row < top || row >= top + height)
    found.push(`${what} ${row} is not among the ${height} from ${top} on`);
  return found;
}

// The cursor of an empty list stands at 0.
const isIndex = (index: number, count: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < Math.max(1, count);
