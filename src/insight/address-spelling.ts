import { checksumAddress, isMixed, readAddress } from './address.ts';
import { type Keccak, loadKeccak } from './keccak.ts';

let keccak: Keccak | undefined;

const spelt = new Map<string, string>();
const MOST_SPELT = 2000;

/** Must run before a list with addresses is shown, so that none changes on the screen. */
export async function learnToSpell(): Promise<void> {
  keccak ??= await loadKeccak();
}

/**
 * An address in the mixed case of its EIP-55 checksum. Other text stays as it is, and so does an address in mixed case: it
 * has a checksum already, which may be wrong.
 */
export function spellAddress(text: string): string {
  if (keccak === undefined || readAddress(text) === undefined || isMixed(text)) return text;
  const known = spelt.get(text);
  if (known !== undefined) return known;
  if (spelt.size >= MOST_SPELT) spelt.clear();
  const spelling = checksumAddress(text, keccak);
  spelt.set(text, spelling);
  return spelling;
}

/** A text with every address in checksum case. */
export const spellAddresses = (text: string): string => text.replace(/\b0x[0-9a-f]{40}\b/g, spellAddress);
