import { newInvalidArgumentFailure, newNotFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import type { Listing, SqlCondition } from '../paging/keyset-listing.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { isFullHexId } from './hex-id.ts';
import { listOperation, recordOperation } from './operations.ts';

export const marketOperations = (store: Store): readonly UnaryOperation[] => [
  listOperation(store, {
    path: '/api/v2/markets',
    wrapper: 'markets',
    read: query => {
      const includesSettled = query.bool('include_settled') ?? true;
      return () => markets(includesSettled);
    },
  }),
  recordOperation({
    path: '/api/v2/market/:id',
    wrapper: 'market',
    find: id => {
      if (!isFullHexId(id)) throw newInvalidArgumentFailure(10000, 'invalid market ID', '');
      return store.get('markets', 'SELECT body FROM markets WHERE id = ?', [id.toLowerCase()]);
    },
    missing: () => newNotFoundFailure(30002, 'failed to get market for ID', 'no resource corresponding to this id'),
  }),
];

/** Sorted only by time: markets of one block can be skipped or repeated between pages (node-behaviour.md section 10). */
const markets = (includesSettled: boolean): Listing => ({
  table: 'markets',
  columns: ['id', 'body'],
  where: includesSettled ? [] : [notSettledCondition],
  sortBy: [{ column: 'vega_us' }],
  cursor: row => JSON.stringify({ vegaTime: goTime(rowNumber(row, 'vega_us')), id: rowText(row, 'id') }),
  position,
  node: row => rowText(row, 'body'),
});

const notSettledCondition: SqlCondition = { sql: "state <> 'STATE_SETTLED'", values: [] };

function position(content: string) {
  return readCursor(30005, 'failed to get all markets paged', () => [
    cursorTimeUs(cursorObject(content, 'MarketCursor'), 'vegaTime'),
  ]);
}
