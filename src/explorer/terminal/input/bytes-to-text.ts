/**
 * Bytes of a terminal as text. A byte of 0x80 to 0x9f outside any character is an 8-bit control character, and is
 * preserved as one; every other byte that is not UTF-8 becomes a replacement character.
 */
export class InputDecoder {
  /** The begin of a character whose other bytes have not come yet. */
  #begun = '';

  decode(bytes: Uint8Array): string {
    const latin1 = this.#begun + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    this.#begun = BEGUN.exec(latin1)?.[0] ?? '';
    return latin1.slice(0, latin1.length - this.#begun.length).replace(BEYOND_ASCII, decodeCharacter);
  }
}

const BEGUN = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;

/**
 * Well-formed characters of several bytes (Unicode, table 3-7), and bytes that are not control characters on their own.
 */
const BEYOND_ASCII = new RegExp(
  [
    '[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
    '[\\xa0-\\xff]',
  ].join('|'),
  'g',
);

const decodeCharacter = (bytes: string): string =>
  bytes.length === 1 ? '\ufffd' : Buffer.from(bytes, 'latin1').toString('utf8');
