import { newNotFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import type { Listing } from '../paging/keyset-listing.ts';
import { rowText, type Store } from '../store.ts';
import { listOperation, recordOperation } from './operations.ts';

const PATH = '/api/v2/network/parameters';

export const networkParameterOperations = (store: Store): readonly UnaryOperation[] => [
  listOperation(store, { path: PATH, wrapper: 'networkParameters', read: () => () => listing }),
  getParameter(store, '/:key'),
  getParameter(store, '/'),
];

const listing: Listing = {
  table: 'network_parameters',
  columns: ['body'],
  where: [],
  sortBy: [{ column: 'key' }],
  isAlwaysAscending: true,
  cursor: row => rowText(row, 'key'),
  position: content => [content],
  node: row => rowText(row, 'body'),
};

const getParameter = (store: Store, rest: '/:key' | '/'): UnaryOperation =>
  recordOperation({
    path: `${PATH}${rest}`,
    wrapper: 'networkParameter',
    find: key => store.get(listing.table, 'SELECT body FROM network_parameters WHERE key = ?', [key]),
    missing: () =>
      newNotFoundFailure(100002, 'failed to get network parameters', 'no resource corresponding to this id'),
  });
