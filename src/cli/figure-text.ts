import type { Directory } from '../directory/directory.ts';
import { bar } from '../insight/bar.ts';
import { lookOf } from '../insight/kind.ts';
import { shareShown } from '../insight/paid-fees.ts';
import { type AmountSum, sumShown, sumUnit } from '../resources/amount-sums.ts';
import type { Column } from '../resources/resource.ts';
import { type Frequency, frequentText } from '../resources/tally.ts';
import { EMPTY, joinSafe, type SafeText, safeText, sanitize, trimEndSafe } from '../text/safe-text.ts';
import { fitCells, truncateEnd, widthCells } from '../text/width.ts';

const BAR_CELLS = 20;
const WIDEST_ON_TERMINAL = 60;

/** How often values occur, with a bar each, and what amounts come to. */
export function frequencyText(
  column: Column,
  { values, rows, sums }: Frequency,
  directory: Directory,
  isTerminal: boolean,
): SafeText {
  const most = values[0]?.count ?? 0;
  const cells = values.map(value => {
    const text = frequentText(column, value, directory);
    return [
      isTerminal ? truncateEnd(text, WIDEST_ON_TERMINAL) : text,
      sanitize(String(value.count)),
      sanitize(`${shareShown(String(value.count), String(rows)) ?? '-'} %`),
      sanitize(bar(BigInt(value.count), BigInt(most), BAR_CELLS)),
    ];
  });
  const table = textTable(
    [sanitize(column.title), safeText`COUNT`, safeText`SHARE`, EMPTY],
    [lookOf(column.kind).align, 'right', 'right', 'left'],
    cells,
  );
  return sums.length === 0 ? table : joinSafe([table, safeText`\n`, sumsText(sums, directory)]);
}

export const sumsText = (sums: readonly AmountSum[], directory: Directory): SafeText =>
  textTable(
    [safeText`OF`, safeText`COUNT`, safeText`SUM`, safeText`LEAST`, safeText`LARGEST`],
    ['left', 'right', 'right', 'right', 'right'],
    sums.map(sum => [
      sumUnit(sum, directory),
      sanitize(String(sum.count)),
      sumShown(sum, sum.sum),
      sumShown(sum, sum.least),
      sumShown(sum, sum.largest),
    ]),
  );

/** Columns as wide as they need, nothing cut. */
function textTable(
  titles: readonly SafeText[],
  aligns: readonly ('left' | 'right')[],
  rows: readonly (readonly SafeText[])[],
): SafeText {
  const lines = [titles, ...rows];
  const widths = titles.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, widthCells(line[index] ?? EMPTY)), 0),
  );
  const lineOf = (cells: readonly SafeText[]): SafeText => {
    const fitted = cells.map((text, index) => fitCells(text, widths[index] ?? 0, aligns[index]));
    return safeText`${trimEndSafe(joinSafe(fitted, safeText`  `))}\n`;
  };
  return joinSafe(lines.map(lineOf));
}
