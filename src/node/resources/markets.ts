import { invalidArgumentFailure, notFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import { fetchListPage, type Listing, type SqlCondition } from '../paging/keyset-listing.ts';
import { pageJson } from '../paging/page.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { isFullHexId } from './hex-id.ts';

export function marketOperations(store: Store): readonly UnaryOperation[] {
  return [listMarkets(store), getMarket(store)];
}

function listMarkets(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/markets',
    accept: ({ query }) => {
      const sent = readPageParameters(query);
      const includesSettled = query.bool('include_settled') ?? true;
      return () => pageJson('markets', fetchListPage(store, markets(includesSettled), resolvePageRequest(sent)));
    },
  };
}

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

function getMarket(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/market/:id',
    accept:
      ({ pathValue }) =>
      () => {
        if (!isFullHexId(pathValue)) throw invalidArgumentFailure(10000, 'invalid market ID', '');
        const row = store.get('markets', 'SELECT body FROM markets WHERE id = ?', [pathValue.toLowerCase()]);
        if (row) return `{"market":${rowText(row, 'body')}}`;
        throw notFoundFailure(30002, 'failed to get market for ID', 'no resource corresponding to this id');
      },
  };
}

function position(content: string) {
  return readCursor(30005, 'failed to get all markets paged', () => [
    cursorTimeUs(cursorObject(content, 'MarketCursor'), 'vegaTime'),
  ]);
}
