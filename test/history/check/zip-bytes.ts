import { crc32, deflateRawSync } from 'node:zlib';

/** One entry as its bytes, right or wrong in any way: an independent writer for the tests. */
export interface OddEntry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly method?: 0 | 8 | 12;
  /** Bytes of the data descriptor; 0 puts sizes into the local header. */
  readonly descriptor?: 0 | 12 | 16 | 20 | 24;
  /** Claimed after or before the data, where it differs from the truth. */
  readonly crc?: number;
  readonly flags?: number;
  /** Claimed by the central directory. */
  readonly central?: {
    readonly name?: string;
    readonly crc?: number;
    readonly bytes?: number;
    readonly offset?: number;
  };
  /** Sizes (and all fields of the extra) of the central record as zip64. */
  readonly isZip64?: boolean;
  /** Local sizes by a zip64 extra field. */
  readonly isLocalZip64?: boolean;
}

export interface OddArchive {
  readonly hasZip64End?: boolean;
  readonly leaveOut?: number;
  readonly count?: number;
  readonly comment?: string;
}

export function zipOf(entries: readonly OddEntry[], odd: OddArchive = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [index, entry] of entries.entries()) {
    const local = localBytes(entry);
    if (index !== odd.leaveOut) directory.push(centralBytes(entry, offset));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, endBytes(directory.length, central.length, offset, odd)]);
}

function dataOf({ content, method = 8 }: OddEntry): Buffer {
  return method === 8 ? deflateRawSync(content) : Buffer.from(content);
}

function localBytes(entry: OddEntry): Buffer {
  const { descriptor = 16, method = 8, isLocalZip64 = false } = entry;
  const name = Buffer.from(entry.name);
  const data = dataOf(entry);
  const crc = entry.crc ?? crc32(entry.content);
  const bytes = Buffer.byteLength(entry.content);
  const isKnown = descriptor === 0;
  const extra = isLocalZip64 ? fields([2, 1], [2, 16], [8, bytes], [8, data.length]) : Buffer.alloc(0);
  const size = (value: number): Field => [4, isLocalZip64 ? 0xffffffff : isKnown ? value : 0];
  const flags = flagsOf(entry);
  const head = fields([4, 0x04034b50], [2, 20], [2, flags], [2, method], [4, 0], [4, isKnown ? crc : 0]);
  const rest = fields(size(data.length), size(bytes), [2, name.length], [2, extra.length]);
  return Buffer.concat([head, rest, name, extra, data, descriptorBytes(descriptor, crc, data.length, bytes)]);
}

function flagsOf({ name, descriptor = 16, flags }: OddEntry): number {
  return flags ?? (descriptor === 0 ? 0 : 8) + (/[^\u0000-\u007f]/.test(name) ? 0x0800 : 0);
}

function descriptorBytes(length: 0 | 12 | 16 | 20 | 24, crc: number, compressed: number, bytes: number): Buffer {
  if (length === 0) return Buffer.alloc(0);
  const signature = length === 16 || length === 24 ? fields([4, 0x08074b50]) : Buffer.alloc(0);
  const width = length >= 20 ? 8 : 4;
  return Buffer.concat([signature, fields([4, crc], [width, compressed], [width, bytes])]);
}

function centralBytes(entry: OddEntry, localOffset: number): Buffer {
  const { central = {}, method = 8, isZip64 = false } = entry;
  const name = Buffer.from(central.name ?? entry.name);
  const compressed = dataOf(entry).length;
  const bytes = central.bytes ?? Buffer.byteLength(entry.content);
  const offset = central.offset ?? localOffset;
  const extra = isZip64 ? fields([2, 1], [2, 24], [8, bytes], [8, compressed], [8, offset]) : Buffer.alloc(0);
  const size = (value: number): Field => [4, isZip64 ? 0xffffffff : value];
  const crc = central.crc ?? entry.crc ?? crc32(entry.content);
  return Buffer.concat([
    fields([4, 0x02014b50], [2, 20], [2, isZip64 ? 45 : 20], [2, flagsOf(entry)], [2, method], [4, 0], [4, crc]),
    fields(size(compressed), size(bytes), [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
    fields([4, offset]),
    name,
    extra,
  ]);
}

function endBytes(count: number, length: number, offset: number, odd: OddArchive): Buffer {
  const comment = Buffer.from(odd.comment ?? '');
  const counted = odd.count ?? count;
  const end = (entries: number, bytes: number, at: number) =>
    fields([4, 0x06054b50], [4, 0], [2, entries], [2, entries], [4, bytes], [4, at], [2, comment.length]);
  if (!odd.hasZip64End) return Buffer.concat([end(counted, length, offset), comment]);
  const wide = fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, counted], [8, counted]);
  const place = fields([8, length], [8, offset]);
  const locator = fields([4, 0x07064b50], [4, 0], [8, offset + length], [4, 1]);
  return Buffer.concat([wide, place, locator, end(0xffff, 0xffffffff, 0xffffffff), comment]);
}

type Field = readonly [width: 2 | 4 | 8, value: number];

function fields(...all: readonly Field[]): Buffer {
  return Buffer.concat(
    all.map(([width, value]) => {
      const field = Buffer.alloc(8);
      field.writeBigUInt64LE(BigInt(value));
      return field.subarray(0, width);
    }),
  );
}
