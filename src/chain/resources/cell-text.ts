import type { SafeText } from '../../base/text/safe-text.ts';
import type { Directory } from '../directory/directory.ts';
import { type ColumnForm, columnForm, formatCell } from './cell.ts';
import { qualifyText, valueInContext } from './columns.ts';
import type { ListPage } from './list-page.ts';
import { holdsWholeList, loadedRows, nearbyRows } from './list-page.ts';
import type { Column, Row, RowContext } from './resource.ts';

/** A cell's text in its short form, with the words that the rest of the page puts before it. */
export function cellText(
  column: Column,
  row: Row,
  page: ListPage,
  directory: Directory,
  { nowMs = page.receivedAtMs, cells }: CellOptions = {},
): SafeText {
  const form = cachedColumnForm(column, page, directory);
  return qualifyText(
    column,
    { row, rows: nearbyRows(page, row), directory },
    formatCell(column, row, {
      directory,
      among: rowContext(page, row),
      form,
      nowMs,
      ...(cells !== undefined && { cells }),
    }),
  );
}

interface CellOptions {
  readonly nowMs?: number;
  /** Numbers are shortened to them. */
  readonly cells?: number;
}

const forms = new WeakMap<ListPage['rows'], WeakMap<Directory, Map<string, ColumnForm>>>();

/** How a column is written on a page: worked out once, as long as the names are the same. */
export function cachedColumnForm(column: Column, { rows }: ListPage, directory: Directory): ColumnForm {
  const byDirectory = forms.get(rows) ?? new WeakMap<Directory, Map<string, ColumnForm>>();
  forms.set(rows, byDirectory);
  const known = byDirectory.get(directory) ?? new Map<string, ColumnForm>();
  byDirectory.set(directory, known);
  // A filter gives a column another title.
  const key = `${column.id} ${column.title}`;
  const form = known.get(key) ?? columnForm(column, rows, { directory, isExact: false });
  known.set(key, form);
  return form;
}

/** The value that a cell shows. */
export const cellValue = (column: Column, row: Row, page: ListPage): string =>
  valueInContext(column, row, rowContext(page, row));

/** The rows around a row of the page; in a long list only those that are about the same, not all there are. */
export function rowContext(page: ListPage, row: Row): RowContext {
  const { rows, whole, request } = page;
  if (whole === undefined || whole.list === rows) return pageContext(page);
  // A list that is only partly loaded has no known total.
  const total = holdsWholeList(page) ? whole.total : '';
  return new NearbyRowContext(request.filters, total, () => whole.around(row));
}

/** Few columns look at the rows around, and they have to be looked for. */
class NearbyRowContext implements RowContext {
  readonly isWhole = false;
  readonly filters: RowContext['filters'];
  readonly total: string;
  readonly #find: () => RowContext['rows'];

  constructor(filters: RowContext['filters'], total: string, find: () => RowContext['rows']) {
    this.filters = filters;
    this.total = total;
    this.#find = find;
  }

  get rows(): RowContext['rows'] {
    return this.#find();
  }
}

/** The rows that all rows of a page are among; of a long list a sample, which is not all there are. */
export const pageContext = (page: ListPage): RowContext => ({
  rows: page.rows,
  filters: page.request.filters,
  isWhole: holdsWholeList(page) && loadedRows(page) === page.rows,
});
