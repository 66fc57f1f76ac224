import type { Measure } from '../../answers/index.ts';
import { BLANK, cutLine, type Line, lineWidth, span, textLine } from '../../explorer/core/line.ts';
import { groupDigits } from '../../insight/decimal.ts';
import type { SessionState } from '../../session/model/state.ts';
import type { ChartView, OpenTable } from '../../session/model/viewer.ts';
import { numberWithin } from '../../session/model/viewer-cells.ts';
import { type Bar, stepText } from '../../session/model/viewer-chart.ts';
import { mixedIn } from '../../session/model/viewer-mixed.ts';
import { chartBars } from '../../session/reduce/viewer-keys.ts';
import { viewerRows } from '../../session/reduce/viewer-state.ts';
import { type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { widthCells } from '../../text/width.ts';
import { drawBars } from './chart.ts';

/** A column of numbers over time; above the bars what each is, and the one that is pointed at in figures. */
export function drawChart(state: SessionState, open: OpenTable, over: ChartView): readonly Line[] {
  const { columns } = state.screen;
  const { firstMs } = open.table;
  if (!('points' in over.answer) || firstMs === null)
    return [BLANK, textLine(`  working out ${over.column} over time ...  Esc stops`, 'quiet')];
  const bars = chartBars(open, over);
  const begin = Math.floor(firstMs / over.stepMs);
  const timeOf = (bar: number): string => momentText((begin + bar) * over.stepMs, over.stepMs);
  const mixed = over.measure === 'rows' ? undefined : mixedIn(open, over.column);
  const of = mixed === undefined ? '' : `, of whatever ${mixed}, ${unitsOf(open, over.column)}`;
  const step = stepText(over.stepMs);
  const subject = span(sanitize(` ${over.column}, ${MEASURES[over.measure]} `), 'strong');
  const shorter = span(sanitize(` ${over.column}, ${over.measure} `), 'strong');
  const whatever = mixed === undefined ? '' : `, whatever ${mixed}`;
  // What it is of says more than what a gap is.
  const ways: readonly Line[] = [
    [subject, span(sanitize(`in each ${step}${of}${legend(bars)}`), 'quiet')],
    [subject, span(sanitize(`in each ${step}${of}`), 'quiet')],
    [subject, span(sanitize(`in each ${step}${whatever}`), 'quiet')],
    [shorter, span(sanitize(`in ${step}${whatever}`), 'quiet')],
  ];
  const moment = textLine(` ^ ${timeOf(over.at)}: `, 'accent');
  const told = barText(bars[over.at], over, columns - lineWidth(moment));
  return [
    cutLine(ways.find(way => lineWidth(way) <= columns) ?? ways.at(-1) ?? [], columns),
    cutLine([...moment, span(told, 'accent')], columns),
    ...drawBars({ bars, at: over.at, columns, rows: viewerRows(state) - 1, timeOf }),
  ];
}

const MEASURES: { readonly [measure in Measure]: string } = {
  sum: 'the sum',
  last: 'the last value',
  largest: 'the largest value',
  least: 'the least value',
  rows: 'how many rows',
};

// Files count in smallest units; answers where they say so alone.
function unitsOf({ table }: OpenTable, name: string): string {
  const column = table.columns.find(known => known.name === name);
  const isWhole = column?.isAnswer === true && !column.unit.startsWith('smallest');
  return isWhole ? 'each in its units' : 'in smallest units';
}

/** What of the line of zero means something else than a bar of its own. */
function legend(bars: readonly Bar[]): string {
  const kinds = new Set(bars.map(({ kind }) => kind));
  const missing = kinds.has('missing') ? '; a gap in the line: no rows' : '';
  return `${missing}${kinds.has('none') ? '; a dot: rows without a number' : ''}`;
}

function barText(bar: Bar | undefined, { measure }: ChartView, room: number): SafeText {
  switch (bar?.kind) {
    case 'value':
      return measure === 'rows' ? sanitize(`${groupDigits(bar.value)} rows`) : figureText(bar.value, room);
    case 'none':
      return safeText`rows without a number`;
    case 'missing':
    case undefined:
      return safeText`no rows`;
  }
}

function figureText(value: string, room: number): SafeText {
  const whole = sanitize(groupDigits(value));
  return widthCells(whole) <= room ? whole : numberWithin(value, room);
}

/** A moment as far as the stretch of time tells it from the next one. */
function momentText(ms: number, stepMs: number): string {
  const iso = new Date(ms).toISOString();
  if (stepMs % 86_400_000 === 0) return iso.slice(0, 10);
  return `${iso.slice(0, 10)} ${iso.slice(11, stepMs % 60_000 === 0 ? 16 : 19)}`;
}
