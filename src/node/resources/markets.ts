import { internalError } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { CursorContentError, cursorObject, cursorTimeUs, goTime } from '../paging/cursor-content.ts';
import { type Condition, fetchPage, type Listing } from '../paging/listing.ts';
import { pageJson } from '../paging/page.ts';
import { decidePage, readPageParameters } from '../paging/page-request.ts';
import { numberOf, type Store, textOf } from '../store.ts';

export function marketOperations(store: Store): readonly UnaryOperation[] {
  return [
    {
      kind: 'unary',
      path: '/api/v2/markets',
      accept: ({ query }) => {
        const sent = readPageParameters(query);
        const includesSettled = query.bool('include_settled') ?? true;
        return () => pageJson('markets', fetchPage(store, markets(includesSettled), decidePage(sent)));
      },
    },
  ];
}

/** By time alone: markets of one block can be skipped or come twice from page to page (node-behaviour.md section 10). */
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

function position(content: string) {
  try {
    return [cursorTimeUs(cursorObject(content, 'MarketCursor'), 'vegaTime')];
  } catch (error) {
    if (!(error instanceof CursorContentError)) throw error;
    throw internalError(30005, 'failed to get all markets paged', error.message);
  }
}
