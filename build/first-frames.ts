import { COMMANDS } from '../src/cli/commands.ts';
import { RESOURCES } from '../src/resources/registry.ts';
import { initialState, TAB_IDS } from '../src/session/model/initial.ts';
import { arriveAtTab } from '../src/session/reduce/transitions.ts';
import { drawScreen } from '../src/ui/draw/screen.ts';
import type { FirstFrame, FirstFrames } from '../src/ui/early-screen.ts';
import { paint, type Theme } from '../src/ui/paint.ts';

/** Lines from the top that do not depend on the size of the screen: header, tabs, filters, and what is awaited. */
const LINES = 5;
const NARROWEST = 40;

/** The first frames, drawn by the explorer's own code when the program is built. */
export function firstFrames(): FirstFrames {
  const wideFrom = RESOURCES.reduce((cells, { title }) => cells + title.length + 3, '6 Export'.length + 2);
  const framesFor = (hasColour: boolean) =>
    Object.fromEntries(TAB_IDS.map(tab => [tab, frameOf(tab, wideFrom, { hasColour, isAscii: true })]));
  return { commands: Object.keys(COMMANDS), wideFrom, coloured: framesFor(true), mono: framesFor(false) };
}

function frameOf(tab: string, wideFrom: number, theme: Theme): FirstFrame {
  return { wide: linesAt(tab, wideFrom, theme), narrow: linesAt(tab, NARROWEST, theme) };
}

function linesAt(tab: string, columns: number, theme: Theme): readonly string[] {
  const start = { screen: { columns, rows: 24 }, tab, label: '', destination: '.', nowMs: 0 };
  const state = arriveAtTab(initialState(start), tab);
  const rows = drawScreen(state).slice(0, LINES);
  return rows.map(row => (row.kind === 'line' ? paint(row.line, theme).trimEnd() : ''));
}
