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

export const NETWORK_OWNER = 'network';

export const generalAccount = (party: string, asset: string): Account => ({
  asset,
  party,
  market: '',
  type: 'GENERAL',
});

export const partyAccount = (type: string, party: string, asset: string): Account => ({
  asset,
  party,
  market: '',
  type,
});

export const marketAccount = (type: string, party: string, { id, asset }: MarketAndAsset): Account => ({
  asset,
  party,
  market: id,
  type,
});

export const networkAccount = (type: string, asset: string, market = ''): Account => ({
  asset,
  party: NETWORK_OWNER,
  market,
  type,
});

/** A market and its settlement asset. */
export interface MarketAndAsset {
  readonly id: string;
  readonly asset: string;
}

/** The id of an account in exports: the SHA-256 of its four parts, joined without a separator (account-ids.md). */
export function hashAccountId({ asset, party, market, type }: Account): string {
  return hash('sha256', `${asset}${party}${market}ACCOUNT_TYPE_${type}`, 'hex');
}
