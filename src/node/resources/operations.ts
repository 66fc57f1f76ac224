import { type Failure, newInvalidArgumentFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import type { Query } from '../gateway/query.ts';
import { fetchListPage, type Listing, type SqlCondition } from '../paging/keyset-listing.ts';
import { pageJson } from '../paging/page.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowText, type Store, type StoreRow } from '../store.ts';
import { invalidIdMessage, isHexFilterId, normaliseId } from './hex-id.ts';

interface ListOperation {
  readonly path: string;
  /** The member that the page is in. */
  readonly wrapper: string;
  /** Reads the filters of a request; the listing of these filters is made, or refused, when it is served. */
  readonly read: (query: Query) => () => Listing;
}

/** A list that is read page by page. */
export const listOperation = (store: Store, { path, wrapper, read }: ListOperation): UnaryOperation => ({
  kind: 'unary',
  path,
  accept: ({ query }) => {
    const sent = readPageParameters(query);
    const listingOf = read(query);
    return () => {
      const page = resolvePageRequest(sent);
      return pageJson(wrapper, fetchListPage(store, listingOf(), page));
    };
  },
});

interface RecordOperation {
  /** Its last part is the id. */
  readonly path: string;
  /** The member that the record is in. */
  readonly wrapper: string;
  /** Undefined without one. Throws the refusal of an id that cannot be one. */
  readonly find: (id: string) => StoreRow | undefined;
  readonly missing: (id: string) => Failure;
}

/** One record of a list. */
export const recordOperation = ({ path, wrapper, find, missing }: RecordOperation): UnaryOperation => ({
  kind: 'unary',
  path,
  accept:
    ({ pathValue }) =>
    () => {
      const row = find(pathValue);
      if (row === undefined) throw missing(pathValue);
      return `{"${wrapper}":${rowText(row, 'body')}}`;
    },
});

/** Rows whose column is this id; an empty id counts as unset. */
export const idIs = (column: string, id: string): readonly SqlCondition[] =>
  columnIsOneOf(column, id === '' ? [] : [normaliseId(id)]);

/** Rows whose column is one of these values; without any, every row. */
export const columnIsOneOf = (column: string, values: readonly string[]): readonly SqlCondition[] =>
  values.length === 0 ? [] : [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }];

/** Throws the refusal of the first text that is no id. `context` comes before the reason. */
export function refuseOtherThanIds(
  ids: readonly (string | undefined)[],
  { code, message, context = '' }: { readonly code: number; readonly message: string; readonly context?: string },
): void {
  const wrong = ids.find(id => id !== undefined && !isHexFilterId(id));
  if (wrong !== undefined) throw newInvalidArgumentFailure(code, message, `${context}${invalidIdMessage(wrong)}`);
}
