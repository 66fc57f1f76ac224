import { crc32, deflateRawSync } from 'node:zlib';

/** The numbers of a record in the order in which they stand; names of the ZIP specification, shortened. */
export type Record<Name extends string> = { -readonly [N in Name]: number };

export interface Layout<Name extends string> {
  readonly signature: number;
  readonly fields: readonly (readonly [name: Name, width: 2 | 4 | 8])[];
}

type LocalField = 'needed' | 'flags' | 'method' | 'modified' | 'crc' | 'compressed' | 'plain';
type CentralField = LocalField | 'madeBy' | 'disk' | 'internal' | 'external' | 'offset';
type EndField = 'disk' | 'startDisk' | 'here' | 'entries' | 'bytes' | 'offset';
type Zip64Field = EndField | 'length' | 'madeBy' | 'needed';
type LocatorField = 'disk' | 'offset' | 'disks';

/** An archive as its records: what is written is what stands here, right or wrong. */
export interface Archive {
  before: Buffer;
  readonly entries: Local[];
  readonly directory: Central[];
  zip64: { readonly record: Record<Zip64Field>; readonly locator: Record<LocatorField> } | undefined;
  readonly end: Record<EndField>;
  comment: Buffer;
  after: Buffer;
}

export interface Local {
  readonly record: Record<LocalField>;
  name: Buffer;
  extra: Buffer;
  data: Buffer;
  /** Signature, CRC and sizes behind the data, if any. */
  descriptor: Buffer;
}

export interface Central {
  readonly record: Record<CentralField>;
  name: Buffer;
  extra: Buffer;
  comment: Buffer;
}

/** How a writer may write an entry. */
export interface EntryStyle {
  readonly name: string;
  readonly content: Buffer;
  readonly isStored: boolean;
  readonly descriptorBytes: 0 | 12 | 16 | 20 | 24;
  readonly isZip64: boolean;
}

const max32 = 0xffffffff;

export function archiveOf(styles: readonly EntryStyle[], isZip64End: boolean): Archive {
  const archive: Archive = {
    before: Buffer.alloc(0),
    entries: styles.map(localOf),
    directory: styles.map(centralOf),
    zip64: isZip64End
      ? {
          record: {
            length: 44,
            madeBy: 45,
            needed: 45,
            disk: 0,
            startDisk: 0,
            here: 0,
            entries: 0,
            bytes: 0,
            offset: 0,
          },
          locator: { disk: 0, offset: 0, disks: 1 },
        }
      : undefined,
    end: { disk: 0, startDisk: 0, here: 0, entries: 0, bytes: 0, offset: 0 },
    comment: Buffer.alloc(0),
    after: Buffer.alloc(0),
  };
  settlePlaces(archive);
  return archive;
}

/** Makes offsets, lengths and counts true again, as a writer would that knows of everything in the archive. */
export function settlePlaces(archive: Archive): void {
  let offset = archive.before.length;
  for (const [index, local] of archive.entries.entries()) {
    const central = archive.directory[index];
    if (central) central.record.offset = offset;
    offset += localBytes(local).length;
  }
  const bytes = archive.directory.reduce((sum, central) => sum + centralBytes(central).length, 0);
  const entries = archive.directory.length;
  const truth = { here: entries, entries, bytes, offset };
  Object.assign(archive.end, truth);
  if (!archive.zip64) return;
  Object.assign(archive.zip64.record, truth);
  archive.zip64.locator.offset = offset + bytes;
  Object.assign(archive.end, { here: 0xffff, entries: 0xffff, bytes: max32, offset: max32 });
}

/** The archive in the pieces in which it is written. */
export function piecesOf({ before, entries, directory, zip64, end, comment, after }: Archive): readonly Buffer[] {
  const wide = zip64 ? [written(layouts.zip64, zip64.record), written(layouts.locator, zip64.locator)] : [];
  const last = Buffer.concat([written(layouts.end, end), numbered(comment.length, 2), comment]);
  return [before, ...entries.map(localBytes), ...directory.map(centralBytes), ...wide, last, after];
}

export function localBytes({ record, name, extra, data, descriptor }: Local): Buffer {
  const lengths = Buffer.concat([numbered(name.length, 2), numbered(extra.length, 2)]);
  return Buffer.concat([written(layouts.local, record), lengths, name, extra, data, descriptor]);
}

