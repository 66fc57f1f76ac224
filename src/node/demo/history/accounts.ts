import { hash } from 'node:crypto';

/** Whose account it is. A spot of '' or `network` where it belongs to no market, or to no party. */
export interface Account {
  readonly asset: string;
  readonly party: string;
  /** The game, for a pool of rewards. */
  readonly market: string;
  /** Without `ACCOUNT_TYPE_`. */
  readonly type: string;
}

export const NETWORK = 'network';

export const general = (party: string, asset: string): Account => ({ asset, party, market: '', type: 'GENERAL' });

export const ofParty = (type: string, party: string, asset: string): Account => ({ asset, party, market: '', type });

export const onMarket = (type: string, party: string, { id, asset }: MarketOf): Account => ({
  asset,
  party,
  market: id,
  type,
});

export const ofNetwork = (type: string, asset: string, market = ''): Account => ({
  asset,
  party: NETWORK,
  market,
  type,
});

/** A market and what it settles in. */
export interface MarketOf {
  readonly id: string;
  readonly asset: string;
}

/** What the exports call an account: the SHA-256 of its four texts, one behind the other (account-ids.md). */
export function accountId({ asset, party, market, type }: Account): string {
  return hash('sha256', `${asset}${party}${market}ACCOUNT_TYPE_${type}`, 'hex');
}
