import { setImmediate } from 'node:timers/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { type ByteFeed, cutAt } from './byte-feed.ts';
import { ArchiveFault } from './verdict.ts';

/** What came out of the data of one entry. */
export interface StreamedData {
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

export interface DataListener {
  /** The next bytes of the content, valid during the call only. No more come until the promise resolves. */
  onBytes(chunk: Buffer, streamed: StreamedData): Promise<void> | undefined;
}

/** A CSV as far as it was checked. */
export interface CheckedContent {
  readonly name: string;
  /** None until the header is there. */
  readonly columns: readonly string[];
  /** Whole rows without the header. */
  readonly rows: number;
  /** Bytes up to the end of the last whole row, the header being one. */
  readonly wholeRowsBytes: number;
  /** Whole rows, the header being one, that end with a carriage return and a line feed. */
  readonly rowsEndedByReturn: number;
}

/** An entry that ends within so many bytes is inflated at once: a stream for each costs more than its data. */
const SMALL_ENTRY_BYTES = 4 * 1024;
const SMALL_CONTENT_BYTES = 64 * 1024;
const OUTPUT_BYTES = 1024 * 1024;
const SMALLEST_PIECE = 4 * 1024;
const LARGEST_PIECE = 512 * 1024;
/** Passed on at a time, so that the thread pool never waits long for its next turn. */
const SLICE_BYTES = 128 * 1024;
/** When this much waits to be passed on, nothing more is inflated. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * Inflates raw deflate data up to the end that the data itself states, or for `length` bytes when a header gave it.
 * The thread pool inflates a piece while this thread passes on what the pieces before it gave.
 */
export async function inflateData(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData> {
  const small = await inflateSmall(feed, length, listener);
  if (small) return small;
  const inflater = new Inflater();
  let streamed: StreamedData = { crc: 0, compressedBytes: 0, bytes: 0 };
  // What has come out may stem from all that went in, though not all of it is used up.
  let givenBytes = 0;
  const passOn = async () => {
    const slice = inflater.peekOutput(SLICE_BYTES);
    streamed = { ...streamed, crc: crc32(slice, streamed.crc), bytes: streamed.bytes + slice.length };
    const pause = listener.onBytes(slice, { ...streamed, compressedBytes: givenBytes });
    inflater.skipOutput(slice.length);
    await pause;
  };
  try {
    for (let pieceBytes = SMALLEST_PIECE; ; pieceBytes = nextPieceBytes(streamed)) {
      const piece = await feed.some(Math.min(pieceBytes, length - streamed.compressedBytes));
      if (piece.length === 0) break;
      givenBytes = streamed.compressedBytes + piece.length;
      const written = inflater.write(piece);
      while (inflater.waitingBytes > (inflater.isWriting ? 0 : MOST_WAITING_BYTES)) {
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
    if (feed.isAtEnd && isInflateError(error)) throw cutAt(feed.position);
    if (isInflateError(error)) throw brokenData(error, feed.position);
    throw error;
  } finally {
    inflater.close();
  }
}

/** Undefined when it is not that small or not sound: the stream then says what is wrong, and where. */
async function inflateSmall(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData | undefined> {
  const window = await feed.peek(Math.min(SMALL_ENTRY_BYTES, length));
  const inflated = inflatedAtOnce(window);
  if (!inflated) return undefined;
  const { content, compressedBytes } = inflated;
  const streamed = { crc: crc32(content), compressedBytes, bytes: content.length };
  const pause = content.length > 0 ? listener.onBytes(content, streamed) : undefined;
  feed.skip(compressedBytes);
  await pause;
  return streamed;
}

/** With `info` node:zlib gives the engine as well, which knows how much it took; its types do not say so. */
const withEngine = v.object({ buffer: v.instance(Buffer), engine: v.object({ bytesWritten: v.number() }) });

function inflatedAtOnce(window: Buffer): { readonly content: Buffer; readonly compressedBytes: number } | undefined {
  try {
    const result: unknown = inflateRawSync(window, { info: true, maxOutputLength: SMALL_CONTENT_BYTES });
    const { buffer, engine } = v.parse(withEngine, result);
    return { content: buffer, compressedBytes: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** Content that is not compressed; its length must be known beforehand. */
export async function storedData(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData> {
  let streamed: StreamedData = { crc: 0, compressedBytes: 0, bytes: 0 };
  while (streamed.bytes < length) {
    const piece = await feed.some(Math.min(LARGEST_PIECE, length - streamed.bytes));
    if (piece.length === 0) throw cutAt(feed.position);
    const bytes = streamed.bytes + piece.length;
    streamed = { crc: crc32(piece, streamed.crc), compressedBytes: bytes, bytes };
    const pause = listener.onBytes(piece, streamed);
    feed.skip(piece.length);
    await pause;
  }
  return streamed;
}

/** About as much input as fills one output block: one turn of the pool each, and nothing piles up. */
function nextPieceBytes({ compressedBytes, bytes }: StreamedData): number {
  if (bytes === 0) return SMALLEST_PIECE;
  const filling = Math.floor((OUTPUT_BYTES * 0.9 * compressedBytes) / Math.max(1, bytes));
  return Math.min(LARGEST_PIECE, Math.max(SMALLEST_PIECE, filling));
}

/** node:zlib's public stream, by pieces. Its `bytesWritten` says where in a piece the deflate data ended. */
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

  /** Output that was not taken yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** True until the piece written last is inflated. */
  get isWriting(): boolean {
    return this.#release !== undefined;
  }

  /** How many bytes of `piece` belong to the deflate data: fewer than all of them when it has ended. */
  write(piece: Buffer): Promise<number> {
    const before = this.#stream.bytesWritten;
    const { promise, resolve } = Promise.withResolvers<void>();
    // On broken data node:zlib gives an error event and never calls back.
    this.#release = () => {
      this.#release = undefined;
      resolve();
    };
    this.#stream.write(piece, () => this.#release?.());
    const consumed = promise.then(() => {
      if (this.#stream.errored) throw this.#stream.errored;
      return this.#stream.bytesWritten - before;
    });
    // It may fail while what was inflated before is still passed on.
    consumed.catch(() => {});
    return consumed;
  }

  async finish(): Promise<void> {
    this.#stream.end();
    await this.#ended;
  }

  /** The next bytes of the output, at most `most`. */
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
      release(first);
    }
  }

  close(): void {
    this.#stream.destroy();
  }
}

/**
 * Gives a block back once its last part was passed on: node:zlib takes a new block then, and left to the collector the
 * old ones pile up to over 60 MiB.
 */
function release({ buffer, byteOffset, length }: Buffer): void {
  const isSpent = buffer.byteLength === OUTPUT_BYTES && byteOffset + length === OUTPUT_BYTES;
  if (isSpent && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function isInflateError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

function brokenData(error: Error, byteOffset: number): ArchiveFault {
  return new ArchiveFault('deflate', `The compressed data is broken: ${error.message}.`, byteOffset);
}
