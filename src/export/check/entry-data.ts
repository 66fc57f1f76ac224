import { crc32, createInflateRaw } from 'node:zlib';
import { type ByteFeed, cutAt } from './byte-feed.ts';
import { ArchiveFault } from './verdict.ts';

/** What came out of the data of one entry. */
export interface StreamedData {
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

export interface DataListener {
  /** The next bytes of the content, valid during the call only. */
  onBytes(chunk: Buffer, streamed: StreamedData): void;
}

const outputBytes = 1024 * 1024;
const smallestPiece = 4 * 1024;
const largestPiece = 512 * 1024;

/**
 * Inflates raw deflate data up to the end that the data itself states, or for `length` bytes when a header gave it.
 * The thread pool inflates a piece while this thread passes on what the piece before it gave.
 */
export async function inflateData(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData> {
  const inflater = new Inflater();
  let streamed: StreamedData = { crc: 0, compressedBytes: 0, bytes: 0 };
  const passOn = () => {
    for (const chunk of inflater.takeOutput()) {
      streamed = { ...streamed, crc: crc32(chunk, streamed.crc), bytes: streamed.bytes + chunk.length };
      listener.onBytes(chunk, streamed);
      release(chunk);
    }
  };
  try {
    for (let pieceBytes = smallestPiece; ; pieceBytes = nextPieceBytes(streamed)) {
      const piece = await feed.some(Math.min(pieceBytes, length - streamed.compressedBytes));
      if (piece.length === 0) break;
      const written = inflater.write(piece);
      feed.catchUp();
      passOn();
      const consumed = await written;
      feed.skip(consumed);
      streamed = { ...streamed, compressedBytes: streamed.compressedBytes + consumed };
      if (consumed < piece.length) break;
    }
    await inflater.finish();
    passOn();
    return streamed;
  } catch (error) {
    if (feed.isAtEnd && isInflateError(error)) throw cutAt(feed.position);
    if (isInflateError(error)) throw brokenData(error, feed.position);
    throw error;
  } finally {
    inflater.close();
  }
}

/** Content that is not compressed; its length must be known beforehand. */
export async function storedData(feed: ByteFeed, length: number, listener: DataListener): Promise<StreamedData> {
  let streamed: StreamedData = { crc: 0, compressedBytes: 0, bytes: 0 };
  while (streamed.bytes < length) {
    const piece = await feed.some(Math.min(largestPiece, length - streamed.bytes));
    if (piece.length === 0) throw cutAt(feed.position);
    const bytes = streamed.bytes + piece.length;
    streamed = { crc: crc32(piece, streamed.crc), compressedBytes: bytes, bytes };
    listener.onBytes(piece, streamed);
    feed.skip(piece.length);
  }
  return streamed;
}

/** About as much input as fills one output block: one turn of the pool each, and nothing piles up. */
function nextPieceBytes({ compressedBytes, bytes }: StreamedData): number {
  const filling = Math.floor((outputBytes * 0.9 * compressedBytes) / Math.max(1, bytes));
  return Math.min(largestPiece, Math.max(smallestPiece, filling));
}

/** node:zlib's public stream, by pieces. Its `bytesWritten` says where in a piece the deflate data ended. */
class Inflater {
  readonly #stream = createInflateRaw({ chunkSize: outputBytes });
  readonly #ended: Promise<void>;
  #output: Buffer[] = [];
  #release = () => {};

  constructor() {
    this.#ended = new Promise((resolve, reject) => this.#stream.once('end', resolve).once('error', reject));
    this.#ended.catch(() => this.#release());
    this.#stream.on('data', chunk => this.#output.push(chunk));
  }

  /** How many bytes of `piece` belong to the deflate data: fewer than all of them when it has ended. */
  async write(piece: Buffer): Promise<number> {
    const before = this.#stream.bytesWritten;
    await new Promise<void>(resolve => {
      // On broken data node:zlib gives an error event and never calls back.
      this.#release = resolve;
      this.#stream.write(piece, () => resolve());
    });
    if (this.#stream.errored) throw this.#stream.errored;
    return this.#stream.bytesWritten - before;
  }

  async finish(): Promise<void> {
    this.#stream.end();
    await this.#ended;
  }

  takeOutput(): readonly Buffer[] {
    const output = this.#output;
    this.#output = [];
    return output;
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
  const isSpent = buffer.byteLength === outputBytes && byteOffset + length === outputBytes;
  if (isSpent && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function isInflateError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

function brokenData(error: Error, byteOffset: number): ArchiveFault {
  return new ArchiveFault('deflate', `The compressed data is broken: ${error.message}.`, byteOffset);
}
