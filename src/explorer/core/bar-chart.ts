import { EMPTY, repeatSafe, type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { fitCells, widthCells } from '../../base/text/width.ts';
import { barHeights } from '../../chain/insight/bar.ts';
import { type Line, span } from './line.ts';
import type { Area } from './screen.ts';

interface BarChart {
  /** Exact decimals, the oldest at the left; null where there is none. */
  readonly values: readonly (string | null)[];
  /** The scale at the left. */
  readonly highest: SafeText;
  /** Empty unless below zero. */
  readonly lowest?: SafeText;
  /** What each bar is of, below it; without room for all, the first and the last. */
  readonly names: readonly string[];
  /** What the names are. */
  readonly namesTitle?: SafeText;
  /** The bar that is marked. */
  readonly selected?: number;
  /** The zero line below a bar; a stroke if omitted. */
  readonly baseline?: (index: number) => string;
}

export const MAX_SCALE_CELLS = 16;

/** Cells of a bar with the gap that keeps it apart from the next. */
export const MIN_BAR_CELLS = 2;

/** Bars in eighths of a row over a zero line, oldest at the left, with the scale at the left and the range below. */
export function drawBarChart(chart: BarChart, { columns, rows }: Area): readonly Line[] {
  const { values, highest, lowest = EMPTY, names, namesTitle = EMPTY, selected } = chart;
  const { baseline = () => '\u2500' } = chart;
  const height = rows - (selected === undefined ? 2 : 3);
  if (height < 1 || values.length === 0) return [];
  const left = Math.max(...[highest, lowest, namesTitle].map(widthCells));
  const each = Math.max(1, Math.min(MAX_BAR_CELLS, Math.floor((columns - left - MARGINS) / values.length)));
  const { rowsUp, rowsDown, eighths } = barHeights(values, height);
  const label = (text: SafeText): Line => [span(safeText` ${fitCells(text, left, 'right')} `, 'quiet')];
  const bars = (glyph: (value: number) => string): Line => [
    span(sanitize(eighths.map(value => spaced(glyph(value ?? 0), each)).join('')), 'accent'),
  ];
  return [
    ...Array.from({ length: rowsUp }, (_, row): Line => {
      const below = (rowsUp - row - 1) * 8;
      return [...label(row === 0 ? highest : EMPTY), ...bars(value => eighthOf(UP, value - below))];
    }),
    [...label(safeText`0`), span(sanitize(values.map((_, index) => baseline(index).repeat(each)).join('')), 'quiet')],
    ...Array.from({ length: rowsDown }, (_, row): Line => {
      const text = row === rowsDown - 1 ? lowest : EMPTY;
      return [...label(text), ...bars(value => eighthOf(DOWN, -value - row * 8))];
    }),
    ...(selected === undefined
      ? []
      : [[...label(EMPTY), span(repeatSafe(safeText` `, each * selected)), span(safeText`^`, 'strong')]]),
    [...label(namesTitle), span(namesText(names, each), 'quiet')],
  ];
}

const MARGINS = 3;
const MAX_BAR_CELLS = 8;

const UP = [' ', '\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'];
// Only three blocks hang from the top.
const DOWN = [' ', '\u2594', '\u2594', '\u2580', '\u2580', '\u2580', '\u2580', '\u2588', '\u2588'];

const eighthOf = (glyphs: readonly string[], eighths: number): string =>
  glyphs[Math.max(0, Math.min(8, eighths))] ?? ' ';

const spaced = (glyph: string, cells: number): string =>
  cells < MIN_BAR_CELLS ? glyph.repeat(cells) : `${glyph.repeat(cells - 1)} `;

function namesText(names: readonly string[], each: number): SafeText {
  if (names.every(name => name.length < each)) return sanitize(names.map(name => name.padEnd(each)).join(''));
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const gap = each * names.length - 1 - first.length - last.length;
  return sanitize(gap < 2 ? first : `${first}${' '.repeat(gap)}${last}`);
}
