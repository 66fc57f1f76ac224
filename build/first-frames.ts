import { COMMANDS } from '../src/cli/commands.ts';
import type { FirstFrame, FirstFrames } from '../src/early-screen.ts';
import { initialState } from '../src/session/model/initial.ts';
import { TAB_IDS, TABS } from '../src/session/model/tabs.ts';
import { arriveAtTab } from '../src/session/reduce/transitions.ts';
import { drawScreen } from '../src/ui/draw/screen.ts';
import { drawTabs } from '../src/ui/draw/tab-bar.ts';
import { lineWidth } from '../src/ui/line.ts';
import { paint } from '../src/ui/paint.ts';
import { THEMES, type Theme } from '../src/ui/theme.ts';

/** Lines from the top that do not depend on the height of the screen: header, tabs, filters, and what is awaited. */
const LINES = 5;
const NARROWEST = 40;

/** The first frames, drawn by the explorer's own code when the program is built. */
export function firstFrames(): FirstFrames {
  const framesFor = (theme: Theme) => Object.fromEntries(TAB_IDS.map(tab => [tab, framesOf(tab, theme)]));
  return {
    commands: Object.keys(COMMANDS),
    coloured: framesFor(THEMES.auto.ascii),
    mono: framesFor(THEMES.mono.ascii),
  };
}

/** A frame for each width from which the bar of tabs is another one. */
function framesOf(tab: string, theme: Theme): readonly FirstFrame[] {
  const barAt = (columns: number) => paint(drawTabs(TABS, tab, columns), theme);
  const widest = lineWidth(drawTabs(TABS, tab, Number.POSITIVE_INFINITY));
  return Array.from({ length: Math.max(1, widest - NARROWEST + 1) }, (_, index) => NARROWEST + index)
    .filter(columns => columns === NARROWEST || barAt(columns) !== barAt(columns - 1))
    .map(fromColumns => ({ fromColumns, lines: linesAt(tab, fromColumns, theme) }));
}

function linesAt(tab: string, columns: number, theme: Theme): readonly string[] {
  const start = { screen: { columns, rows: 24 }, tab, label: '', destination: '.', nowMs: 0 };
  const state = arriveAtTab(initialState(start), tab);
  const rows = drawScreen(state).slice(0, LINES);
  return rows.map(row => (row.kind === 'line' ? paint(row.line, theme).trimEnd() : ''));
}
