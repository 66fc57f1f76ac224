import { cellIds } from '../../../chain/resources/columns.ts';
import type { Resource, Row } from '../../../chain/resources/resource.ts';

/** Ids seen in rows, by entity, newest first. */
export interface SeenIds {
  readonly [entity: string]: readonly string[];
}

const MAX_SEEN_PER_ENTITY = 200;

/** With the ids that rows name. */
export function addSeenIds(seen: SeenIds, { columns }: Resource, rows: readonly Row[]): SeenIds {
  const known: Record<string, readonly string[]> = { ...seen };
  for (const column of columns) {
    if (column.entity === undefined) continue;
    const values = new Set(rows.flatMap(row => cellIds(column, row)).filter(value => value !== ''));
    for (const value of known[column.entity] ?? []) values.add(value);
    known[column.entity] = [...values].slice(0, MAX_SEEN_PER_ENTITY);
  }
  return known;
}
