import { invalidArgument, notFound } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import { type Condition, fetchPage, type Listing } from '../paging/listing.ts';
import { pageJson } from '../paging/page.ts';
import { decidePage, readPageParameters } from '../paging/page-request.ts';
import { numberOf, type Store, textOf } from '../store.ts';
import { isWholeId } from './hex-id.ts';

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
      return () => pageJson('markets', fetchPage(store, markets(includesSettled), decidePage(sent)));
    },
  };
}

/** Sorted only by time: markets of one block can be skipped or repeated between pages (node-lists.md section 10). */
const markets = (includesSettled: boolean): Listing => ({
  table: 'markets',
  columns: ['id', 'body'],
  where: includesSettled ? [] : [withoutSettled],
  sortBy: [{ column: 'vega_us' }],
  cursor: row => JSON.stringify({ vegaTime: goTime(numberOf(row, 'vega_us')), id: textOf(row, 'id') }),
  position,
  node: row => textOf(row, 'body'),
});

const withoutSettled: Condition = { sql: "state <> 'STATE_SETTLED'", values: [] };

function getMarket(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/market/:id',
    accept:
      ({ pathValue }) =>
      () => {
        if (!isWholeId(pathValue)) throw invalidArgument(10000, 'invalid market ID', '');
        const row = store.get('markets', 'SELECT body FROM markets WHERE id = ?', [pathValue.toLowerCase()]);
        if (row) return `{"market":${textOf(row, 'body')}}`;
        throw notFound(30002, 'failed to get market for ID', 'no resource corresponding to this id');
      },
  };
}

function position(content: string) {
  return readCursor(30005, 'failed to get all markets paged', () => [
    cursorTimeUs(cursorObject(content, 'MarketCursor'), 'vegaTime'),
  ]);
}
