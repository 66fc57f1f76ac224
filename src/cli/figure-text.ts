import type { Directory } from '../directory/directory.ts';
import { bar } from '../insight/bar.ts';
import { lookOf } from '../insight/kind.ts';
import { shareShown } from '../insight/paid-fees.ts';
import { type AmountSum, sumShown, sumUnit } from '../resources/amount-sums.ts';
import type { Column } from '../resources/resource.ts';
import { type Frequency, frequentText } from '../resources/tally.ts';
import { joinSafe, type SafeText, safeText } from '../text/safe-text.ts';
import { truncateEnd } from '../text/width.ts';
import { cappedCell } from './output.ts';
import { smallTable } from './small-table.ts';

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
      isTerminal ? truncateEnd(text, WIDEST_ON_TERMINAL) : cappedCell(text),
      String(value.count),
      `${shareShown(String(value.count), String(rows)) ?? '-'} %`,
      bar(BigInt(value.count), BigInt(most), BAR_CELLS),
    ];
  });
  const aligns = [lookOf(column.kind).align, 'right', 'right', 'left'] as const;
  const table = smallTable([column.title, 'COUNT', 'SHARE', ''], cells, aligns);
  return sums.length === 0 ? table : joinSafe([table, safeText`\n`, sumsText(sums, directory)]);
}

export const sumsText = (sums: readonly AmountSum[], directory: Directory): SafeText =>
  smallTable(
    ['OF', 'COUNT', 'SUM', 'LEAST', 'LARGEST'],
    sums.map(sum => [
      sumUnit(sum, directory),
      String(sum.count),
      ...[sum.sum, sum.least, sum.largest].map(value => sumShown(sum, value)),
    ]),
    ['left', 'right', 'right', 'right', 'right'],
  );
