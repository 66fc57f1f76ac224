/*
 * Parties, markets, assets, validators, orders, transactions and blocks have an id of 64 hex digits: nodes write, hash and
 * compare them in lower case, and people paste them in either. Ethereum addresses are `0x` and 40 hex digits; mixed case is
 * the checksum of an address (src/chain/insight/address.ts).
 */

/** Whether it is an id as nodes write it. */
export const isId = (text: string): boolean => ID.test(text);

/** An id in the case of nodes, from either case; undefined for other text. */
export function readId(text: string): string | undefined {
  const id = text.toLowerCase();
  return ID.test(id) ? id : undefined;
}

const ID = /^[0-9a-f]{64}$/;

/** An id as people type and paste it: in either case, with `0x` or without, among blanks. */
export const readTypedId = (text: string): string | undefined => readId(compareHex(text.trim()));

/** An Ethereum address in lower case, for comparison; undefined for other text. */
export const readAddress = (text: string): string | undefined => (ADDRESS.test(text) ? text.toLowerCase() : undefined);

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** An address as people type and paste it: in any case, with `0x` or without, among blanks. */
export const readTypedAddress = (text: string): string | undefined => readAddress(`0x${compareHex(text.trim())}`);

/** A text with every address in it replaced. An address in upper or mixed case is one, too. */
export const replaceAddresses = (text: string, replace: (address: string) => string): string =>
  text.replace(ADDRESSES, replace);

const ADDRESSES = /\b0x[0-9a-f]{40}\b/gi;

/** Whether it is only hex digits, in either case and `0x` or not: an id, an address, or a part of one. */
export const isHexDigits = (text: string): boolean => /^(?:0x)?[0-9a-f]+$/i.test(text);

/** Hex digits in the form for comparison: in lower case, without `0x`. Any other text is not changed. */
export const compareHex = (text: string): string => (isHexDigits(text) ? text.toLowerCase().replace(/^0x/, '') : text);

/** Whether it is whole bytes in hex digits, in either case, and not empty. */
export const isHexBytes = (text: string): boolean => /^(?:[0-9a-f]{2})+$/i.test(text);

/** Whether it is drawn as an id, by its ends. No amount and no time has as many digits. */
export const looksLikeId = (text: string): boolean => LONG_HEX.test(text);

const LONG_HEX = /^(?:0x)?[0-9a-f]{32,}$/i;

/** Such digits in a text, for `replace` and `matchAll`. */
export const LONG_IDS = /\b(?:0x)?[0-9a-f]{32,}\b/gi;
