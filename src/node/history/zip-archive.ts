import { crc32 } from 'node:zlib';
import { Deflate } from 'fflate';

/** A file of the archive, as its central directory lists it. */
interface ArchivedFile {
  readonly name: Buffer;
  readonly offset: number;
  readonly checksum: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Its sizes are written in 64 bits. */
  readonly hasWideSizes: boolean;
}

interface OpenFile {
  readonly name: Buffer;
  readonly offset: number;
  readonly deflate: Deflate;
  checksum: number;
  compressedSize: number;
  size: number;
}

const MAX_UINT32 = 0xffff_ffff;
// Rows are mostly hashes, which no level compresses.
const COMPRESSION_LEVEL = 3;

/**
 * Writes an archive front to back, byte for byte as deployed nodes frame theirs (export-behaviour.md section 1.4):
 * deflate, sizes in a data descriptor, no date, zip64 only where a number needs it.
 */
export class ZipArchive {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #files: ArchivedFile[] = [];
  #open: OpenFile | undefined;
  #length = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = bytes => {
      this.#length += bytes.length;
      write(bytes);
    };
  }

  /** Begins a file and ends the one before it. */
  begin(fileName: string): void {
    this.#end();
    const name = Buffer.from(fileName, 'utf8');
    const offset = this.#length;
    this.#write(Buffer.concat([localHeader(name), name]));
    const deflate = new Deflate({ level: COMPRESSION_LEVEL }, bytes => {
      open.compressedSize += bytes.length;
      this.#write(bytes);
    });
    const open: OpenFile = { name, offset, deflate, checksum: 0, compressedSize: 0, size: 0 };
    this.#open = open;
  }

  add(bytes: Uint8Array): void {
    if (!this.#open) throw new Error('an archive takes bytes only inside a file');
    this.#open.checksum = crc32(bytes, this.#open.checksum);
    this.#open.size += bytes.length;
    this.#open.deflate.push(bytes);
  }

  /** Ends the open file and writes the directory: the archive is then complete. */
  finish(): void {
    this.#end();
    const directoryOffset = this.#length;
    for (const file of this.#files) this.#write(directoryRecord(file));
    const directorySize = this.#length - directoryOffset;
    const count = this.#files.length;
    if (directoryOffset >= MAX_UINT32) this.#write(zip64End(count, directorySize, directoryOffset));
    this.#write(endRecord(count, directorySize, directoryOffset));
  }

  #end(): void {
    if (!this.#open) return;
    this.#open.deflate.push(new Uint8Array(0), true);
    const { name, offset, checksum, compressedSize, size } = this.#open;
    this.#open = undefined;
    const hasWideSizes = Math.max(compressedSize, size) >= MAX_UINT32;
    const file = { name, offset, checksum, compressedSize, size, hasWideSizes };
    this.#files.push(file);
    this.#write(dataDescriptor(file));
  }
}

type Field = readonly [value: number, bytes: 2 | 4 | 8];

function record(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

// Version needed, flags (descriptor follows), method (deflate), time and date (none).
const COMMON: readonly Field[] = [
  [0x0008, 2],
  [8, 2],
  [0, 2],
  [0, 2],
];

function localHeader(name: Buffer): Buffer {
  return record([0x04034b50, 4], [20, 2], ...COMMON, [0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]);
}

function dataDescriptor({ checksum, compressedSize, size, hasWideSizes }: ArchivedFile): Buffer {
  const width = hasWideSizes ? 8 : 4;
  return record([0x08074b50, 4], [checksum, 4], [compressedSize, width], [size, width]);
}

function directoryRecord(file: ArchivedFile): Buffer {
  const { name, offset, checksum, compressedSize, size } = file;
  const isLarge = file.hasWideSizes || offset >= MAX_UINT32;
  const extra = isLarge ? record([1, 2], [24, 2], [size, 8], [compressedSize, 8], [offset, 8]) : Buffer.alloc(0);
  const shown = (value: number): Field => [isLarge ? MAX_UINT32 : value, 4];
  const header = record(
    [0x02014b50, 4],
    [20, 2],
    [isLarge ? 45 : 20, 2],
    ...COMMON,
    [checksum, 4],
    shown(compressedSize),
    shown(size),
    [name.length, 2],
    [extra.length, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [0, 4],
    // Go's writer always puts the offset into the extra field, and masks it only if it does not fit.
    [Math.min(offset, MAX_UINT32), 4],
  );
  return Buffer.concat([header, name, extra]);
}

function zip64End(count: number, size: number, offset: number): Buffer {
  const end = record(
    [0x06064b50, 4],
    [44, 8],
    [45, 2],
    [45, 2],
    [0, 4],
    [0, 4],
    [count, 8],
    [count, 8],
    [size, 8],
    [offset, 8],
  );
  return Buffer.concat([end, record([0x07064b50, 4], [0, 4], [offset + size, 8], [1, 4])]);
}

function endRecord(count: number, size: number, offset: number): Buffer {
  return record(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [size, 4],
    [Math.min(offset, MAX_UINT32), 4],
    [0, 2],
  );
}
