import { EMPTY } from '../../base/text/safe-text.ts';
import { type Directory, type Unit, unitOfAsset, unitOfMarket } from './directory.ts';

/**
 * What an amount counts: smallest units of an asset, of a market's settlement asset or of the staking asset, or steps of a
 * market's prices or sizes.
 */
export interface Denomination {
  readonly of: 'asset' | 'market' | 'price' | 'size' | 'stake';
  /** The id of the asset or market; for stakes, the parameter with the staking asset. */
  readonly id: string;
}

/** The network parameter with the asset of stakes, votes and rewards. */
export const REWARD_ASSET = 'reward.asset';

/** Smallest units of the staking asset. */
export const STAKE_DENOMINATION: Denomination = { of: 'stake', id: REWARD_ASSET };

/** The unit it counts; undefined while its decimals are unknown. Prices and sizes have no symbol. */
export function unitOfDenomination(directory: Directory, { of, id }: Denomination): Unit | undefined {
  switch (of) {
    case 'asset':
      return unitOfAsset(directory, id);
    case 'market':
      return unitOfMarket(directory, id);
    case 'stake':
      return unitOfAsset(directory, directory.rewardAsset ?? '');
    case 'price':
      return unnamedUnit(directory.markets.get(id.toLowerCase())?.decimalPlaces);
    case 'size':
      return unnamedUnit(directory.markets.get(id.toLowerCase())?.positionDecimalPlaces);
  }
}

const unnamedUnit = (places: number | null = null): Unit | undefined =>
  places === null ? undefined : { symbol: EMPTY, decimals: places };
