import { createHash } from 'node:crypto';

/** Whose account it is: ids as hexadecimal text, the party `network` as that word. */
export interface AccountOwner {
  readonly asset: string;
  readonly party: string;
  /** Or the game of a reward pool; '' where the account belongs to neither. */
  readonly market: string;
  /** As in the exports: `ACCOUNT_TYPE_GENERAL`. */
  readonly type: string;
}

/** The id of an account, 64 hexadecimal digits: the SHA-256 of the four texts, one after the other. */
export const accountId = ({ asset, party, market, type }: AccountOwner): string =>
  createHash('sha256').update(`${asset}${party}${market}${type}`).digest('hex');

/** What a party may have once for each asset. */
export const PER_ASSET = ['GENERAL', 'HOLDING', 'VESTING_REWARDS', 'VESTED_REWARDS'] as const;

/** What a party may have once for each market and asset it settles in. */
export const PER_MARKET = ['MARGIN', 'BOND', 'LP_LIQUIDITY_FEES', 'ORDER_MARGIN'] as const;

export interface KnownMarket {
  readonly id: string;
  /** Settlement asset, the quote asset of a spot market; '' when it is not known: then any of them may be it. */
  readonly asset: string;
}

/** Every account that a party may have, by these assets and markets: most of them it never had. */
export function accountsOf(
  party: string,
  assets: readonly string[],
  markets: readonly KnownMarket[],
): readonly (AccountOwner & { readonly id: string })[] {
  const owners = [
    ...assets.flatMap(asset => PER_ASSET.map(type => ({ asset, party, market: '', type: `ACCOUNT_TYPE_${type}` }))),
    ...markets.flatMap(market =>
      (market.asset === '' ? assets : [market.asset]).flatMap(asset =>
        PER_MARKET.map(type => ({ asset, party, market: market.id, type: `ACCOUNT_TYPE_${type}` })),
      ),
    ),
  ];
  return owners.map(owner => ({ ...owner, id: accountId(owner) }));
}
