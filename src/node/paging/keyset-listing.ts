import type { SQLInputValue } from 'node:sqlite';
import { rowText, type Store, type StoreRow } from '../store.ts';
import { encodeCursor } from './cursor-content.ts';
import { fetchSize, type NodePage, trimPage } from './page.ts';
import type { ResolvedPageRequest } from './page-request.ts';

export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

interface SortKey {
  readonly column: string;
  /** Sorted the other way round: paid fees sort by epoch like this. */
  readonly isInverted?: true;
}

/** A list: rows of one table in keyset order, and the content of their cursors (node-behaviour.md section 3.3). */
export interface Listing {
  readonly table: string;
  /** The columns to read in addition to the sort keys. */
  readonly columns: readonly string[];
  readonly where: readonly SqlCondition[];
  /** The order when newestFirst is false. */
  readonly sortBy: readonly SortKey[];
  /** newestFirst is read but has no effect (node-behaviour.md section 3.3). */
  readonly isAlwaysAscending?: true;
  /**
   * Groups by this column and keeps the first row in fetch order, as DISTINCT ON does (node-behaviour.md section 5).
   */
  readonly oneRowPer?: string;
  /** The content of a row's cursor, before base64. */
  cursor(row: StoreRow): string;
  /** The sort key values in a cursor; throws the failure of the list if it did not write the cursor. */
  position(content: string): readonly SQLInputValue[];
  /** The record as JSON text. */
  node(row: StoreRow): string;
}

/** A list of whole records, by their id. */
export const bodiesById = (table: string, position: Listing['position']): Listing => ({
  table,
  columns: ['body'],
  where: [],
  sortBy: [{ column: 'id' }],
  cursor: row => JSON.stringify({ id: rowText(row, 'id') }),
  position,
  node: row => rowText(row, 'body'),
});

/** One page of the list, from the rows of one query. */
export function fetchListPage(store: Store, listing: Listing, request: ResolvedPageRequest): NodePage {
  const query = pageQuery(listing, request);
  const edges = store.all(listing.table, query.sql, query.values).map(row => ({
    node: listing.node(row),
    cursor: encodeCursor(listing.cursor(row)),
  }));
  return trimPage(edges, request);
}

function pageQuery(listing: Listing, request: ResolvedPageRequest): SqlCondition {
  const newestFirst = request.newestFirst && listing.isAlwaysAscending !== true;
  const isDescending = (request.direction === 'backward') !== newestFirst;
  const conditions = [...listing.where, ...keysetCondition(listing, request, isDescending)];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const group = listing.oneRowPer ? `GROUP BY ${listing.oneRowPer}` : '';
  const order = listing.sortBy.map(
    key => `${key.column} ${isDescending !== (key.isInverted ?? false) ? 'DESC' : 'ASC'}`,
  );
  return {
    sql: `SELECT ${selectRows(listing, isDescending)} FROM ${listing.table} ${where} ${group} ORDER BY ${order.join(', ')} LIMIT ?`,
    values: [...conditions.flatMap(({ values }) => values), fetchSize(request)],
  };
}

/** From the row of the cursor on, including it: `trimPage` removes it. */
function keysetCondition(
  listing: Listing,
  request: ResolvedPageRequest,
  isDescending: boolean,
): readonly SqlCondition[] {
  if (!request.cursor) return [];
  const values = listing.position(request.cursor.content);
  const keys = listing.sortBy.map(({ column }) => column).join(', ');
  return [{ sql: `(${keys}) ${isDescending ? '<=' : '>='} (${values.map(() => '?').join(', ')})`, values }];
}

function selectRows({ columns, sortBy, oneRowPer }: Listing, isDescending: boolean): string {
  const keys = sortBy.map(({ column }) => {
    // SQLite takes the other columns of a group from the row that holds its max() or min().
    return oneRowPer && column !== oneRowPer ? `${isDescending ? 'max' : 'min'}(${column}) AS ${column}` : column;
  });
  return [...columns, ...keys].join(', ');
}
