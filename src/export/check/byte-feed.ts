import { ArchiveFault } from './verdict.ts';

/** Where the bytes of a body come from. */
export interface ByteSource {
  /** The next bytes, valid until the next call; undefined at the end of the body. */
  read(): Promise<Buffer | undefined>;
  /** Work owed on the bytes read last (hashing), for a moment when another thread is busy. */
  catchUp(): void;
  /** The last `bytes` bytes of the body, once `read` has given undefined. */
  tail(bytes: number): Buffer;
  /** Hexadecimal SHA-256 of all bytes read. */
  sha256(): string;
}

/** A body read from the front, with enough look-ahead for the records of a ZIP. */
export class ByteFeed {
  readonly #source: ByteSource;
  #block: Buffer = Buffer.alloc(0);
  #position = 0;
  #isEnded = false;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Offset in the body of the next byte not yet taken. */
  get position(): number {
    return this.#position;
  }

  /** Bytes read from the source so far, taken or not. */
  get bytesRead(): number {
    return this.#position + this.#block.length;
  }

  /** True when nothing is left to take. */
  get isAtEnd(): boolean {
    return this.#isEnded && this.#block.length === 0;
  }

  /** Up to `length` bytes without taking them; fewer only at the end of the body. */
  async peek(length: number): Promise<Buffer> {
    while (this.#block.length < length && !this.#isEnded) await this.#extend();
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
    while (this.#block.length === 0 && !this.#isEnded) await this.#extend();
    return this.#block.subarray(0, most);
  }

  skip(length: number): void {
    this.#position += length;
    this.#block = this.#block.subarray(length);
  }

  catchUp(): void {
    this.#source.catchUp();
  }

  /** Reads to the end of the body, so that its length, hash and tail are known. */
  async drain(): Promise<void> {
    while ((await this.some(1)).length > 0) this.skip(this.#block.length);
  }

  async #extend(): Promise<void> {
    const kept = Buffer.from(this.#block);
    const next = await this.#source.read();
    if (next === undefined) this.#isEnded = true;
    else if (kept.length === 0) this.#block = next;
    else this.#block = Buffer.concat([kept, next]);
    if (next === undefined) this.#block = kept;
  }
}

export function cutAt(byteOffset: number): ArchiveFault {
  return new ArchiveFault('cut', `The archive ends after ${byteOffset} bytes, before its end record.`, byteOffset);
}
