import { ArchiveFault } from './verdict.ts';

/** Where the bytes of a body come from. */
export interface ByteSource {
  /** A reader with a place of its own, at the front of the body. */
  reader(): ByteReader;
  /** The last `bytes` bytes of the body, once a reader has come to its end. */
  tail(bytes: number): Buffer;
}

export interface ByteReader {
  /** The next bytes, valid until the next call; undefined at the end of the body. */
  read(): Promise<Buffer | undefined>;
  /** Goes on reading at `offset`. */
  moveTo(offset: number): void;
}

/** A body read in order, with enough look-ahead for the records of a ZIP. */
export class ByteFeed {
  readonly #reader: ByteReader;
  #block: Buffer = Buffer.alloc(0);
  #position = 0;
  #isEnded = false;
  #isStopped = false;

  constructor(source: ByteSource) {
    this.#reader = source.reader();
  }

  /** Offset in the body of the next byte not yet taken. */
  get position(): number {
    return this.#position;
  }

  /** True when nothing is left to take. */
  get isAtEnd(): boolean {
    return this.#isEnded && this.#block.length === 0;
  }

  /** Goes on at `offset`, though it was stopped. Nobody else may be reading. */
  moveTo(offset: number): void {
    this.#reader.moveTo(offset);
    this.#block = Buffer.alloc(0);
    this.#position = offset;
    this.#isEnded = false;
    this.#isStopped = false;
  }

  /** Whoever reads gets a StoppedError instead of more bytes. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Up to `length` bytes without taking them; fewer only at the end of the body. */
  async peek(length: number): Promise<Buffer> {
    if (this.#block.length < length && !this.#isEnded) await this.#gather(length);
    return this.#block.subarray(0, length);
  }

  /** Exactly `length` bytes, or the fault of a body cut short. */
  async take(length: number): Promise<Buffer> {
    const bytes = Buffer.from(await this.peek(length));
    this.skip(bytes.length);
    if (bytes.length < length) throw cutAt(this.#position);
    return bytes;
  }

  /** Between 1 and `most` bytes without taking or copying them; none only at the end. */
  async some(most: number): Promise<Buffer> {
    while (this.#block.length === 0 && !this.#isEnded) this.#block = await this.#next();
    return this.#block.subarray(0, most);
  }

  skip(length: number): void {
    this.#position += length;
    this.#block = this.#block.subarray(length);
  }

  /** Joined once, however small the pieces are. */
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
    if (this.#isStopped) throw new StoppedError('Nobody wants the bytes any more.');
    if (next === undefined) this.#isEnded = true;
    return next ?? Buffer.alloc(0);
  }
}

export function cutAt(byteOffset: number): ArchiveFault {
  return new ArchiveFault('cut', `The archive ends after ${byteOffset} bytes, before its end record.`, byteOffset);
}

export class StoppedError extends Error {}
