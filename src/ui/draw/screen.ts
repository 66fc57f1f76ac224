import { BLANK, fillLine, fillRows, type Line, line, span, textLine } from '../../explorer/core/line.ts';
import { asRows, heightOf, type ScreenRow } from '../../explorer/core/row.ts';
import { resourceById } from '../../resources/registry.ts';
import { topLayer } from '../../session/model/layer.ts';
import { isTooSmall, type Layout, layoutOf, SMALLEST } from '../../session/model/layout.ts';
import { marksWholeLine } from '../../session/model/looks.ts';
import type { SessionState } from '../../session/model/state.ts';
import { TABS } from '../../session/model/tabs.ts';
import { bodyScreen, topScreen } from '../../session/reduce/layers.ts';
import { listContext } from '../../session/reduce/tab-list.ts';
import { safeText } from '../../text/safe-text.ts';
import { drawAbout } from './about.ts';
import { drawFilterLine, drawStatus } from './chrome.ts';
import { drawFilterBar } from './filter-bar.ts';
import { drawFooter } from './footer.ts';
import { drawHeader } from './header.ts';
import { drawInspector } from './inspector.ts';
import { besideStanding } from './standing.ts';
import { drawTabs } from './tab-bar.ts';
import { drawTable, type ListFrame } from './table.ts';

/** The whole screen, a row each: a pure function of the state. */
export function drawScreen(state: SessionState): readonly ScreenRow[] {
  if (isTooSmall(state.screen)) return tooSmall(state);
  const layout = layoutOf(state);
  const { bodyRows, barRows, aboutRows } = layout;
  // On the lowest screens what is said about a field has no room for all of it.
  const bar = barRows > 0 && topLayer(state) === undefined ? filterBarRows(state).slice(0, bodyRows + barRows) : [];
  const body = bodyScreen(state);
  const rows = body?.context.area.rows ?? bodyRows + barRows - bar.length;
  return [
    ...asRows([
      drawHeader(state),
      drawTabs(TABS, state.tab, state.screen.columns),
      besideStanding(state, drawFilterLine(state)),
    ]),
    ...bar,
    ...exactly(drawBody(state, layout), rows),
    drawStatusRow(state),
    ...asRows([
      ...(body?.screen.foot?.(body.layer.state, body.context) ?? drawAbout(state, aboutRows)),
      drawFooter(state, layout),
    ]),
  ];
}

function filterBarRows(state: SessionState): readonly ScreenRow[] {
  const browser = state.browsers[state.tab];
  return browser === undefined ? [] : drawFilterBar(browser, listContext(state, browser));
}

function drawBody(state: SessionState, layout: Layout): readonly ScreenRow[] {
  const top = topScreen(state);
  return top?.screen.body(top.layer.state, top.context) ?? drawTab(state, layout);
}

function drawTab(state: SessionState, layout: Layout): readonly ScreenRow[] {
  const top = bodyScreen(state);
  if (top !== undefined) return top.screen.body(top.layer.state, top.context) ?? [];
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return [];
  return asRows(
    drawList({
      resource,
      browser,
      node: state.node,
      directory: state.directory,
      layout,
      isWholeMarked: marksWholeLine(state),
    }),
  );
}

function drawList(list: ListFrame): readonly Line[] {
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

function drawStatusRow(state: SessionState): ScreenRow {
  return statusOfScreen(state) ?? { kind: 'line', line: drawStatus(state) };
}

function statusOfScreen(state: SessionState): ScreenRow | undefined {
  const top = topScreen(state);
  return top?.screen.status?.(top.layer.state, top.context);
}

function exactly(rows: readonly ScreenRow[], count: number): readonly ScreenRow[] {
  const fitting: ScreenRow[] = [];
  let used = 0;
  for (const row of rows) {
    if (used + heightOf(row) > count) break;
    fitting.push(row);
    used += heightOf(row);
  }
  return [...fitting, ...asRows(Array.from({ length: count - used }, () => BLANK))];
}

function tooSmall({ screen }: SessionState): readonly ScreenRow[] {
  const lines = [
    line(safeText`blockglass`, 'strong'),
    textLine(`too small: ${screen.columns}x${screen.rows}`),
    textLine(`needs ${SMALLEST.columns}x${SMALLEST.rows}`),
    line(safeText`q quits`, 'quiet'),
  ];
  return asRows(fillRows(lines, screen.rows));
}
