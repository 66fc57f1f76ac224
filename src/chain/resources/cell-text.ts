import type { SafeText } from '../../base/text/safe-text.ts';
import type { Directory } from '../directory/directory.ts';
import { type ColumnForm, columnForm, textInCell } from './cell.ts';
import { qualified, valueAmong } from './columns.ts';
import type { ListPage } from './list-page.ts';
import { holdsWholeList, loadedRows, rowsAround } from './list-page.ts';
import type { Among, Column, Row } from './resource.ts';

/** A cell's text in its short form, with the words that the rest of the page puts before it. */
export function cellText(
  column: Column,
  row: Row,
  page: ListPage,
  directory: Directory,
  { nowMs = page.receivedAtMs, cells }: CellRoom = {},
): SafeText {
  const form = formOf(column, page, directory);
  return qualified(
    column,
    { row, rows: rowsAround(page, row), directory },
    textInCell(column, row, {
      directory,
      among: amongIn(page, row),
      form,
      nowMs,
      ...(cells !== undefined && { cells }),
    }),
  );
}

interface CellRoom {
  readonly nowMs?: number;
  /** Numbers are shortened to them. */
  readonly cells?: number;
}

const forms = new WeakMap<ListPage['rows'], WeakMap<Directory, Map<string, ColumnForm>>>();

/** How a column is written on a page: worked out once, as long as the names are the same. */
export function formOf(column: Column, { rows }: ListPage, directory: Directory): ColumnForm {
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
  valueAmong(column, row, amongIn(page, row));

/** The rows around a row of the page; in a long list only those that are about the same, not all there are. */
export function amongIn(page: ListPage, row: Row): Among {
  const { rows, whole, request } = page;
  if (whole === undefined || whole.list === rows) return amongAll(page);
  // A list that is only partly loaded has no known total.
  const total = holdsWholeList(page) ? whole.total : '';
  return new FewAround(request.filters, total, () => whole.around(row));
}

/** Few columns look at the rows around, and they have to be looked for. */
class FewAround implements Among {
  readonly isWhole = false;
  readonly filters: Among['filters'];
  readonly total: string;
  readonly #find: () => Among['rows'];

  constructor(filters: Among['filters'], total: string, find: () => Among['rows']) {
    this.filters = filters;
    this.total = total;
    this.#find = find;
  }

  get rows(): Among['rows'] {
    return this.#find();
  }
}

/** The rows that all rows of a page are among; of a long list a sample, which is not all there are. */
export const amongAll = (page: ListPage): Among => ({
  rows: page.rows,
  filters: page.request.filters,
  isWhole: holdsWholeList(page) && loadedRows(page) === page.rows,
});
