import { checksumAddress, isMixed, readAddress } from './address.ts';
import { type Keccak, loadKeccak } from './keccak.ts';

let keccak: Keccak | undefined;

const spelt = new Map<string, string>();
const MOST_SPELT = 2000;

/** Has to be done before a list with addresses is shown, so that none of them changes while it is being read. */
export async function learnToSpell(): Promise<void> {
  keccak ??= await loadKeccak();
}

/**
 * An address as it is shown, with the checksum of EIP-55 in the cases of its letters. What is no address stays as it is,
 * and so does one in both cases: its checksum is of whoever wrote it, and may be wrong.
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

/** A text with every address in it as it is shown. */
export const spellAddresses = (text: string): string => text.replace(/\b0x[0-9a-f]{40}\b/g, spellAddress);
