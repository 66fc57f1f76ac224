import type { ResultColumn } from '../../answers/index.ts';
import { EMPTY, joinSafe, type SafeText, safeLines, safeText, sanitize, trimEndSafe } from '../../text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells } from '../../text/width.ts';
import type { Sink } from '../sink.ts';
import type { ResultRow, ResultWriter } from './result-row.ts';
import { rowBlock } from './row-block.ts';

/**
 * A result in columns as wide as its first rows need. On a terminal ids and texts are cut to a mark where the columns
 * do not fit, and where that is not enough each row is a block of lines; a number is never cut, and in a pipe nothing is.
 */
export function resultTable(columns: readonly ResultColumn[], stdout: Sink): ResultWriter {
  if (columns[0]?.name === 'explain_key' && columns.length === 2) return plan(stdout);
  const titles = columns.map(({ name }) => sanitize(name));
  const shapes = columns.map(({ type }) => shapeOf(type));
  const room = stdout.isTerminal ? (stdout.columns ?? 80) : undefined;
  let widths: readonly number[] | undefined;
  let isInBlocks = false;
  let count = 0;
  const begin = (cells: readonly (readonly SafeText[])[]): readonly number[] => {
    const whole = titles.map((title, index) =>
      cells.reduce((widest, row) => Math.max(widest, widthCells(row[index] ?? EMPTY)), widthCells(title)),
    );
    const fitted = room === undefined ? whole : fittedWidths(whole, shapes, room);
    isInBlocks = fitted === undefined;
    return fitted ?? whole;
  };
  const write = async (rows: readonly ResultRow[]): Promise<void> => {
    const cells = rows.map(row => row.map(value => (value === null ? NULL : sanitize(value))));
    const isFirst = widths === undefined;
    const wide = widths ?? begin(cells);
    widths = wide;
    const lines: SafeText[] = [];
    if (isInBlocks) for (const row of cells) lines.push(rowBlock(titles, row, { number: ++count, room: room ?? 80 }));
    else {
      const isTerminal = room !== undefined;
      if (isFirst) lines.push(tableLine(titles, shapes, { widths: wide, isCut: isTerminal, isTitle: true }));
      for (const row of cells) lines.push(tableLine(row, shapes, { widths: wide, isCut: isTerminal }));
    }
    await stdout.safe(joinSafe(lines));
  };
  return { write, end: () => (widths === undefined ? write([]) : Promise.resolve()) };
}

/** How a question would be answered, which the engine draws in lines. */
const plan = (stdout: Sink): ResultWriter => ({
  write: rows => stdout.safe(joinSafe(rows.map(([, drawing]) => safeLines(drawing ?? '')))),
  end: async () => {},
});

const NULL = safeText`NULL`;

type Shape = 'number' | 'time' | 'bytes' | 'text';

function shapeOf(type: string): Shape {
  if (/^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL|DOUBLE|FLOAT|BIGNUM)\b(?!.*\])/.test(type)) return 'number';
  if (/^(?:TIMESTAMP|DATE|TIME)\b(?!.*\])/.test(type)) return 'time';
  return type === 'BLOB' ? 'bytes' : 'text';
}

/** The widest of what may be cut is, until the line fits; undefined where it cannot. */
function fittedWidths(whole: readonly number[], shapes: readonly Shape[], room: number): readonly number[] | undefined {
  const widths = [...whole];
  const least = (index: number): number => Math.min(whole[index] ?? 0, LEAST[shapes[index] ?? 'text']);
  const total = (): number => widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1));
  while (total() > room) {
    let widest = -1;
    for (const [index, width] of widths.entries())
      if (width > least(index) && width > (widths[widest] ?? 0)) widest = index;
    if (widest < 0) return undefined;
    widths[widest] = Math.max(least(widest), (widths[widest] ?? 0) - Math.max(1, Math.ceil((total() - room) / 8)));
  }
  return widths;
}

/** Of an id both ends can be compared, and of a time the second is there. */
const LEAST: { readonly [shape in Shape]: number } = {
  number: Number.POSITIVE_INFINITY,
  time: '2026-10-01 00:00:00'.length + 1,
  bytes: 10,
  text: 8,
};

interface LineForm {
  readonly widths: readonly number[];
  readonly isCut: boolean;
  readonly isTitle?: true;
}

function tableLine(
  cells: readonly SafeText[],
  shapes: readonly Shape[],
  { widths, isCut, isTitle }: LineForm,
): SafeText {
  const fitted = cells.map((text, index) => {
    const [shape, width] = [shapes[index] ?? 'text', widths[index] ?? 0];
    // A later row may hold a longer value than the first ones: it is printed whole and pushes the others aside.
    if (widthCells(text) > width && (!isCut || shape === 'number')) return text;
    const cut = shape === 'bytes' && isTitle !== true ? truncateMiddle(text, width) : truncateEnd(text, width);
    return fitCells(cut, width, shape === 'number' ? 'right' : 'left');
  });
  return safeText`${trimEndSafe(joinSafe(fitted, safeText`  `))}\n`;
}
