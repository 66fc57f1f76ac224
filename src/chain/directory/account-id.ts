import { hash } from 'node:crypto';

/** The four parts that an account id is made of (account-ids.md). `party` may be `network`, `market` ''. */
export interface AccountParts {
  readonly asset: string;
  readonly party: string;
  readonly market: string;
  /** Without `ACCOUNT_TYPE_`. */
  readonly type: string;
}

export const NETWORK_PARTY = 'network';

export const accountId = ({ asset, party, market, type }: AccountParts): string =>
  hash('sha256', `${asset}${party}${market}ACCOUNT_TYPE_${type}`, 'hex');

/** Accounts of a party for each asset. */
export const ASSET_ACCOUNT_TYPES = [
  'GENERAL',
  'HOLDING',
  'VESTING_REWARDS',
  'VESTED_REWARDS',
  'LOCKED_FOR_STAKING',
] as const;

/** Accounts of a party for each market and its asset. */
export const MARKET_ACCOUNT_TYPES = ['MARGIN', 'BOND', 'LP_LIQUIDITY_FEES', 'ORDER_MARGIN'] as const;

/** Accounts of a party's automated market maker on a market and its asset, in addition to GENERAL for the asset. */
export const AMM_MARKET_ACCOUNT_TYPES = ['MARGIN', 'LP_LIQUIDITY_FEES'] as const;

/** Accounts of the network for each asset. */
const NETWORK_PER_ASSET = [
  'FEES_INFRASTRUCTURE',
  'GLOBAL_INSURANCE',
  'GLOBAL_REWARD',
  'PENDING_TRANSFERS',
  'NETWORK_TREASURY',
  'PENDING_FEE_REFERRAL_REWARD',
  'BUY_BACK_FEES',
] as const;

/** Accounts of the network for each market. Reward pools of a market or of a game have these, too. */
const NETWORK_PER_MARKET = [
  'INSURANCE',
  'SETTLEMENT',
  'FEES_LIQUIDITY',
  'FEES_MAKER',
  'LIQUIDITY_FEES_BONUS_DISTRIBUTION',
  'REWARD_MAKER_PAID_FEES',
  'REWARD_LP_RECEIVED_FEES',
  'REWARD_MAKER_RECEIVED_FEES',
  'REWARD_MARKET_PROPOSERS',
  'REWARD_AVERAGE_POSITION',
  'REWARD_RELATIVE_RETURN',
  'REWARD_RETURN_VOLATILITY',
  'REWARD_VALIDATOR_RANKING',
] as const;

/** Ids from which those of accounts are computed: assets, and markets with their settlement asset ('' if unknown). */
export interface AccountSources {
  readonly assets: ReadonlySet<string>;
  readonly markets: ReadonlyMap<string, string>;
}

/** Every account of the network, with its reward pools. */
export function* networkAccounts(sources: AccountSources): Iterable<AccountParts> {
  for (const asset of sources.assets)
    for (const type of [...NETWORK_PER_ASSET, ...NETWORK_PER_MARKET, 'EXTERNAL'])
      yield { asset, party: NETWORK_PARTY, market: '', type };
  yield* marketAccounts(sources, NETWORK_PARTY, NETWORK_PER_MARKET);
}

/** Every account of a party. */
export function* partyAccounts(party: string, sources: AccountSources): Iterable<AccountParts> {
  for (const asset of sources.assets) for (const type of ASSET_ACCOUNT_TYPES) yield { asset, party, market: '', type };
  yield* marketAccounts(sources, party, MARKET_ACCOUNT_TYPES);
}

function* marketAccounts(
  { assets, markets }: AccountSources,
  party: string,
  types: readonly string[],
): Iterable<AccountParts> {
  for (const [market, settled] of markets)
    for (const asset of settled === '' ? assets : [settled])
      for (const type of types) yield { asset, party, market, type };
}
