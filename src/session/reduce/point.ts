import type { Cell } from '../../explorer/core/screen.ts';
import type { Resource } from '../../resources/resource.ts';
import { lineCount } from '../model/inspector.ts';
import { layoutOf } from '../model/layout.ts';
import { modeOf } from '../model/mode.ts';
import type { PointedLine } from '../model/pointed-line.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { groupedLines } from '../model/table-lines.ts';
import { visibleRows } from '../model/visible-rows.ts';
import { steppedRecord } from './inspect.ts';
import { type PointedInLayer, pointedInLayer } from './layers.ts';
import { fetchAhead, resourceOf, withBrowser } from './transitions.ts';

/** Header, bar of tabs, line of filters. */
const ABOVE_BODY = 3;

/** What is drawn in a cell of the screen, where 0, 0 is the top left, when it can be selected. */
export function lineAt(state: SessionState, { row, column }: Cell): PointedLine | PointedInLayer | undefined {
  const line = row - ABOVE_BODY - 1;
  const resource = resourceOf(state);
  const browser = state.browsers[state.tab];
  const mode = modeOf(state);
  if (mode.startsWith('layer')) return pointedInLayer(state, { row: row - ABOVE_BODY, column });
  if (resource === undefined || browser === undefined || (mode !== 'table' && mode !== 'inspector')) return undefined;
  const isInTable = column < layoutOf(state).tableColumns;
  return isInTable ? tableLine(state, resource, browser, line) : inspectorLine(state, resource, browser, line);
}

function tableLine(state: SessionState, resource: Resource, browser: Browser, line: number): PointedLine | undefined {
  if (browser.failure !== null || browser.page === null || line < 0 || line >= layoutOf(state).tableRows)
    return undefined;
  const at = browser.view.top + line;
  const grouped = groupedLines(resource, browser)?.lines[at];
  const index = grouped === undefined ? at : grouped.kind === 'row' ? grouped.index : -1;
  if (index < 0 || index >= visibleRows(resource, browser).length) return undefined;
  return { pane: 'table', index, isSelected: index === browser.view.row };
}

function inspectorLine(
  state: SessionState,
  resource: Resource,
  { inspector }: Browser,
  line: number,
): PointedLine | undefined {
  if (inspector === null || line < 0 || line >= layoutOf(state).inspectorRows) return undefined;
  const index = inspector.top + line;
  if (index >= lineCount(resource, inspector)) return undefined;
  return { pane: 'inspector', index, isSelected: index === inspector.cursor };
}

/** Selects what was pointed at. */
export function selectLine(state: SessionState, { pane, index }: Pick<PointedLine, 'pane' | 'index'>): SessionState {
  const { tab } = state;
  switch (pane) {
    case 'inspector':
      return withBrowser(state, tab, browser => ({
        ...browser,
        inspector: browser.inspector && { ...browser.inspector, cursor: index },
      }));
    case 'table': {
      if (state.browsers[tab]?.inspector)
        return withBrowser(state, tab, shown => steppedRecord(shown, index - shown.view.row));
      return fetchAhead(
        withBrowser(state, tab, shown => ({ ...shown, spokenOf: null, view: { ...shown.view, row: index } })),
        tab,
      );
    }
  }
}
