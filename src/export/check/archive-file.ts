import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from './byte-feed.ts';

const blockBytes = 256 * 1024;
/** A stored entry never leaves the thread by itself; messages and signals need the event loop now and then. */
const bytesPerTurn = 4 * 1024 * 1024;

/** How much of the file is there. A file that is being downloaded grows; a finished one does not. */
export class FileGrowth {
  #bytes = 0;
  #isEnded = false;
  #isBodyComplete = true;
  #wake: (() => void) | undefined;

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

  /** False when the connection failed before the node had said that the body is over. */
  get isBodyComplete(): boolean {
    return this.#isBodyComplete;
  }

  /** `bytes` is the length of the file so far; a smaller figure than before changes nothing. */
  grown(bytes: number): void {
    this.#bytes = Math.max(this.#bytes, bytes);
    this.#wake?.();
  }

  ended(isBodyComplete: boolean): void {
    this.#isEnded = true;
    this.#isBodyComplete = isBodyComplete;
    this.#wake?.();
  }

  async changed(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}

/** A file read from the front into one reused block, hashed on the way. */
export class ArchiveFile implements ByteSource {
  readonly #descriptor: number;
  readonly #growth: FileGrowth;
  readonly #signal: AbortSignal | undefined;
  readonly #block = Buffer.allocUnsafeSlow(blockBytes);
  readonly #hash: Hash = createHash('sha256');
  #unhashed: Buffer = this.#block.subarray(0, 0);
  #position = 0;
  #turnEnds = bytesPerTurn;

  /** Without `growth` the file is taken as finished. */
  constructor(path: string, growth?: FileGrowth, signal?: AbortSignal) {
    this.#descriptor = openSync(path, 'r');
    this.#growth = growth ?? FileGrowth.finished(fstatSync(this.#descriptor).size);
    this.#signal = signal;
  }

  async read(): Promise<Buffer | undefined> {
    this.catchUp();
    if (this.#position >= this.#turnEnds) await this.#yield();
    this.#signal?.throwIfAborted();
    while (this.#position >= this.#growth.bytes) {
      if (this.#growth.isEnded) return undefined;
      await this.#growth.changed();
    }
    const wanted = Math.min(blockBytes, this.#growth.bytes - this.#position);
    const length = readSync(this.#descriptor, this.#block, 0, wanted, this.#position);
    if (length === 0)
      throw new Error(`The file ends at ${this.#position} bytes; ${this.#growth.bytes} were announced.`);
    this.#position += length;
    this.#unhashed = this.#block.subarray(0, length);
    return this.#unhashed;
  }

  catchUp(): void {
    if (this.#unhashed.length > 0) this.#hash.update(this.#unhashed);
    this.#unhashed = this.#block.subarray(0, 0);
  }

  tail(bytes: number): Buffer {
    const from = Math.max(0, this.#position - bytes);
    const tail = Buffer.alloc(this.#position - from);
    return tail.subarray(0, readSync(this.#descriptor, tail, 0, tail.length, from));
  }

  sha256(): string {
    this.catchUp();
    return this.#hash.digest('hex');
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  async #yield(): Promise<void> {
    this.#turnEnds = this.#position + bytesPerTurn;
    await setImmediate();
  }
}
