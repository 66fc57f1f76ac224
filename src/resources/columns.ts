import { type FilterValues, isInForce } from './filter.ts';
import type { Column, Resource } from './resource.ts';

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
