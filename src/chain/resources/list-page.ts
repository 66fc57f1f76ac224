import { printJson } from '../api/json.ts';
import type { PageRequest } from './page-request.ts';
import type { Resource, Row, RowPage } from './resource.ts';
import type { RowList } from './row-list.ts';
import type { WholeRows } from './whole-rows.ts';

/** Rows of a list, and the request for them. */
export interface ListPage extends RowPage {
  /** All rows of the list: then those of the page are a sample. */
  readonly whole?: WholeRows;
  readonly request: PageRequest;
  readonly receivedAtMs: number;
}

/** The rows that are loaded, in the order of the list. */
export const loadedRows = ({ rows, whole }: ListPage): RowList => whole?.list ?? rows;

/** The rows that give context to a row of the page. */
export const nearbyRows = (page: ListPage, row: Row): readonly Row[] => page.whole?.around(row) ?? page.rows;

/** Everything in the list is loaded, if the node is right about its pages. */
export const holdsWholeList = ({ request, hasNextPage, hasPreviousPage, flaws }: ListPage): boolean =>
  request.position.kind === 'first' && !hasNextPage && !hasPreviousPage && flaws.length === 0;

/** The row among others, that came later. A list of versions has a key more than once: the very same row is meant, or where it is gone the first of its key. */
export function findSameRow(resource: Resource, row: Row, rows: readonly Row[]): Row | undefined {
  const key = resource.keyOf(row);
  const candidates = rows.filter(other => resource.keyOf(other) === key);
  if (candidates.length < 2) return candidates[0];
  const text = printJson(row);
  return candidates.find(other => printJson(other) === text) ?? candidates[0];
}