export function centralBytes({ record, name, extra, comment }: Central): Buffer {
  const fixed = written(layouts.central, record);
  const lengths = Buffer.concat([name, extra, comment].map(part => numbered(part.length, 2)));
  // The three lengths stand before the last four fields, which take 12 bytes.
  return Buffer.concat([fixed.subarray(0, 28), lengths, fixed.subarray(28), name, extra, comment]);
}

/** One extra field. */
export function extraField(id: number, content: Buffer): Buffer {
  return Buffer.concat([numbered(id, 2), numbered(content.length, 2), content]);
}

export function numbered(value: number, width: 1 | 2 | 4 | 8): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return bytes.subarray(0, width);
}

const common = [
  ['needed', 2],
  ['flags', 2],
  ['method', 2],
  ['modified', 4],
  ['crc', 4],
  ['compressed', 4],
  ['plain', 4],
] as const;

const place = [
  ['bytes', 4],
  ['offset', 4],
] as const;

const layouts = {
  local: { signature: 0x04034b50, fields: common } satisfies Layout<LocalField>,
  central: {
    signature: 0x02014b50,
    fields: [['madeBy', 2], ...common, ['disk', 2], ['internal', 2], ['external', 4], ['offset', 4]],
  } satisfies Layout<CentralField>,
  zip64: {
    signature: 0x06064b50,
    fields: [
      ['length', 8],
      ['madeBy', 2],
      ['needed', 2],
      ['disk', 4],
      ['startDisk', 4],
      ['here', 8],
      ['entries', 8],
      ['bytes', 8],
      ['offset', 8],
    ],
  } satisfies Layout<Zip64Field>,
  locator: {
    signature: 0x07064b50,
    fields: [
      ['disk', 4],
      ['offset', 8],
      ['disks', 4],
    ],
  } satisfies Layout<LocatorField>,
  end: {
    signature: 0x06054b50,
    fields: [['disk', 2], ['startDisk', 2], ['here', 2], ['entries', 2], ...place],
  } satisfies Layout<EndField>,
} as const;

function written<Name extends string>({ signature, fields }: Layout<Name>, record: Record<Name>): Buffer {
  return Buffer.concat([numbered(signature, 4), ...fields.map(([name, width]) => numbered(record[name], width))]);
}

function truthOf({ content, isStored }: EntryStyle) {
  const data = isStored ? content : deflateRawSync(content);
  return { data, crc: crc32(content), compressed: data.length, plain: content.length };
}

function commonOf({ isStored, descriptorBytes }: EntryStyle) {
  return { needed: 20, flags: descriptorBytes === 0 ? 0 : 8, method: isStored ? 0 : 8, modified: 0x00210000 };
}

function localOf(style: EntryStyle): Local {
  const { data, crc, compressed, plain } = truthOf(style);
  const isWide = style.isZip64 && style.descriptorBytes === 0;
  const known = isWide ? { crc, compressed: max32, plain: max32 } : { crc, compressed, plain };
  const sizes = style.descriptorBytes === 0 ? known : { crc: 0, compressed: 0, plain: 0 };
  const width = style.descriptorBytes >= 20 ? 8 : 4;
  const signature = style.descriptorBytes % 8 === 0 ? [numbered(0x08074b50, 4)] : [];
  const facts = [numbered(crc, 4), numbered(compressed, width), numbered(plain, width)];
  return {
    record: { ...commonOf(style), ...sizes, ...(isWide && { needed: 45 }) },
    name: Buffer.from(style.name),
    extra: isWide ? extraField(1, Buffer.concat([numbered(plain, 8), numbered(compressed, 8)])) : Buffer.alloc(0),
    data,
    descriptor: style.descriptorBytes === 0 ? Buffer.alloc(0) : Buffer.concat([...signature, ...facts]),
  };
}

function centralOf(style: EntryStyle): Central {
  const { crc, compressed, plain } = truthOf(style);
  const sizes = style.isZip64 ? { compressed: max32, plain: max32 } : { compressed, plain };
  return {
    record: {
      ...commonOf(style),
      ...(style.isZip64 && { needed: 45 }),
      crc,
      ...sizes,
      madeBy: 20,
      disk: 0,
      internal: 0,
      external: 0,
      offset: 0,
    },
    name: Buffer.from(style.name),
    extra: style.isZip64
      ? extraField(1, Buffer.concat([numbered(plain, 8), numbered(compressed, 8)]))
      : Buffer.alloc(0),
    comment: Buffer.alloc(0),
  };
}
