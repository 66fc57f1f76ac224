import type { Directory } from '../../directory/directory.ts';
import { type ColumnForm, columnForm, textInCell } from '../../resources/cell.ts';
import { qualified, valueAmong } from '../../resources/columns.ts';
import type { Among, Column, Row } from '../../resources/resource.ts';
import type { SafeText } from '../../text/safe-text.ts';
import type { LoadedPage } from './state.ts';

/** A cell's text in its short form, with the words that the rest of the page puts before it. */
export function cellText(column: Column, row: Row, page: LoadedPage, directory: Directory): SafeText {
  const { rows, receivedAtMs: nowMs } = page;
  return qualified(
    column,
    { row, rows },
    textInCell(column, row, { directory, among: amongIn(page), form: formOf(column, page, directory), nowMs }),
  );
}

const forms = new WeakMap<LoadedPage['rows'], WeakMap<Directory, Map<string, ColumnForm>>>();

/** How a column is written on a page: worked out once, as long as the names are the same. */
export function formOf(column: Column, { rows }: LoadedPage, directory: Directory): ColumnForm {
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
export const cellValue = (column: Column, row: Row, page: LoadedPage): string => valueAmong(column, row, amongIn(page));

const amongs = new WeakMap<LoadedPage, Among>();

/** The rows that a row of the page is among. */
export function amongIn(page: LoadedPage): Among {
  const { rows, request, flaws, hasNextPage, hasPreviousPage } = page;
  const isWhole = request.position.kind === 'first' && !hasNextPage && !hasPreviousPage && flaws.length === 0;
  const among = amongs.get(page) ?? { rows, filters: request.filters, isWhole };
  amongs.set(page, among);
  return among;
}
