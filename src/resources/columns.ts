import { type SafeText, safeText, sanitize } from '../text/safe-text.ts';
import { type FilterValues, isInForce } from './filter.ts';
import type { Column, Resource, Row } from './resource.ts';

/** The columns by the titles they have under these filters. */
export const titledColumns = ({ columns }: Resource, filters: FilterValues): readonly Column[] =>
  columns.map(column => {
    const { filtered } = column;
    return filtered !== undefined && isInForce(filters, filtered.by) ? { ...column, title: filtered.title } : column;
  });

/** Whether a column is shown without being asked for. */
export function isUsual({ isExtra }: Column, filters: FilterValues): boolean {
  if (isExtra === undefined) return true;
  return isExtra !== true && isInForce(filters, isExtra.until);
}

/** The text of a cell, behind the words that the other rows of its page call for. */
export function qualified(
  { qualifier }: Column,
  { row, rows }: { readonly row: Row; readonly rows: readonly Row[] },
  text: SafeText,
): SafeText {
  return qualifier === undefined ? text : safeText`${sanitize(qualifier(row, rows))}${text}`;
}
