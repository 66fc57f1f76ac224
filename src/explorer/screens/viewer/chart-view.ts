import type { Measure } from '../../../answers/index.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, widthCells } from '../../../base/text/width.ts';
import { barHeights } from '../../../chain/insight/bar.ts';
import { compareDecimals, groupDigits } from '../../../chain/insight/decimal.ts';
import { BLANK, cutLine, type Line, line, lineWidth, span, textLine } from '../../core/line.ts';
import type { Area } from '../../core/screen.ts';
import { type Bar, chartBars, stepText } from './bars.ts';
import { fitNumberText } from './cells.ts';
import { mixedUnitsOf } from './mixed-units.ts';
import { type ChartView, type OpenTable, viewerRows } from './state.ts';

/** A column of numbers over time; above the bars what each is, and the selected one in figures. */
export function drawChart(open: OpenTable, over: ChartView, area: Area): readonly Line[] {
  const { columns } = area;
  const { firstMs } = open.table;
  if (over.points === null || firstMs === null)
    return [BLANK, textLine(`  working out ${over.column} over time ...  Esc stops`, 'quiet')];
  const bars = chartBars(open, over);
  const begin = Math.floor(firstMs / over.stepMs);
  const timeOf = (bar: number): string => momentText((begin + bar) * over.stepMs, over.stepMs);
  const mixed = mixedUnitsOf(open, over.column);
  const of = mixed === undefined ? '' : `; no sum: the ${mixed}s may differ`;
  const step = stepText(over.stepMs);
  const subject = span(sanitize(` ${over.column}, ${MEASURES[over.measure]} `), 'strong');
  const shorter = span(sanitize(` ${over.column}, ${over.measure} `), 'strong');
  // The subject is more important than the explanation of a gap.
  const ways: readonly Line[] = [
    [subject, span(sanitize(`in each ${step}${of}${legend(bars)}`), 'quiet')],
    [subject, span(sanitize(`in each ${step}${of}`), 'quiet')],
    [shorter, span(sanitize(`in ${step}${of}`), 'quiet')],
    [shorter, span(sanitize(`in ${step}`), 'quiet')],
  ];
  const moment = textLine(` ^ ${timeOf(over.at)}: `, 'accent');
  const figure = barText(bars[over.at], over, columns - lineWidth(moment));
  return [
    cutLine(ways.find(way => lineWidth(way) <= columns) ?? ways.at(-1) ?? [], columns),
    cutLine([...moment, span(figure, 'accent')], columns),
    ...drawBars({ bars, at: over.at, columns, rows: viewerRows(area) - 1, timeOf }),
  ];
}

const MEASURES: { readonly [measure in Measure]: string } = {
  sum: 'the sum',
  last: 'the last value',
  largest: 'the largest value',
  least: 'the least value',
  rows: 'how many rows',
};

/** The marks on the zero line that are not bars. */
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
  return widthCells(whole) <= room ? whole : fitNumberText(value, room);
}

/** A moment, as exact as the range of a bar. */
function momentText(ms: number, stepMs: number): string {
  const iso = new Date(ms).toISOString();
  if (stepMs % 86_400_000 === 0) return iso.slice(0, 10);
  return `${iso.slice(0, 10)} ${iso.slice(11, stepMs % 60_000 === 0 ? 16 : 19)}`;
}

interface ChartFrame {
  readonly bars: readonly Bar[];
  /** The selected one. */
  readonly at: number;
  readonly columns: number;
  readonly rows: number;
  /** Of when each bar is. */
  readonly timeOf: (bar: number) => string;
}

/** Bars in eighths of a cell over a zero line, with a gap where no rows exist; the largest value at the left. */
function drawBars({ bars, at, columns, rows, timeOf }: ChartFrame): readonly Line[] {
  const height = rows - BELOW;
  const values = bars.map(bar => (bar.kind === 'value' ? bar.value : null));
  if (height < 1 || bars.length === 0) return [];
  const { rowsUp, rowsDown, eighths } = barHeights(values, height);
  const labels = axisLabels(values, columns);
  const left = Math.max(...labels.map(widthCells));
  const each = Math.max(1, Math.min(MAX_BAR_CELLS, Math.floor((columns - left - MARGINS) / bars.length)));
  const row = (label: SafeText, glyph: (bar: number) => string, style: 'accent' | 'quiet'): Line => [
    span(safeText` ${fitCells(label, left, 'right')} `, 'quiet'),
    span(sanitize(bars.map((_, index) => cell(glyph(index), each)).join('')), style),
  ];
  const drawn = (eighth: (value: number) => string) => (index: number) => eighth(eighths[index] ?? 0);
  return [
    ...Array.from({ length: rowsUp }, (_, index) => {
      const above = (rowsUp - index - 1) * 8;
      return row(
        index === 0 ? labels[0] : EMPTY,
        drawn(value => UP[Math.max(0, Math.min(8, value - above))] ?? ' '),
        'accent',
      );
    }),
    row(safeText`0`, index => AXIS[bars[index]?.kind ?? 'missing'], 'quiet'),
    ...Array.from({ length: rowsDown }, (_, index) => {
      const label = index === rowsDown - 1 ? labels[1] : EMPTY;
      return row(
        label,
        drawn(value => DOWN[Math.max(0, Math.min(8, -value - index * 8))] ?? ' '),
        'accent',
      );
    }),
    row(EMPTY, index => (index === at ? '^' : ' '), 'quiet').map(part => ({ ...part, style: 'strong' })),
    timesLine({ first: timeOf(0), last: timeOf(bars.length - 1) }, left + MARGINS - 1, each * bars.length),
  ];
}

/** The zero line, the mark of the selected bar, times. */
const BELOW = 3;
const MARGINS = 3;
const MAX_BAR_CELLS = 8;

const UP = [' ', '\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'];
// Blocks that hang there are but three.
const DOWN = [' ', '\u2594', '\u2594', '\u2580', '\u2580', '\u2580', '\u2580', '\u2588', '\u2588'];
const AXIS = { value: '\u2500', none: '\u00b7', missing: ' ' } as const;

/** Wide bars stand apart. */
const cell = (glyph: string, cells: number): string =>
  cells > 2 ? `${glyph.repeat(cells - 1)} ` : glyph.repeat(cells);

/** `441 624 506 400`, or some digits with their magnitude. */
const MAX_LABEL_CELLS = 16;

/** The largest value, and the least one where that is below zero. */
function axisLabels(values: readonly (string | null)[], columns: number): readonly [SafeText, SafeText] {
  const known = values.filter(value => value !== null).toSorted(compareDecimals);
  const label = (value: string | undefined): SafeText =>
    value === undefined ? EMPTY : fitNumberText(value, Math.min(MAX_LABEL_CELLS, Math.floor(columns / 3)));
  const least = known[0];
  return [label(known.at(-1)), label(least?.startsWith('-') ? least : undefined)];
}

function timesLine(times: { readonly first: string; readonly last: string }, indent: number, cells: number): Line {
  const [first, last] = [sanitize(times.first), sanitize(times.last)];
  const gap = cells - widthCells(first) - widthCells(last);
  const shown = gap < 2 ? first : safeText`${first}${sanitize(' '.repeat(gap))}${last}`;
  return line(safeText`${sanitize(' '.repeat(indent))}${shown}`, 'quiet');
}
