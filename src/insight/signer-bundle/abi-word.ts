/** A decimal number that fits into a contract word. */
export function readWord(text: string): bigint | undefined {
  if (!/^\d{1,78}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number < 2n ** 256n ? number : undefined;
}

/** A contract word in hex digits: 32 bytes, right-aligned. */
export const word = (number: bigint): string => number.toString(16).padStart(64, '0');

export const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

/** Bytes of any length: their number, then the bytes, padded to whole words. */
export const dynamic = (hex: string): string =>
  word(BigInt(Math.floor(hex.length / 2))) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
