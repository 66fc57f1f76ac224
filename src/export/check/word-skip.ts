/** Passes over bytes that are all above a limit, four at a time. */
export class WordSkip {
  readonly #words: Int32Array;
  /** Offset in the piece of its first whole word in memory. */
  readonly #base: number;

  constructor(piece: Buffer) {
    const end = (piece.byteOffset + piece.length) & ~3;
    // A piece without a whole word may lie so close to the end of its memory that no word begins behind it.
    const start = Math.min((piece.byteOffset + 3) & ~3, end);
    this.#words = new Int32Array(piece.buffer, start, (end - start) >> 2);
    this.#base = start - piece.byteOffset;
  }

  /** The first offset at or after `at`, if `at` is where a word begins, whose word has a byte up to `limit` (< 0x7f). */
  skip(at: number, limit: number): number {
    const ahead = at - this.#base;
    if ((ahead & 3) !== 0) return at;
    const words = this.#words;
    const { length } = words;
    const above = (limit + 1) * 0x01010101;
    let index = ahead >> 2;
    // A borrow out of a byte, where the byte's own top bit is clear, means that the byte is below `limit + 1`.
    while (index < length && (((words[index] ?? 0) - above) & ~(words[index] ?? 0) & 0x80808080) === 0) index++;
    return this.#base + index * 4;
  }
}
