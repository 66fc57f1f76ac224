import { hash } from 'node:crypto';

/** The four parts that identify an account. `market` is '' for no market, `party` is `network` for no party. */
export interface Account {
  readonly asset: string;
  readonly party: string;
  /** The game, if the account is a reward pool. */
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

/** A market and its settlement asset. */
export interface MarketOf {
  readonly id: string;
  readonly asset: string;
}

/** The id of an account in exports: the SHA-256 of its four parts, joined without a separator (account-ids.md). */
export function accountId({ asset, party, market, type }: Account): string {
  return hash('sha256', `${asset}${party}${market}ACCOUNT_TYPE_${type}`, 'hex');
}
