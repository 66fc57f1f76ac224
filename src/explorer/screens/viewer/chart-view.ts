import type { Measure } from '../../../answers/index.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { widthCells } from '../../../base/text/width.ts';
import { compareDecimals, groupDigits } from '../../../chain/insight/decimal.ts';
import { drawBarChart, MAX_SCALE_CELLS } from '../../core/bar-chart.ts';
import { BLANK, cutLine, type Line, lineWidth, span, textLine } from '../../core/line.ts';
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
  const values = bars.map(bar => (bar.kind === 'value' ? bar.value : null));
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
    ...drawBarChart(
      {
        ...axisLabels(values, columns),
        ...{ values, names: bars.map((_, bar) => timeOf(bar)), selected: over.at },
        baseline: bar => AXIS[bars[bar]?.kind ?? 'missing'],
      },
      { columns, rows: viewerRows(area) - 1 },
    ),
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

const AXIS = { value: '\u2500', none: '\u00b7', missing: ' ' } as const;

/** The largest value, and the least one where that is below zero. */
function axisLabels(
  values: readonly (string | null)[],
  columns: number,
): { readonly highest: SafeText; readonly lowest: SafeText } {
  const known = values.filter(value => value !== null).toSorted(compareDecimals);
  const label = (value: string | undefined): SafeText =>
    value === undefined ? EMPTY : fitNumberText(value, Math.min(MAX_SCALE_CELLS, Math.floor(columns / 3)));
  const least = known[0];
  return { highest: label(known.at(-1)), lowest: label(least?.startsWith('-') ? least : undefined) };
}
