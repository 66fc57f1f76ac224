import { idsOf } from '../../../chain/resources/columns.ts';
import type { Resource, Row } from '../../../chain/resources/resource.ts';

/** Ids seen in rows, by entity, newest first. */
export interface SeenIds {
  readonly [entity: string]: readonly string[];
}

const MOST_SEEN = 200;

/** With the ids that rows name. */
export function withSeen(seen: SeenIds, { columns }: Resource, rows: readonly Row[]): SeenIds {
  const known: Record<string, readonly string[]> = { ...seen };
  for (const column of columns) {
    if (column.entity === undefined) continue;
    const values = new Set(rows.flatMap(row => idsOf(column, row)).filter(value => value !== ''));
    for (const value of known[column.entity] ?? []) values.add(value);
    known[column.entity] = [...values].slice(0, MOST_SEEN);
  }
  return known;
}
