import { readAddress, replaceAddresses } from '../../base/text/ids.ts';
import { bytesToHex, type Keccak, loadKeccak } from './keccak.ts';

/** The EIP-55 form: upper case where the hash of the lower-case address has a digit of 8 or more. */
export function checksumAddress(address: string, keccak: Keccak): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak(Buffer.from(digits, 'latin1')));
  const spelt = Array.from(digits, (digit, index) => ((hash[index] ?? '0') >= '8' ? digit.toUpperCase() : digit));
  return `0x${spelt.join('')}`;
}

/** Whether an address in mixed case has a wrong checksum: it was probably mistyped. */
export const isChecksumWrong = (address: string, keccak: Keccak): boolean =>
  isMixedCase(address) && checksumAddress(address, keccak) !== address;

/** Whether it is in mixed case; an address in a single case has no checksum. */
export const isMixedCase = (address: string): boolean => /[a-f]/.test(address) && /[A-F]/.test(address);

let keccak: Keccak | undefined;

const spelt = new Map<string, string>();
const MAX_CACHED_ADDRESSES = 2000;

/** Must run before a list with addresses is shown, so that none changes on the screen. */
export async function loadAddressSpelling(): Promise<void> {
  keccak ??= await loadKeccak();
}

/**
 * An address in the mixed case of its EIP-55 checksum. Other text is not changed, nor is an address in mixed case: it
 * already has a checksum, which may be wrong.
 */
export function spellAddress(text: string): string {
  if (keccak === undefined || readAddress(text) === undefined || isMixedCase(text)) return text;
  const known = spelt.get(text);
  if (known !== undefined) return known;
  if (spelt.size >= MAX_CACHED_ADDRESSES) spelt.clear();
  const spelling = checksumAddress(text, keccak);
  spelt.set(text, spelling);
  return spelling;
}

/** A text with every address in checksum case. */
export const spellAddresses = (text: string): string => replaceAddresses(text, spellAddress);
