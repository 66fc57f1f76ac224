import type { Directory } from './directory.ts';
import type { FetchedNames } from './fetch-directory.ts';

/** Known names updated with fetched ones; an empty part removes nothing. Returns the same object if nothing is new. */
export function mergeNames<Names extends Omit<Directory, 'aliases'>>(known: Names, fetched: FetchedNames): Names {
  const { markets, assets, validators, rewardAsset = '' } = fetched;
  if (![markets, assets, validators].some(hasAny) && rewardAsset === '') return known;
  return {
    ...known,
    ...(hasAny(markets) && { markets }),
    ...(hasAny(assets) && { assets }),
    ...(hasAny(validators) && { validators }),
    ...(rewardAsset !== '' && { rewardAsset }),
  };
}

const hasAny = (part: ReadonlyMap<string, unknown> | undefined): boolean => part !== undefined && part.size > 0;
