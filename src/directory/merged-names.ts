import type { Directory } from './directory.ts';
import type { FetchedNames } from './fetch-directory.ts';

/** What is known with what was said since; a node that says nothing of a part takes nothing away. The same when nothing is new. */
export function mergedNames<Names extends Omit<Directory, 'aliases'>>(known: Names, said: FetchedNames): Names {
  const { markets, assets, validators } = said;
  if (![markets, assets, validators].some(hasAny)) return known;
  return {
    ...known,
    ...(hasAny(markets) && { markets }),
    ...(hasAny(assets) && { assets }),
    ...(hasAny(validators) && { validators }),
  };
}

const hasAny = (part: ReadonlyMap<string, unknown> | undefined): boolean => part !== undefined && part.size > 0;
