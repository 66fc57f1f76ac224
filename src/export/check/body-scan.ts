import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ByteReader } from './byte-feed.ts';

const HEADER_MARK = 'PK\u0003\u0004';

/** Reads a whole body once, ahead of the walk through it: its length, its hash, and where entries may begin. */
export class BodyScan {
  readonly #reader: ByteReader;
  readonly #onHeaderMark: (byteOffset: number) => boolean;
  #isMarking = true;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #carried = '';

  /** `onHeaderMark` hears of each place where the signature of a local header stands, in data too, until it is false. */
  constructor(reader: ByteReader, onHeaderMark: (byteOffset: number) => boolean) {
    this.#reader = reader;
    this.#onHeaderMark = onHeaderMark;
  }

  /** Bytes read so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Rejects when the body cannot be read. */
  async run(): Promise<void> {
    for (let block = await this.#reader.read(); block; block = await this.#reader.read()) {
      this.#hash.update(block);
      if (this.#isMarking) this.#findMarks(block);
      this.#bytes += block.length;
      // Whoever checks what was read comes first.
      await setImmediate();
    }
  }

  /** Hexadecimal SHA-256 of all bytes, once `run` has ended. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  #findMarks(block: Buffer): void {
    const seam = this.#carried + block.toString('latin1', 0, HEADER_MARK.length - 1);
    const across = seam.indexOf(HEADER_MARK);
    if (across >= 0) this.#isMarking = this.#onHeaderMark(this.#bytes - this.#carried.length + across);
    let at = block.indexOf(HEADER_MARK, 0, 'latin1');
    while (at >= 0 && this.#isMarking) {
      this.#isMarking = this.#onHeaderMark(this.#bytes + at);
      at = block.indexOf(HEADER_MARK, at + 1, 'latin1');
    }
    this.#carried = (this.#carried + block.toString('latin1', Math.max(0, block.length - 3))).slice(-3);
  }
}
