import { hexOf, type Keccak } from './keccak.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** An Ethereum address in lower case, as addresses are compared; undefined when the text is none. */
export const readAddress = (text: string): string | undefined => (ADDRESS.test(text) ? text.toLowerCase() : undefined);

/** The spelling of EIP-55: an upper-case letter wherever the hash of the lower-case address has a digit of 8 or more. */
export function checksumAddress(address: string, keccak: Keccak): string {
  const digits = address.slice(2).toLowerCase();
  const hash = hexOf(keccak(Buffer.from(digits, 'latin1')));
  const spelt = Array.from(digits, (digit, index) => ((hash[index] ?? '0') >= '8' ? digit.toUpperCase() : digit));
  return `0x${spelt.join('')}`;
}

/** Whether an address in both cases carries a checksum that is wrong: somebody mistyped it. */
export const isMisspelt = (address: string, keccak: Keccak): boolean =>
  isMixed(address) && checksumAddress(address, keccak) !== address;

/** Whether the cases of its letters say something: an address in one case has no checksum. */
export const isMixed = (address: string): boolean => /[a-f]/.test(address) && /[A-F]/.test(address);
