import type { NodeHead } from '../demo/chain.ts';
import { newInternalFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import type { Listing, SqlCondition } from '../paging/keyset-listing.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { idIs, listOperation, refuseOtherThanIds } from './operations.ts';

interface Filters {
  readonly partyId: string;
  readonly marketId: string;
  readonly reference: string | undefined;
  readonly live: boolean;
}

const FAILED = { code: 280001, message: 'failed to get liquidity provision' };

/** `shapes` are for a table that has a row for each provision instead of each version. */
export function liquidityProvisionOperations(
  store: Store,
  head: () => NodeHead,
  shapes: { readonly lastVersion: Shape; readonly currentAndPending: Shape } = { lastVersion, currentAndPending },
): readonly UnaryOperation[] {
  const list = (path: string, shape: Shape) =>
    listOperation(store, {
      path,
      wrapper: 'liquidityProvisions',
      read: query => {
        const filters = {
          // An empty id counts as unset here (node-behaviour.md section 9).
          partyId: query.text('party_id') ?? '',
          marketId: query.text('market_id') ?? '',
          reference: query.text('reference'),
          live: query.bool('live') ?? false,
        };
        return () => ({ ...provisions(filters, head().height), ...shape });
      },
    });
  return [
    list('/api/v2/liquidity/provisions', shapes.lastVersion),
    list('/api/v2/liquidity/all-provisions', shapes.currentAndPending),
  ];
}

type Shape = Pick<Listing, 'columns' | 'node'>;

/** The row itself: for a provider with a pending amendment, only the pending version. */
const lastVersion: Shape = { columns: ['body'], node: row => rowText(row, 'body') };

/** A pending row together with the active version that it will replace, if any (node-behaviour.md section 9). */
const currentAndPending: Shape = {
  columns: [
    'body',
    `CASE status WHEN 'STATUS_PENDING' THEN (
       SELECT earlier.body FROM liquidity_provisions AS earlier
       WHERE earlier.id = liquidity_provisions.id AND earlier.version = liquidity_provisions.version - 1
         AND earlier.status = 'STATUS_ACTIVE' ORDER BY earlier.vega_us DESC LIMIT 1
     ) END AS active`,
  ],
  node: row => {
    const [active, body] = [rowText(row, 'active'), rowText(row, 'body')];
    return active === '' ? `{"current":${body}}` : `{"current":${active},"pending":${body}}`;
  },
};

function provisions(filters: Filters, height: number): Omit<Listing, 'columns' | 'node'> {
  return {
    table: 'liquidity_provisions',
    where: [...conditions(filters, height), { sql: 'height <= ?', values: [height] }],
    sortBy: [{ column: 'vega_us' }, { column: 'id' }],
    cursor: row => JSON.stringify({ vegaTime: goTime(rowNumber(row, 'vega_us')), id: rowText(row, 'id') }),
    position,
  };
}

function conditions({ partyId, marketId, reference, live }: Filters, height: number): readonly SqlCondition[] {
  const context = `partyID: ${partyId}, marketID: ${marketId}, reference: ${reference ?? ''}`;
  if (partyId === '' && marketId === '') {
    throw newInternalFailure(FAILED.code, FAILED.message, `${context}: market or party filters are required`);
  }
  refuseOtherThanIds([partyId, marketId], {
    ...FAILED,
    context: `${context}: scany: query multiple result rows: `,
  });
  return [
    ...idIs('party_id', partyId),
    ...idIs('market_id', marketId),
    ...(reference === undefined ? [] : [{ sql: "coalesce(reference, '') = ?", values: [reference] }]),
    ...(live ? [liveOnly(height)] : []),
  ];
}

/**
 * live=true reads the latest rows that are still alive; otherwise every version is listed (node-behaviour.md section 9).
 */
const liveOnly = (height: number): SqlCondition => ({
  sql: "coalesce(next_height > ?, 1) AND status IN ('STATUS_ACTIVE', 'STATUS_UNDEPLOYED', 'STATUS_PENDING')",
  values: [height],
});

function position(content: string) {
  return readCursor(FAILED.code, FAILED.message, () => {
    const members = cursorObject(content, 'LiquidityProvisionCursor');
    return [cursorTimeUs(members, 'vegaTime'), cursorText(members, 'id').toLowerCase()];
  });
}
