import { printJson } from '../../../../api/json.ts';
import type { Resource, Row } from '../../../../resources/resource.ts';

/** The row among others, that came later. A list of versions has a key more than once: the very same row is meant, or where it is gone the first of its key. */
export function sameRow(resource: Resource, row: Row, rows: readonly Row[]): Row | undefined {
  const key = resource.keyOf(row);
  const candidates = rows.filter(other => resource.keyOf(other) === key);
  if (candidates.length < 2) return candidates[0];
  const text = printJson(row);
  return candidates.find(other => printJson(other) === text) ?? candidates[0];
}
