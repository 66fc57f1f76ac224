import { type Line, line, span } from '../../explorer/core/line.ts';
import { barHeights } from '../../insight/bar.ts';
import { compareDecimals } from '../../insight/decimal.ts';
import { shortText } from '../../insight/kind.ts';
import type { Bar } from '../../session/model/viewer-chart.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells, truncateEnd, widthCells } from '../../text/width.ts';

export interface ChartFrame {
  readonly bars: readonly Bar[];
  /** The one that is told of in figures. */
  readonly at: number;
  readonly columns: number;
  readonly rows: number;
  /** Of when each bar is. */
  readonly timeOf: (bar: number) => string;
}

/** Bars in eighths of a cell over a line of zero, which has a gap where there are no rows; the largest value at the left. */
export function drawBars({ bars, at, columns, rows, timeOf }: ChartFrame): readonly Line[] {
  const height = rows - BELOW;
  const values = bars.map(bar => (bar.kind === 'value' ? bar.value : null));
  if (height < 1 || bars.length === 0) return [];
  const { rowsUp, rowsDown, eighths } = barHeights(values, height);
  const labels = labelsOf(values, columns);
  const left = Math.max(...labels.map(widthCells));
  const each = Math.max(1, Math.min(WIDEST, Math.floor((columns - left - MARGINS) / bars.length)));
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

/** The line of zero, the one that is pointed at, times. */
const BELOW = 3;
const MARGINS = 3;
const WIDEST = 8;

const UP = [' ', '\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'];
// Blocks that hang there are but three.
const DOWN = [' ', '\u2594', '\u2594', '\u2580', '\u2580', '\u2580', '\u2580', '\u2588', '\u2588'];
const AXIS = { value: '\u2500', none: '\u00b7', missing: ' ' } as const;

/** Wide bars stand apart. */
const cell = (glyph: string, cells: number): string =>
  cells > 2 ? `${glyph.repeat(cells - 1)} ` : glyph.repeat(cells);

/** The largest value, and the least one where that is below zero. */
function labelsOf(values: readonly (string | null)[], columns: number): readonly [SafeText, SafeText] {
  const known = values.filter(value => value !== null).toSorted(compareDecimals);
  const label = (value: string | undefined): SafeText =>
    value === undefined ? EMPTY : truncateEnd(shortText('amount', value, 0), Math.floor(columns / 3));
  const least = known[0];
  return [label(known.at(-1)), label(least?.startsWith('-') ? least : undefined)];
}

function timesLine(times: { readonly first: string; readonly last: string }, indent: number, cells: number): Line {
  const [first, last] = [sanitize(times.first), sanitize(times.last)];
  const gap = cells - widthCells(first) - widthCells(last);
  const shown = gap < 2 ? first : safeText`${first}${sanitize(' '.repeat(gap))}${last}`;
  return line(safeText`${sanitize(' '.repeat(indent))}${shown}`, 'quiet');
}
