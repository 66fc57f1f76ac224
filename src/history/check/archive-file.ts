import { closeSync, fstatSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { ByteReader, ByteSource } from './byte-feed.ts';
import { openRegularFileSync } from './regular-file.ts';
import { UnreadableError } from './unreadable-error.ts';

const BLOCK_BYTES = 256 * 1024;
/** Reading a stored entry never waits, so the event loop gets a turn after this many bytes. */
const BYTES_PER_TURN = 4 * 1024 * 1024;

/** How much of the file exists so far: a file grows while it is downloaded. */
export class FileGrowth {
  #bytes = 0;
  #isEnded = false;
  #isBodyComplete = true;
  #changed = Promise.withResolvers<void>();

  static finished(bytes: number): FileGrowth {
    const growth = new FileGrowth();
    growth.grown(bytes);
    growth.ended(true);
    return growth;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** False when the connection failed before the end of the body. */
  get isBodyComplete(): boolean {
    return this.#isBodyComplete;
  }

  /** The file now has `bytes` bytes. A smaller number than before is ignored. */
  grown(bytes: number): void {
    this.#bytes = Math.max(this.#bytes, bytes);
    this.#wake();
  }

  ended(isBodyComplete: boolean): void {
    this.#isEnded = true;
    this.#isBodyComplete = isBodyComplete;
    this.#wake();
  }

  /** Resolves when the file has grown or ended. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** A file with several independent readers. */
export class ArchiveFile implements ByteSource {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #growth: FileGrowth;
  readonly #signal: AbortSignal | undefined;
  #isClosed = false;

  /** Without `growth` the file counts as finished. Throws UnreadableError. */
  constructor(path: string, growth?: FileGrowth, signal?: AbortSignal) {
    this.#path = path;
    this.#descriptor = openRegularFileSync(path);
    this.#growth = growth ?? FileGrowth.finished(fstatSync(this.#descriptor).size);
    this.#signal = signal;
  }

  reader(): ByteReader {
    const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    let position = 0;
    let turnEnds = BYTES_PER_TURN;
    return {
      read: async () => {
        if (position >= turnEnds) {
          turnEnds = position + BYTES_PER_TURN;
          await setImmediate();
        }
        const length = await this.#readAt(position, block);
        position += length;
        return length === 0 ? undefined : block.subarray(0, length);
      },
      moveTo: offset => {
        position = offset;
        turnEnds = offset + BYTES_PER_TURN;
      },
    };
  }

  tail(bytes: number): Buffer {
    const from = Math.max(0, this.#growth.bytes - bytes);
    const tail = Buffer.alloc(this.#growth.bytes - from);
    return tail.subarray(0, readSync(this.#descriptor, tail, 0, tail.length, from));
  }

  close(): void {
    this.#isClosed = true;
    closeSync(this.#descriptor);
  }

  /** Reads the available bytes from `position`, and waits if there are none yet. Returns 0 only at the end. */
  async #readAt(position: number, block: Buffer): Promise<number> {
    this.#signal?.throwIfAborted();
    while (position >= this.#growth.bytes) {
      if (this.#growth.isEnded) return 0;
      await this.#growth.changed();
    }
    if (this.#isClosed) throw new Error('The file was closed.');
    const wanted = Math.min(block.length, this.#growth.bytes - position);
    const length = readSync(this.#descriptor, block, 0, wanted, position);
    if (length === 0) throw new UnreadableError(`${this.#path} was truncated to ${position} bytes while it was read`);
    return length;
  }
}
