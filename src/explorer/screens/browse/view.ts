import { resourceById } from '../../../resources/registry.ts';
import { safeText, sanitize } from '../../../text/safe-text.ts';
import { wrapWords } from '../../../text/width.ts';
import { BLANK, fillLine, fillRows, type Line, line, span } from '../../core/line.ts';
import { marksWholeLine } from '../../core/looks.ts';
import { asRows, type ScreenRow } from '../../core/row.ts';
import { drawFilterBar } from './filters/filter-bar-view.ts';
import { drawOfferedValues } from './filters/offered-values.ts';
import { drawTable, type ListFrame } from './list/table.ts';
import { selectedRow } from './list/visible-rows.ts';
import type { ListContext } from './list-context.ts';
import { panesOf } from './panes.ts';
import { drawInspector } from './record/inspector-view.ts';
import type { Browser } from './state.ts';

/** The filter bar while it is edited, and below it the rows, with the record beside them or in their place. */
export function listBody(browser: Browser, context: ListContext): readonly ScreenRow[] {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return [];
  const { node, directory } = context.shared;
  const layout = panesOf(browser, context);
  // With anything over it nothing is typed into it. On the lowest screens it has no room for all that is said.
  const bar = context.isOnTop ? drawFilterBar(browser, context).slice(0, context.area.rows) : [];
  const isWholeMarked = marksWholeLine(context.shared);
  const room = { columns: context.area.columns, rows: layout.bodyRows };
  const offered = bar.length === 0 ? undefined : drawOfferedValues(browser, context.shared, room);
  if (offered !== undefined) return [...bar, ...asRows(offered)];
  return [...bar, ...asRows(drawPanes({ resource, browser, node, directory, layout, isWholeMarked }))];
}

function drawPanes(list: ListFrame): readonly Line[] {
  const { resource, browser, directory, layout, isWholeMarked } = list;
  const { tableColumns, inspectorColumns, bodyRows } = layout;
  if (browser.inspector === null) return drawTable(list);
  const nowMs = Math.max(list.node.nowMs, browser.inspector.receivedAtMs);
  const inspector = drawInspector(resource, browser.inspector, { layout, directory, nowMs, isWholeMarked });
  if (tableColumns === 0) return inspector;
  const left = fillRows(drawTable(list), bodyRows);
  const right = fillRows(inspector, bodyRows);
  const rule = span(safeText`\u2502`, 'quiet');
  return left.map((row, index) => [
    ...fillLine(row, tableColumns),
    rule,
    ...fillLine(right[index] ?? BLANK, inspectorColumns),
  ]);
}

/** What the selected row is about; what has no room there is in the inspector. */
export function listFoot(browser: Browser, { area }: ListContext): readonly Line[] {
  const resource = resourceById(browser.resource);
  const { page, spokenOf } = browser;
  if (resource === undefined) return [];
  const row = spokenOf !== null && spokenOf.page === page ? spokenOf.row : selectedRow(resource, browser);
  if (row === undefined) return [];
  const about = resource.about?.(row) ?? resource.aboutAmong?.(row, page === null ? [row] : page.rows) ?? '';
  return wrapWords(sanitize(about), area.columns - 2).map(text => line(safeText` ${text}`));
}
