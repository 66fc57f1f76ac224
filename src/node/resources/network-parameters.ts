import { notFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { fetchListPage, type Listing } from '../paging/keyset-listing.ts';
import { pageJson } from '../paging/page.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowText, type Store } from '../store.ts';

export function networkParameterOperations(store: Store): readonly UnaryOperation[] {
  return [listParameters(store), getParameter(store, '/:key'), getParameter(store, '/')];
}

const PATH = '/api/v2/network/parameters';

function listParameters(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: PATH,
    accept: ({ query }) => {
      const sent = readPageParameters(query);
      // Always sorted by key, ascending: the flag is read but has no effect (node-behaviour.md section 3.3).
      return () =>
        pageJson(
          'networkParameters',
          fetchListPage(store, listing, { ...resolvePageRequest(sent), newestFirst: false }),
        );
    },
  };
}

const listing: Listing = {
  table: 'network_parameters',
  columns: ['body'],
  where: [],
  sortBy: [{ column: 'key' }],
  cursor: row => rowText(row, 'key'),
  position: content => [content],
  node: row => rowText(row, 'body'),
};

function getParameter(store: Store, rest: '/:key' | '/'): UnaryOperation {
  return {
    kind: 'unary',
    path: `${PATH}${rest}`,
    accept:
      ({ pathValue }) =>
      () => {
        const row = store.get(listing.table, 'SELECT body FROM network_parameters WHERE key = ?', [pathValue]);
        if (row) return `{"networkParameter":${rowText(row, 'body')}}`;
        throw notFoundFailure(100002, 'failed to get network parameters', 'no resource corresponding to this id');
      },
  };
}
