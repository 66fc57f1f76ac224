import { ArchiveFault } from './verdict.ts';

/** A body with independent readers. */
export interface ByteSource {
  /** A new reader at the start of the body. */
  reader(): ByteReader;
  /** The last `bytes` bytes of the body. Only valid after a reader reached the end. */
  tail(bytes: number): Buffer;
}

export interface ByteReader {
  /** The next bytes, valid until the next call; undefined at the end. */
  read(): Promise<Buffer | undefined>;
  /** Continues at `offset`. */
  moveTo(offset: number): void;
}

/** Reads a body in order, with look-ahead for the records of a ZIP. */
export class ByteFeed {
  readonly #reader: ByteReader;
  #block: Buffer = Buffer.alloc(0);
  #position = 0;
  #isEnded = false;
  #isStopped = false;

  constructor(source: ByteSource) {
    this.#reader = source.reader();
  }

  /** Offset of the next byte. */
  get position(): number {
    return this.#position;
  }

  /** True when no bytes are left. */
  get isAtEnd(): boolean {
    return this.#isEnded && this.#block.length === 0;
  }

  /** Continues at `offset`, even after `stop`. No other read may be running. */
  moveTo(offset: number): void {
    this.#reader.moveTo(offset);
    this.#block = Buffer.alloc(0);
    this.#position = offset;
    this.#isEnded = false;
    this.#isStopped = false;
  }

  /** Makes further reads throw. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The next `length` bytes, without consuming them; fewer only at the end. */
  async peek(length: number): Promise<Buffer> {
    if (this.#block.length < length && !this.#isEnded) await this.#gather(length);
    return this.#block.subarray(0, length);
  }

  /** Consumes exactly `length` bytes. Throws ArchiveFault when the body is cut short. */
  async take(length: number): Promise<Buffer> {
    const bytes = Buffer.from(await this.peek(length));
    this.skip(bytes.length);
    if (bytes.length < length) throw newCutFault(this.#position);
    return bytes;
  }

  /** Between 1 and `most` bytes, neither consumed nor copied; none only at the end. */
  async some(most: number): Promise<Buffer> {
    while (this.#block.length === 0 && !this.#isEnded) this.#block = await this.#next();
    return this.#block.subarray(0, most);
  }

  skip(length: number): void {
    this.#position += length;
    this.#block = this.#block.subarray(length);
  }

  /** Joins all pieces at once, however small they are. */
  async #gather(length: number): Promise<void> {
    const pieces = [Buffer.from(this.#block)];
    let gathered = this.#block.length;
    while (gathered < length && !this.#isEnded) {
      const piece = Buffer.from(await this.#next());
      pieces.push(piece);
      gathered += piece.length;
    }
    this.#block = Buffer.concat(pieces);
  }

  /** The reader's next bytes; none at the end. */
  async #next(): Promise<Buffer> {
    const next = await this.#reader.read();
    if (this.#isStopped) throw new Error('Reading was stopped.');
    if (next === undefined) this.#isEnded = true;
    return next ?? Buffer.alloc(0);
  }
}

export function newCutFault(byteOffset: number): ArchiveFault {
  return new ArchiveFault('cut', `The archive ends after ${byteOffset} bytes, before its end record.`, byteOffset);
}
