import { EMPTY } from '../../../../base/text/safe-text.ts';
import type { Directory } from '../../../../chain/directory/directory.ts';
import { countOf } from '../../../../chain/insight/count-of.ts';
import { groupedSumText, sumUnit } from '../../../../chain/resources/amount-sums.ts';
import { rowContext } from '../../../../chain/resources/cell-text.ts';
import type { ListPage } from '../../../../chain/resources/list-page.ts';
import type { Column } from '../../../../chain/resources/resource.ts';
import type { RowList } from '../../../../chain/resources/row-list.ts';
import { createTally, type Frequency, frequentValueText } from '../../../../chain/resources/tally.ts';
import { runInSlices } from '../../../../chain/resources/time-slices.ts';
import type { Counts, CountsSource } from '../../../core/counts.ts';
import type { FiguresContent } from '../../../services/copying/content.ts';

interface RowsToCount extends Pick<FiguresContent, 'column' | 'shows'> {
  readonly rows: RowList;
  /** The page that they are of. */
  readonly page: ListPage;
}

/** Counts rows that a list has loaded, in slices: keys are answered between them. */
export const rowsSource = (counted: RowsToCount): CountsSource => ({
  count: async ({ directory }, signal, onProgress) =>
    countsOf(await runInSlices(countRows(counted, directory), { signal, onProgress }), counted),
});

const ROWS_AT_ONCE = 100;

/** How often values occur; can be left after each step, which yields how many rows are counted. */
function* countRows({ column, rows, page }: RowsToCount, directory: Directory): Generator<number, Frequency> {
  const tally = createTally(column, directory);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    for (const row of rows.slice(from, from + ROWS_AT_ONCE)) tally.add(row, rowContext(page, row));
    yield Math.min(rows.length, from + ROWS_AT_ONCE);
  }
  return tally.result();
}

function countsOf(frequency: Frequency, { column, shows }: RowsToCount): Counts {
  const { rows, values, sums, unsummed } = frequency;
  return {
    ...{ rows, values, distinct: values.length },
    sums: sums.map(sum => ({
      ...{
        sum: groupedSumText(sum, sum.sum),
        least: groupedSumText(sum, sum.least),
        largest: groupedSumText(sum, sum.largest),
      },
      count: sum.count,
      unit: ({ directory }) => sumUnit(sum, directory),
    })),
    unsummed:
      unsummed === 0 ? [] : [`left out of the sums: ${countOf(unsummed, 'row')} without ${whatIsSummed(column)}`],
    textAt: (place, { directory }) => textOf(column, values[place], directory),
    content: (form, { directory }) => ({ kind: 'figures', form, figures: { column, shows, frequency, directory } }),
  };
}

const whatIsSummed = ({ kind }: Column): string => (kind === 'amount' ? 'an amount of a known asset' : 'a number');

const textOf = (column: Column, value: Frequency['values'][number] | undefined, directory: Directory) =>
  value === undefined ? EMPTY : frequentValueText(column, value, directory);
