import { hexOf, type Keccak } from './keccak.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** An Ethereum address in lower case, for comparison; undefined for other text. */
export const readAddress = (text: string): string | undefined => (ADDRESS.test(text) ? text.toLowerCase() : undefined);

/** The EIP-55 form: upper case where the hash of the lower-case address has a digit of 8 or more. */
export function checksumAddress(address: string, keccak: Keccak): string {
  const digits = address.slice(2).toLowerCase();
  const hash = hexOf(keccak(Buffer.from(digits, 'latin1')));
  const spelt = Array.from(digits, (digit, index) => ((hash[index] ?? '0') >= '8' ? digit.toUpperCase() : digit));
  return `0x${spelt.join('')}`;
}

/** Whether an address in mixed case has a wrong checksum: it was probably mistyped. */
export const isMisspelt = (address: string, keccak: Keccak): boolean =>
  isMixed(address) && checksumAddress(address, keccak) !== address;

/** Whether it is in mixed case; an address in a single case has no checksum. */
export const isMixed = (address: string): boolean => /[a-f]/.test(address) && /[A-F]/.test(address);
