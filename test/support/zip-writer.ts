import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly text: string;
}

const signatures = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  end: 0x06054b50,
} as const;
const versionNeeded = 20;
const utf8Names = 0x0800;
const sizesFollow = 0x0008;
const deflated = 8;
/** 1980-01-01, the first day a ZIP can name. */
const dosDate = 0x0021;

/**
 * A ZIP archive. With `sizesAfterData` checksum and sizes come in a descriptor behind each entry's data, as from a
 * writer that streams; else in the header before it.
 */
export function zipArchive(entries: readonly ZipEntry[], sizesAfterData = false): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = pack(entry, sizesAfterData);
    directory.push(centralRecord(packed, offset));
    for (const part of entryParts(packed, sizesAfterData)) {
      parts.push(part);
      offset += part.length;
    }
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, endRecord(entries.length, central.length, offset)]);
}

interface PackedEntry {
  readonly name: Buffer;
  readonly data: Buffer;
  /** crc, packed size, plain size: the same twelve bytes in all three records. */
  readonly sizes: Buffer;
  readonly flags: number;
}

function pack({ name, text }: ZipEntry, sizesAfterData: boolean): PackedEntry {
  const plain = Buffer.from(text);
  const data = deflateRawSync(plain);
  return {
    name: Buffer.from(name),
    data,
    sizes: Buffer.concat([u32(crc32(plain)), u32(data.length), u32(plain.length)]),
    flags: utf8Names | (sizesAfterData ? sizesFollow : 0),
  };
}

function entryParts(entry: PackedEntry, sizesAfterData: boolean): readonly Buffer[] {
  const { name, data, sizes } = entry;
  const header = Buffer.concat([
    u32(signatures.local),
    commonFields(entry.flags),
    sizesAfterData ? Buffer.alloc(sizes.length) : sizes,
    u16(name.length, 0),
    name,
  ]);
  return sizesAfterData ? [header, data, u32(signatures.descriptor), sizes] : [header, data];
}

function centralRecord({ name, sizes, flags }: PackedEntry, offset: number): Buffer {
  const made = u16(versionNeeded);
  const noExtraCommentDiskAttributes = u16(0, 0, 0, 0);
  return Buffer.concat([
    u32(signatures.central),
    made,
    commonFields(flags),
    sizes,
    u16(name.length),
    noExtraCommentDiskAttributes,
    u32(0),
    u32(offset),
    name,
  ]);
}

function endRecord(entries: number, directorySize: number, directoryOffset: number): Buffer {
  return Buffer.concat([
    u32(signatures.end),
    u16(0, 0, entries, entries),
    u32(directorySize),
    u32(directoryOffset),
    u16(0),
  ]);
}

function commonFields(flags: number): Buffer {
  return u16(versionNeeded, flags, deflated, 0, dosDate);
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeUInt16LE(value, index * 2);
  });
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
