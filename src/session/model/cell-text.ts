import { shortText } from '../../insight/kind.ts';
import { qualified, valueAmong } from '../../resources/columns.ts';
import type { Among, Column, Row } from '../../resources/resource.ts';
import type { SafeText } from '../../text/safe-text.ts';
import type { LoadedPage } from './state.ts';

/** A cell's text in its short form, with the words that the rest of the page puts before it. */
export const cellText = (column: Column, row: Row, page: LoadedPage): SafeText =>
  qualified(column, { row, rows: page.rows }, shortText(column.kind, cellValue(column, row, page), page.receivedAtMs));

/** The value that a cell shows. */
export const cellValue = (column: Column, row: Row, page: LoadedPage): string => valueAmong(column, row, amongIn(page));

/** The rows that a row of the page is among. */
export const amongIn = ({ rows, request, flaws, hasNextPage, hasPreviousPage }: LoadedPage): Among => ({
  rows,
  filters: request.filters,
  isWhole: request.position.kind === 'first' && !hasNextPage && !hasPreviousPage && flaws.length === 0,
});
