import { EMPTY } from '../text/safe-text.ts';
import { type Directory, type Unit, unitOfAsset, unitOfMarket } from './directory.ts';

/** What an amount counts: smallest units of an asset, of a market's settlement asset, or price steps of a market. */
export interface Counted {
  readonly of: 'asset' | 'market' | 'price';
  readonly id: string;
}

/** The unit it counts; undefined while its decimals are unknown. A price has no symbol. */
export function unitOf(directory: Directory, { of, id }: Counted): Unit | undefined {
  switch (of) {
    case 'asset':
      return unitOfAsset(directory, id);
    case 'market':
      return unitOfMarket(directory, id);
    case 'price': {
      const places = directory.markets.get(id.toLowerCase())?.decimalPlaces ?? null;
      return places === null ? undefined : { symbol: EMPTY, decimals: places };
    }
  }
}
