import { goJson } from '../gateway/go-json.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, readCursor } from '../paging/cursor-content.ts';
import type { Listing } from '../paging/keyset-listing.ts';
import { rowText, type Store } from '../store.ts';
import { normaliseId } from './hex-id.ts';
import { columnIsOneOf, idIs, listOperation, refuseOtherThanIds } from './operations.ts';

const FAILED = { code: 10_000, message: 'failed to list accounts' };

interface Filters {
  readonly assetId: string;
  readonly partyIds: readonly string[];
  readonly marketIds: readonly string[];
  readonly types: readonly string[];
}

/** Balances by owner, market and type (account-ids.md). */
export const accountOperations = (store: Store): readonly UnaryOperation[] => [
  listOperation(store, {
    path: '/api/v2/accounts',
    wrapper: 'accounts',
    read: query => {
      const filters = {
        assetId: query.text('filter.asset_id') ?? '',
        partyIds: query.texts('filter.party_ids'),
        marketIds: query.texts('filter.market_ids'),
        types: query.enumNames('filter.account_types', ACCOUNT_TYPES),
      };
      return () => accounts(filters);
    },
  }),
];

function accounts({ assetId, partyIds, marketIds, types }: Filters): Listing {
  refuseOtherThanIds([assetId, ...partyIds, ...marketIds], FAILED);
  return {
    table: 'accounts',
    columns: ['owner', 'asset', 'market', 'type', 'balance'],
    where: [
      ...idIs('asset', assetId),
      ...columnIsOneOf('owner', partyIds.map(normaliseId)),
      ...columnIsOneOf('market', marketIds.map(normaliseId)),
      ...columnIsOneOf('type', types),
    ],
    sortBy: [{ column: 'id' }],
    cursor: row => JSON.stringify({ account_id: rowText(row, 'id') }),
    position: content =>
      readCursor(FAILED.code, FAILED.message, () => [cursorText(cursorObject(content, 'AccountCursor'), 'account_id')]),
    node: row =>
      goJson({
        owner: rowText(row, 'owner'),
        balance: rowText(row, 'balance'),
        asset: rowText(row, 'asset'),
        marketId: rowText(row, 'market'),
        type: rowText(row, 'type'),
      }),
  };
}

/** The names of the types, each at the index of its number (account-ids.md); 8 is unused. */
const ACCOUNT_TYPES: readonly string[] = [
  ...['UNSPECIFIED', 'INSURANCE', 'SETTLEMENT', 'MARGIN', 'GENERAL', 'FEES_INFRASTRUCTURE', 'FEES_LIQUIDITY'],
  ...['FEES_MAKER', '', 'BOND', 'EXTERNAL', 'GLOBAL_INSURANCE', 'GLOBAL_REWARD', 'PENDING_TRANSFERS'],
  ...['REWARD_MAKER_PAID_FEES', 'REWARD_MAKER_RECEIVED_FEES', 'REWARD_LP_RECEIVED_FEES', 'REWARD_MARKET_PROPOSERS'],
  ...['HOLDING', 'LP_LIQUIDITY_FEES', 'LIQUIDITY_FEES_BONUS_DISTRIBUTION', 'NETWORK_TREASURY', 'VESTING_REWARDS'],
  ...['VESTED_REWARDS', 'REWARD_AVERAGE_POSITION', 'REWARD_RELATIVE_RETURN', 'REWARD_RETURN_VOLATILITY'],
  ...['REWARD_VALIDATOR_RANKING', 'PENDING_FEE_REFERRAL_REWARD', 'ORDER_MARGIN'],
].map(name => `ACCOUNT_TYPE_${name}`);
