const COMMA = 0x2c;
const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

/** Recognises the header of a CSV where it stands again as a row, its names in quotes or not. */
export class HeaderRow {
  /** A longer row is not the header. */
  readonly mostBytes: number;
  readonly #header: Buffer;
  /** Quotes that a value may have around it without being another one. */
  readonly #mostQuotes: number;
  /** Bytes of the header that the current row has repeated so far; -1 once it is another row. */
  #repeated = 0;
  #quotes = 0;

  constructor(header: Buffer, columns: number) {
    this.#header = header.at(-1) === CARRIAGE_RETURN ? header.subarray(0, -1) : header;
    this.#mostQuotes = header.includes(QUOTE) ? 0 : 2;
    this.mostBytes = this.#header.length + this.#mostQuotes * columns;
  }

  /** The current row goes on in the next piece. `rowStart` is where it begins, below 0 in a piece before. */
  carryOver(piece: Buffer, rowStart: number, to: number): void {
    this.#follow(piece, rowStart, to);
  }

  /** Whether the row from `rowStart` to `to`, its line end left out, is the header; it must have as many columns. */
  isAt(piece: Buffer, rowStart: number, to: number): boolean {
    this.#follow(piece, rowStart, to);
    return this.#repeated === this.#header.length;
  }

  #follow(piece: Buffer, rowStart: number, to: number): void {
    const header = this.#header;
    if (rowStart >= 0) {
      this.#repeated = 0;
      this.#quotes = 0;
    }
    for (let at = Math.max(0, rowStart); at < to && this.#repeated >= 0; at++) {
      const byte = piece[at] ?? 0;
      if (byte === header[this.#repeated]) {
        this.#repeated++;
        if (byte === COMMA) this.#quotes = 0;
      } else if (byte === QUOTE && this.#quotes < this.#mostQuotes) this.#quotes++;
      else this.#repeated = -1;
    }
  }
}
