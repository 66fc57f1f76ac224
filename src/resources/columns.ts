import { type SafeText, safeText, sanitize } from '../text/safe-text.ts';
import { type FilterValues, isInForce } from './filter.ts';
import type { Column, CsvForm, Resource, Row } from './resource.ts';

/** The columns by the titles they have under these filters. */
export const titledColumns = ({ columns }: Resource, filters: FilterValues): readonly Column[] =>
  columns.map(column => {
    const { filtered } = column;
    return filtered !== undefined && isInForce(filters, filtered.by) ? { ...column, title: filtered.title } : column;
  });

/** What CSV has of a list, so that nothing in its rows is lost. */
export const csvFormOf = (resource: Resource): CsvForm =>
  resource.csv ?? { columns: resource.columns, rowsOf: row => [row] };

/** The ids that a cell names. */
export const idsOf = (column: Column, row: Row): readonly string[] => column.ids?.(row) ?? [column.value(row)];

/** Whether a column is shown without being asked for. */
export function isUsual({ isExtra }: Column, filters: FilterValues): boolean {
  if (isExtra === undefined) return true;
  if (isExtra === true) return false;
  return 'until' in isExtra ? isInForce(filters, isExtra.until) : !isInForce(filters, isExtra.while);
}

/** The text of a cell, behind the words that the other rows of its page call for. */
export function qualified(
  { qualifier }: Column,
  { row, rows }: { readonly row: Row; readonly rows: readonly Row[] },
  text: SafeText,
): SafeText {
  return qualifier === undefined ? text : safeText`${sanitize(qualifier(row, rows))}${text}`;
}
