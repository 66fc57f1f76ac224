import { isJsonArray, type Json, jsonText, member } from '../api/json.ts';
import { type Filter, type FilterValues, normalizeValue } from './filter.ts';
import type { Row } from './resource.ts';

/**
 * Whether a record matches the filters it was requested with. Nodes ignore filters they do not know and send any records
 * (node-behaviour.md section 1.1), so check every record.
 */
export const matchesFilters = (filters: readonly Filter[], values: FilterValues, row: Row): boolean =>
  filters.every(filter => {
    const wanted = values[filter.name] ?? [];
    if (filter.textsIn === undefined || wanted.length === 0) return true;
    const texts = filter.textsIn(row, values).map(text => normalizeValue(filter, text));
    return texts.length > 0 && texts.every(text => wanted.some(value => normalizeValue(filter, value) === text));
  });

/** A member of a record, by its path. */
export const textsAt =
  (...path: readonly string[]) =>
  (row: Row): readonly string[] => [jsonText(path.reduce<Json | undefined>(member, row))];

/** A member of each element of a list in a record. */
export function textsInList(row: Row, list: string, name: string): readonly string[] {
  const items = row[list];
  return isJsonArray(items) ? items.map(item => jsonText(member(item, name))) : [];
}
