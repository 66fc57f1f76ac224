import { isUtf8 } from 'node:buffer';

const FIRST_CONTINUATION = 0x80;
const LAST_CONTINUATION = 0xbf;

/**
 * Finds invalid UTF-8 in bytes that arrive in pieces. Valid pieces pass at the speed of `isUtf8`; only characters across
 * two pieces, and invalid pieces, are checked byte by byte.
 */
export class Utf8Check {
  #count = 0;
  #firstBad: number | undefined;
  /** Bytes missing from the current character, and the bounds of the next one. */
  #wanted = 0;
  #least = FIRST_CONTINUATION;
  #most = LAST_CONTINUATION;
  /** Start of the current character, relative to the current piece. */
  #begun = 0;

  /** Invalid sequences so far, each as short as a decoder would replace it. */
  get count(): number {
    return this.#count;
  }

  /** If this piece reveals the first invalid sequence, its offset in `piece`; negative when it began in the one before. */
  push(piece: Buffer): number | undefined {
    const before = this.#count;
    let at = 0;
    while (this.#wanted > 0 && at < piece.length) at = this.#step(piece, at);
    const seam = wholeCharactersEnd(piece, at);
    if (!isUtf8(piece.subarray(at, seam))) this.#walk(piece, at, seam);
    this.#walk(piece, seam, piece.length);
    this.#begun -= piece.length;
    return before === 0 ? this.#firstBad : undefined;
  }

  /** Call at the end. Returns the same as `push`. */
  end(): number | undefined {
    const before = this.#count;
    if (this.#wanted > 0) this.#bad();
    return before === 0 ? this.#firstBad : undefined;
  }

  #walk(piece: Buffer, from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (this.#wanted === 0 && (piece[at] ?? 0) < FIRST_CONTINUATION) at++;
      else at = this.#step(piece, at);
    }
  }

  /** Consumes one byte, or none when it shows that the sequence before it is invalid. Returns the next offset. */
  #step(piece: Buffer, at: number): number {
    const byte = piece[at] ?? 0;
    if (this.#wanted === 0) {
      this.#begin(byte, at);
      return at + 1;
    }
    if (byte < this.#least || byte > this.#most) {
      this.#bad();
      return at;
    }
    this.#wanted--;
    this.#least = FIRST_CONTINUATION;
    this.#most = LAST_CONTINUATION;
    return at + 1;
  }

  #begin(byte: number, at: number): void {
    this.#begun = at;
    if (byte < FIRST_CONTINUATION) return;
    if (byte < 0xc2 || byte > 0xf4) {
      this.#bad();
      return;
    }
    this.#wanted = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    // Excludes overlong forms, surrogates and values above U+10FFFF.
    this.#least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : FIRST_CONTINUATION;
    this.#most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : LAST_CONTINUATION;
  }

  #bad(): void {
    this.#count++;
    this.#firstBad ??= this.#begun;
    this.#wanted = 0;
    this.#least = FIRST_CONTINUATION;
    this.#most = LAST_CONTINUATION;
  }
}

/** Start of a character that may continue in the next piece; the end of the piece when there is none. */
function wholeCharactersEnd(piece: Buffer, from: number): number {
  for (let at = piece.length - 1; at >= Math.max(from, piece.length - 3); at--) {
    const byte = piece[at] ?? 0;
    if (byte < FIRST_CONTINUATION) return piece.length;
    if (byte > LAST_CONTINUATION) return at;
  }
  return piece.length;
}
