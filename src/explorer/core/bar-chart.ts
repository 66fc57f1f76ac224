import { EMPTY, repeatSafe, type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { fitCells, widthCells } from '../../base/text/width.ts';
import { type Line, span } from './line.ts';
import type { Area } from './screen.ts';

interface BarChart {
  /** The oldest at the left; null where there is none. */
  readonly values: readonly (bigint | null)[];
  /** The scale at the left. */
  readonly highest: SafeText;
  /** What each bar is of, below it; without room for all, the first and the last. */
  readonly names: readonly string[];
  /** What the names are. */
  readonly namesTitle?: SafeText;
}

export const MAX_SCALE_CELLS = 16;

/** Cells of a bar with the gap that keeps it apart from the next. */
const MIN_BAR_CELLS = 2;

/** Bars in eighths of a row over a zero line, oldest at the left, with the scale at the left and the range below. */
export function drawBarChart(chart: BarChart, { columns, rows }: Area): readonly Line[] {
  const { values, highest, names, namesTitle = EMPTY } = chart;
  const height = rows - 2;
  if (height < 1 || values.length === 0) return [];
  const left = Math.max(widthCells(highest), widthCells(namesTitle));
  const each = Math.max(1, Math.min(MAX_BAR_CELLS, Math.floor((columns - left - MARGINS) / values.length)));
  const eighths = barEighths(values, 8 * height);
  const label = (text: SafeText): Line => [span(safeText` ${fitCells(text, left, 'right')} `, 'quiet')];
  return [
    ...Array.from({ length: height }, (_, row): Line => {
      const below = (height - row - 1) * 8;
      const bars = eighths.map(value => spaced(GLYPHS[Math.max(0, Math.min(8, value - below))] ?? ' ', each));
      return [...label(row === 0 ? highest : EMPTY), span(sanitize(bars.join('')), 'accent')];
    }),
    [...label(safeText`0`), span(repeatSafe(safeText`\u2500`, each * values.length), 'quiet')],
    [...label(namesTitle), span(namesText(names, each), 'quiet')],
  ];
}

const MARGINS = 3;
const MAX_BAR_CELLS = 8;

/** The heights of bars, the largest of which fills the room; any but zero has at least an eighth. */
function barEighths(values: readonly (bigint | null)[], room: number): readonly number[] {
  const most = values.reduce<bigint>((high, value) => (value !== null && value > high ? value : high), 0n);
  return values.map(value => {
    if (value === null || value <= 0n) return 0;
    return Math.max(1, Number((2n * value * BigInt(room) + most) / (2n * most)));
  });
}

const GLYPHS = [' ', '\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'];

const spaced = (glyph: string, cells: number): string =>
  cells < MIN_BAR_CELLS ? glyph.repeat(cells) : `${glyph.repeat(cells - 1)} `;

function namesText(names: readonly string[], each: number): SafeText {
  if (names.every(name => name.length < each)) return sanitize(names.map(name => name.padEnd(each)).join(''));
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const gap = each * names.length - 1 - first.length - last.length;
  return sanitize(gap < 2 ? first : `${first}${' '.repeat(gap)}${last}`);
}
