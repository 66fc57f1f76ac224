import { safeLine } from '../base/text/safe-text.ts';
import type { WalkOptions } from '../chain/resources/walk-pages.ts';
import type { Context } from './context.ts';

/** Prints the notes of a walk on stderr. */
export function createWalkProgress({ stderr }: Context): Pick<WalkOptions, 'onWait' | 'onSmaller' | 'onNote'> {
  return {
    onWait: (ms, why) => void stderr.safe(safeLine(`${why}: waiting ${Math.max(1, Math.ceil(ms / 1000))} s`)),
    onSmaller: (size, smaller) =>
      void stderr.safe(safeLine(`a page of ${size} rows is too large for this node: asking for ${smaller} at a time`)),
    onNote: note => void stderr.safe(safeLine(`note: ${note}`)),
  };
}
