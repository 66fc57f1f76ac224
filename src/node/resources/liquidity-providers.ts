import type { NodeHead } from '../demo/chain.ts';
import { internalFailure, invalidArgumentFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, readCursor } from '../paging/cursor-content.ts';
import { fetchListPage, type Listing } from '../paging/keyset-listing.ts';
import { pageJson } from '../paging/page.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { invalidIdMessage, isHexFilterId, normaliseId } from './hex-id.ts';

const FAILED_CODE = 280001;
const FAILED = 'failed to get liquidity provision';

interface Filters {
  readonly marketId: string;
  readonly partyId: string;
}

/** Who shares the fees of a market, and how (protocol.md section 2.2). */
export function liquidityProviderOperations(store: Store, head: () => NodeHead): readonly UnaryOperation[] {
  return [
    {
      kind: 'unary',
      path: '/api/v2/liquidity/providers',
      accept: ({ query }) => {
        const sent = readPageParameters(query);
        const filters = { marketId: query.text('market_id') ?? '', partyId: query.text('party_id') ?? '' };
        return () => {
          const page = resolvePageRequest(sent);
          return pageJson('liquidityProviders', fetchListPage(store, providers(filters, head().epoch), page));
        };
      },
    },
  ];
}

function providers({ marketId, partyId }: Filters, epoch: number): Listing {
  if (marketId === '' && partyId === '')
    throw internalFailure(FAILED_CODE, FAILED, 'market, party or both filters are required');
  const wrong = [marketId, partyId].find(id => !isHexFilterId(id));
  if (wrong !== undefined) throw invalidArgumentFailure(FAILED_CODE, FAILED, invalidIdMessage(wrong));
  return {
    table: 'liquidity_providers',
    columns: ['body'],
    where: [
      { sql: 'epoch = (SELECT min(max(epoch), ?) FROM liquidity_providers)', values: [epoch] },
      ...(marketId === '' ? [] : [{ sql: 'market_id = ?', values: [normaliseId(marketId)] }]),
      ...(partyId === '' ? [] : [{ sql: 'party_id = ?', values: [normaliseId(partyId)] }]),
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
  return readCursor(FAILED_CODE, FAILED, () => {
    const members = cursorObject(content, 'LiquidityProviderCursor');
    const ordinality = members.get('ordinality');
    const ids = [cursorText(members, 'marketId'), cursorText(members, 'partyId')];
    return [...ids, typeof ordinality === 'number' ? ordinality : 0];
  });
}
