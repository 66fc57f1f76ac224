import type { Directory } from '../directory/directory.ts';
import type { Column } from '../resources/resource.ts';
import type { RowList } from '../resources/row-list.ts';
import { createTally, type Frequency } from '../resources/tally.ts';
import { amongIn } from './model/cell-text.ts';
import type { LoadedPage } from './model/state.ts';

/** The rows of a list that are to be counted by what a column of them holds. */
export interface CountQuestion {
  readonly column: Column;
  readonly rows: RowList;
  readonly page: LoadedPage;
  readonly directory: Directory;
}

const ROWS_AT_ONCE = 100;

/** How often values occur; can be left after each step, of which each says how many rows are counted. */
export function* countRows({ column, rows, page, directory }: CountQuestion): Generator<number, Frequency> {
  const tally = createTally(column, directory);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    for (const row of rows.slice(from, from + ROWS_AT_ONCE)) tally.add(row, amongIn(page, row));
    yield Math.min(rows.length, from + ROWS_AT_ONCE);
  }
  return tally.result();
}
