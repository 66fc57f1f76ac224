import { setImmediate } from 'node:timers/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { type ByteFeed, newCutFault } from './byte-feed.ts';
import { ArchiveFault } from './verdict.ts';

/** Checksum and sizes of the data of an entry so far. */
export interface StreamedData {
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

export interface DataListener {
  /** The next bytes of the content, valid only during the call. The next ones wait for the promise. */
  onBytes(chunk: Buffer, streamed: StreamedData): Promise<void> | undefined;
}

/** The checked part of a CSV. */
export interface ContentCheck {
  readonly name: string;
  /** Empty until the header was read. */
  readonly columns: readonly string[];
  /** Complete rows, without the header. */
  readonly rows: number;
  /** Bytes up to the end of the last complete row, including the header. */
  readonly wholeRowsBytes: number;
  /** Complete rows, including the header, that end with CR LF. */
  readonly rowsEndedByReturn: number;
}

/** A smaller entry is inflated in one call, as a stream would cost more than the data. */
const SMALL_ENTRY_BYTES = 4 * 1024;
const SMALL_CONTENT_BYTES = 64 * 1024;
const OUTPUT_BYTES = 1024 * 1024;
const MIN_PIECE_BYTES = 4 * 1024;
const MAX_PIECE_BYTES = 512 * 1024;
/** Processed at a time, so that the thread pool gets new input soon. */
const SLICE_BYTES = 128 * 1024;
/** When this much output waits, nothing more is inflated. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Inflates raw deflate data up to its own end mark, or `length` bytes when a header states it. The thread pool inflates one
 * piece while this thread processes the output of earlier ones. Throws ArchiveFault when the data is broken or cut short.
 */
export async function inflateData(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData> {
  const small = await inflateSmall(feed, length, listener);
  if (small) return small;
  const inflater = new Inflater();
  let streamed: StreamedData = { crc: 0, compressedBytes: 0, bytes: 0 };
  // Output can come from all input written so far, even if the end mark comes earlier.
  let givenBytes = 0;
  const passOn = async () => {
    const slice = inflater.peekOutput(SLICE_BYTES);
    streamed = { ...streamed, crc: crc32(slice, streamed.crc), bytes: streamed.bytes + slice.length };
    const pause = listener.onBytes(slice, { ...streamed, compressedBytes: givenBytes });
    inflater.skipOutput(slice.length);
    await pause;
  };
  try {
    for (let pieceBytes = MIN_PIECE_BYTES; ; pieceBytes = nextPieceBytes(streamed)) {
      const piece = await feed.some(Math.min(pieceBytes, length - streamed.compressedBytes));
      if (piece.length === 0) break;
      givenBytes = streamed.compressedBytes + piece.length;
      const written = inflater.write(piece);
      while (inflater.waitingBytes > (inflater.isWriting ? 0 : MAX_WAITING_BYTES)) {
        await passOn();
        await setImmediate();
      }
      const consumed = await written;
      feed.skip(consumed);
      streamed = { ...streamed, compressedBytes: streamed.compressedBytes + consumed };
      if (consumed < piece.length) break;
    }
    givenBytes = streamed.compressedBytes;
    await inflater.finish();
    while (inflater.waitingBytes > 0) await passOn();
    return streamed;
  } catch (error) {
    if (feed.isAtEnd && isInflateError(error)) throw newCutFault(feed.position);
    if (isInflateError(error)) throw brokenDataFault(error, feed.position);
    throw error;
  } finally {
    inflater.close();
  }
}

/** Undefined if the entry is larger or broken. The stream then finds the problem and its position. */
async function inflateSmall(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData | undefined> {
  const window = await feed.peek(Math.min(SMALL_ENTRY_BYTES, length));
  const inflated = inflateAtOnce(window);
  if (!inflated) return undefined;
  const { content, compressedBytes } = inflated;
  const streamed = { crc: crc32(content), compressedBytes, bytes: content.length };
  const pause = content.length > 0 ? listener.onBytes(content, streamed) : undefined;
  feed.skip(compressedBytes);
  await pause;
  return streamed;
}

/** With `info`, node:zlib also returns the engine, which knows the bytes consumed. Its types lack this. */
const inflateResult = v.object({ buffer: v.instance(Buffer), engine: v.object({ bytesWritten: v.number() }) });

function inflateAtOnce(window: Buffer): { readonly content: Buffer; readonly compressedBytes: number } | undefined {
  try {
    const result: unknown = inflateRawSync(window, { info: true, maxOutputLength: SMALL_CONTENT_BYTES });
    const { buffer, engine } = v.parse(inflateResult, result);
    return { content: buffer, compressedBytes: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** Reads uncompressed content of a known length. Throws ArchiveFault when it is cut short. */
export async function readStoredData(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData> {
  let streamed: StreamedData = { crc: 0, compressedBytes: 0, bytes: 0 };
  while (streamed.bytes < length) {
    const piece = await feed.some(Math.min(MAX_PIECE_BYTES, length - streamed.bytes));
    if (piece.length === 0) throw newCutFault(feed.position);
    const bytes = streamed.bytes + piece.length;
    streamed = { crc: crc32(piece, streamed.crc), compressedBytes: bytes, bytes };
    const pause = listener.onBytes(piece, streamed);
    feed.skip(piece.length);
    await pause;
  }
  return streamed;
}

/** About as much input as fills one output block, so that each piece takes one turn of the thread pool. */
function nextPieceBytes({ compressedBytes, bytes }: StreamedData): number {
  if (bytes === 0) return MIN_PIECE_BYTES;
  const filling = Math.floor((OUTPUT_BYTES * 0.9 * compressedBytes) / Math.max(1, bytes));
  return Math.min(MAX_PIECE_BYTES, Math.max(MIN_PIECE_BYTES, filling));
}

/** The public stream of node:zlib, fed piece by piece. Its `bytesWritten` tells where the deflate data ended. */
class Inflater {
  readonly #stream = createInflateRaw({ chunkSize: OUTPUT_BYTES });
  readonly #ended: Promise<void>;
  readonly #output: Buffer[] = [];
  #waitingBytes = 0;
  #release: (() => void) | undefined;

  constructor() {
    this.#ended = new Promise((resolve, reject) => this.#stream.once('end', resolve).once('error', reject));
    this.#ended.catch(() => this.#release?.());
    this.#stream.on('data', (chunk: Buffer) => {
      this.#output.push(chunk);
      this.#waitingBytes += chunk.length;
    });
  }

  /** Output that was not processed yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** True until the last piece is inflated. */
  get isWriting(): boolean {
    return this.#release !== undefined;
  }

  /** Resolves with the bytes of `piece` that belong to the deflate data: fewer than all when it has ended. */
  write(piece: Buffer): Promise<number> {
    const before = this.#stream.bytesWritten;
    const { promise, resolve } = Promise.withResolvers<void>();
    // On broken data node:zlib emits an error and never calls back.
    this.#release = () => {
      this.#release = undefined;
      resolve();
    };
    this.#stream.write(piece, () => this.#release?.());
    const consumed = promise.then(() => {
      if (this.#stream.errored) throw this.#stream.errored;
      return this.#stream.bytesWritten - before;
    });
    // It may reject while earlier output is still being processed.
    consumed.catch(() => {});
    return consumed;
  }

  async finish(): Promise<void> {
    this.#stream.end();
    await this.#ended;
  }

  /** The next output, at most `most` bytes. */
  peekOutput(most: number): Buffer {
    return this.#output[0]?.subarray(0, most) ?? Buffer.alloc(0);
  }

  skipOutput(length: number): void {
    const [first] = this.#output;
    if (first === undefined) return;
    this.#waitingBytes -= length;
    if (length < first.length) this.#output[0] = first.subarray(length);
    else {
      this.#output.shift();
      releaseBuffer(first);
    }
  }

  close(): void {
    this.#stream.destroy();
  }
}

/**
 * Frees an output block after its last part was processed. Left to the garbage collector, old blocks would pile up to
 * over 60 MiB.
 */
function releaseBuffer({ buffer, byteOffset, length }: Buffer): void {
  const isSpent = buffer.byteLength === OUTPUT_BYTES && byteOffset + length === OUTPUT_BYTES;
  if (isSpent && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function isInflateError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

function brokenDataFault(error: Error, byteOffset: number): ArchiveFault {
  return new ArchiveFault('deflate', `The compressed data is broken: ${error.message}.`, byteOffset);
}
