import type { Column } from './resource.ts';

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

/** Whether a record goes by this column too: the code of a market, name and address of a validator. */
export const isNaming = ({ kind, entity }: Column): boolean =>
  kind === 'address' || (kind === 'name' && entity === undefined);

// Hex digits are the same in either case, and what is shown of an address is not spelt as the node spells it.
const inOneSpelling = (key: string): string =>
  /^(?:0x)?[0-9a-f]+$/i.test(key)
    ? key.toLowerCase()
    : key.replace(/0x[0-9a-fA-F]{40}/g, address => address.toLowerCase());
