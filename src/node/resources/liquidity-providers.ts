import type { Head } from '../demo/chain.ts';
import { internalError, invalidArgument } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, readCursor } from '../paging/cursor-content.ts';
import { fetchPage, type Listing } from '../paging/listing.ts';
import { pageJson } from '../paging/page.ts';
import { decidePage, readPageParameters } from '../paging/page-request.ts';
import { numberOf, type Store, textOf } from '../store.ts';
import { isFilterId, notAnId, storedId } from './hex-id.ts';

const FAILED_CODE = 280001;
const FAILED = 'failed to get liquidity provision';

interface Filters {
  readonly marketId: string;
  readonly partyId: string;
}

/** Who shares the fees of a market, and how (protocol.md section 2.2). */
export function liquidityProviderOperations(store: Store, head: () => Head): readonly UnaryOperation[] {
  return [
    {
      kind: 'unary',
      path: '/api/v2/liquidity/providers',
      accept: ({ query }) => {
        const sent = readPageParameters(query);
        const filters = { marketId: query.text('market_id') ?? '', partyId: query.text('party_id') ?? '' };
        return () => {
          const page = decidePage(sent);
          return pageJson('liquidityProviders', fetchPage(store, providers(filters, head().epoch), page));
        };
      },
    },
  ];
}

function providers({ marketId, partyId }: Filters, epoch: number): Listing {
  if (marketId === '' && partyId === '')
    throw internalError(FAILED_CODE, FAILED, 'market, party or both filters are required');
  const wrong = [marketId, partyId].find(id => !isFilterId(id));
  if (wrong !== undefined) throw invalidArgument(FAILED_CODE, FAILED, notAnId(wrong));
  return {
    table: 'liquidity_providers',
    columns: ['body'],
    where: [
      { sql: 'epoch = (SELECT min(max(epoch), ?) FROM liquidity_providers)', values: [epoch] },
      ...(marketId === '' ? [] : [{ sql: 'market_id = ?', values: [storedId(marketId)] }]),
      ...(partyId === '' ? [] : [{ sql: 'party_id = ?', values: [storedId(partyId)] }]),
    ],
    sortBy: [{ column: 'market_id' }, { column: 'party_id' }, { column: 'ordinality' }],
    cursor: row =>
      JSON.stringify({
        marketId: textOf(row, 'market_id'),
        partyId: textOf(row, 'party_id'),
        ordinality: numberOf(row, 'ordinality'),
      }),
    position,
    node: row => textOf(row, 'body'),
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
