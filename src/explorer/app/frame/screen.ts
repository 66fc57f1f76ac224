import { joinSafe, type SafeText, safeText, trimEndSafe } from '../../../base/text/safe-text.ts';
import { bodyArea, isTooSmall, MIN_SCREEN_SIZE } from '../../core/area.ts';
import {
  BLANK,
  cutLine,
  fillRows,
  type Line,
  line,
  type ScreenRow,
  screenRowHeight,
  textLine,
  toScreenRows,
} from '../../core/line.ts';
import type { SessionState } from '../../core/state.ts';
import { TABS } from '../../tabs.ts';
import { asPage, bodyScreen, topScreen, withoutOverlays } from '../open-screens.ts';
import { drawStatus, headParts } from './chrome.ts';
import { drawFooter } from './footer.ts';
import { drawHeader } from './header.ts';
import { headRule } from './health.ts';
import { drawTabs } from './tab-bar.ts';

/** The whole screen, a row each: a pure function of the state. */
export function drawScreen(state: SessionState): readonly ScreenRow[] {
  if (isTooSmall(state.screen)) return tooSmall(state);
  const { body, shown } = visibleBody(state);
  const { rows: most } = bodyArea(state.screen);
  const rows = shown?.context.area.rows ?? most;
  const around = asPage(shown?.screen)?.around;
  const foot = shown && around?.foot?.draw(shown.layer.state, shown.context);
  return [
    ...toScreenRows([
      drawHeader(state),
      drawTabs(TABS, state.tab, state.screen.columns),
      headRule(state, headParts(state, shown)),
    ]),
    ...fitRowCount(body, rows),
    drawStatusRow(state, shown && around?.footTitle?.(shown.layer.state, shown.context)),
    ...toScreenRows([...fillRows(foot ?? [], most - rows), drawFooter(state)]),
  ];
}

/** The body, and the screen that it is of: an overlay that has none leaves it to the one below. */
function visibleBody(state: SessionState) {
  const top = topScreen(state);
  const own = top?.screen.body?.(top.layer.state, top.context);
  if (own !== undefined) return { body: own, shown: top };
  const below = bodyScreen(state);
  return { body: below?.screen.body?.(below.layer.state, below.context) ?? [], shown: below };
}

function drawStatusRow(state: SessionState, titleBelow: string | undefined): ScreenRow {
  return screenStatus(state) ?? { kind: 'line', line: drawStatus(state, bodyScreen(state), titleBelow) };
}

function screenStatus(state: SessionState): ScreenRow | undefined {
  const top = topScreen(state);
  return top?.screen.input?.status?.(top.layer.state, top.context);
}

function fitRowCount(rows: readonly ScreenRow[], count: number): readonly ScreenRow[] {
  const fitting: ScreenRow[] = [];
  let used = 0;
  for (const row of rows) {
    if (used + screenRowHeight(row) > count) break;
    fitting.push(row);
    used += screenRowHeight(row);
  }
  return [...fitting, ...toScreenRows(Array.from({ length: count - used }, () => BLANK))];
}

function tooSmall({ screen }: SessionState): readonly ScreenRow[] {
  const lines = [
    line(safeText`blockglass`, 'strong'),
    textLine(`too small: ${screen.columns}x${screen.rows}`),
    textLine(`needs ${MIN_SCREEN_SIZE.columns}x${MIN_SCREEN_SIZE.rows}`),
    line(safeText`q quits`, 'quiet'),
  ];
  return toScreenRows(fillRows(lines, screen.rows));
}

/** What a person sees, without colours: a line a row, but for fields that are being typed into and tables in boxes. */
export function screenText(state: SessionState): SafeText {
  const { columns } = state.screen;
  const lines = drawScreen(withoutOverlays(state)).flatMap(row => (row.kind === 'line' ? [row.line] : []));
  return joinSafe(lines.map(line => plainLine(cutLine(line, columns))));
}

const plainLine = (line: Line): SafeText => safeText`${trimEndSafe(joinSafe(line.map(({ text }) => text)))}\n`;
