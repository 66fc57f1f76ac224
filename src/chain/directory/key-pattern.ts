import { compareHex, replaceAddresses } from '../../base/text/ids.ts';

/** A key to find records by. */
interface KeyPattern {
  /** `part`: the key up to a slash, such as a bundle's key without its chain. */
  readonly match: (key: string) => 'whole' | 'part' | 'beginning' | undefined;
}

/** Shorter beginnings of a key find nothing, since they are probably typing errors. */
export const MIN_KEY_PART_LENGTH = 4;

/** A key as typed: the whole key, its beginning, or both its ends (`8a2f..01be`); `0x` does not count. */
export function keyPattern(typed: string): KeyPattern {
  const wanted = inOneSpelling(typed);
  const [begin = '', end = ''] = typed.split(/\.{2,3}|\u2026/, 2).map(inOneSpelling);
  const isPart = `${begin}${end}`.length >= MIN_KEY_PART_LENGTH;
  return {
    match: key => {
      const spelt = inOneSpelling(key);
      if (spelt === wanted) return 'whole';
      if (isPart && spelt.startsWith(`${wanted}/`)) return 'part';
      const hasEnds = spelt.startsWith(begin) && spelt.slice(begin.length).endsWith(end);
      return isPart && hasEnds ? 'beginning' : undefined;
    },
  };
}

// Hex digits match in either case, and addresses are shown in another case than the node sends.
const inOneSpelling = (key: string): string =>
  replaceAddresses(compareHex(key), address => address.toLowerCase()).replace(/^0x/, '');
