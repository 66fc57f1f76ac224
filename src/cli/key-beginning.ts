import { UsageError } from './usage-error.ts';

/** What a key of a record is compared with. */
export interface SoughtKey {
  /** `part`: all of it up to a slash, as a bundle's key without its chain. */
  readonly match: (key: string) => 'whole' | 'part' | 'beginning' | undefined;
}

/** Letters that a key has to be given at least, so that it is no slip that finds a record. */
export const LEAST_LETTERS = 4;

/** A key as it was typed: the whole of it, or its beginning, of which an address has `0x` on top. */
export function keySought(typed: string): SoughtKey {
  const wanted = inOneSpelling(typed);
  const isBeginning = wanted.replace(/^0x/, '').length >= LEAST_LETTERS;
  return {
    match: key => {
      const spelt = inOneSpelling(key);
      if (spelt === wanted) return 'whole';
      if (isBeginning && spelt.startsWith(`${wanted}/`)) return 'part';
      return isBeginning && spelt.startsWith(wanted) ? 'beginning' : undefined;
    },
  };
}

/** Several keys begin like that, or are of records that hold it: which ones there are. */
export function ambiguousKey(typed: string, scope: string, keys: readonly string[], are = 'begin with'): UsageError {
  const more = keys.length - MOST_NAMED;
  return new UsageError(`${keys.length} ${scope} ${are} "${typed}": which one?`, [
    ...keys.slice(0, MOST_NAMED),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]);
}

const MOST_NAMED = 12;

// Hex digits are the same in either case, and what is shown of an address is not spelt as the node spells it.
const inOneSpelling = (key: string): string =>
  /^(?:0x)?[0-9a-f]+$/i.test(key)
    ? key.toLowerCase()
    : key.replace(/0x[0-9a-fA-F]{40}/g, address => address.toLowerCase());
