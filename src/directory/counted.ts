import { EMPTY } from '../text/safe-text.ts';
import { type Directory, type Unit, unitOfAsset, unitOfMarket } from './directory.ts';

/**
 * What an amount counts: smallest units of an asset, of a market's settlement asset or of the staking asset, or price steps
 * of a market.
 */
export interface Counted {
  readonly of: 'asset' | 'market' | 'price' | 'stake';
  /** Of the asset or market; the parameter that names the staking asset. */
  readonly id: string;
}

/** The network parameter with the asset of stakes, votes and rewards. */
export const REWARD_ASSET = 'reward.asset';

/** Smallest units of the staking asset. */
export const STAKE: Counted = { of: 'stake', id: REWARD_ASSET };

/** The unit it counts; undefined while its decimals are unknown. A price has no symbol. */
export function unitOf(directory: Directory, { of, id }: Counted): Unit | undefined {
  switch (of) {
    case 'asset':
      return unitOfAsset(directory, id);
    case 'market':
      return unitOfMarket(directory, id);
    case 'stake':
      return unitOfAsset(directory, directory.rewardAsset ?? '');
    case 'price': {
      const places = directory.markets.get(id.toLowerCase())?.decimalPlaces ?? null;
      return places === null ? undefined : { symbol: EMPTY, decimals: places };
    }
  }
}
