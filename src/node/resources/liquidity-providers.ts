import type { NodeHead } from '../demo/chain.ts';
import { newInternalFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, readCursor } from '../paging/cursor-content.ts';
import type { Listing } from '../paging/keyset-listing.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { idIs, listOperation, refuseOtherThanIds } from './operations.ts';

const FAILED = { code: 280001, message: 'failed to get liquidity provision' };

interface Filters {
  readonly marketId: string;
  readonly partyId: string;
}

/** Who shares the fees of a market, and how (protocol.md section 2.2). */
export const liquidityProviderOperations = (store: Store, head: () => NodeHead): readonly UnaryOperation[] => [
  listOperation(store, {
    path: '/api/v2/liquidity/providers',
    wrapper: 'liquidityProviders',
    read: query => {
      const filters = { marketId: query.text('market_id') ?? '', partyId: query.text('party_id') ?? '' };
      return () => providers(filters, head().epoch);
    },
  }),
];

function providers({ marketId, partyId }: Filters, epoch: number): Listing {
  if (marketId === '' && partyId === '')
    throw newInternalFailure(FAILED.code, FAILED.message, 'market, party or both filters are required');
  refuseOtherThanIds([marketId, partyId], FAILED);
  return {
    table: 'liquidity_providers',
    columns: ['body'],
    where: [
      { sql: 'epoch = (SELECT min(max(epoch), ?) FROM liquidity_providers)', values: [epoch] },
      ...idIs('market_id', marketId),
      ...idIs('party_id', partyId),
    ],
    sortBy: [{ column: 'market_id' }, { column: 'party_id' }, { column: 'ordinality' }],
    cursor: row =>
      JSON.stringify({
        marketId: rowText(row, 'market_id'),
        partyId: rowText(row, 'party_id'),
        ordinality: rowNumber(row, 'ordinality'),
      }),
    position,
    node: row => rowText(row, 'body'),
  };
}

function position(content: string) {
  return readCursor(FAILED.code, FAILED.message, () => {
    const members = cursorObject(content, 'LiquidityProviderCursor');
    const ordinality = members.get('ordinality');
    const ids = [cursorText(members, 'marketId'), cursorText(members, 'partyId')];
    return [...ids, typeof ordinality === 'number' ? ordinality : 0];
  });
}
