import { ArchiveFault } from './verdict.ts';

export const signatures = {
  localHeader: 0x04034b50,
  descriptor: 0x08074b50,
  centralRecord: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
} as const;

/** Lengths of the fixed parts; the four bytes of the signature are in them. */
export const recordBytes = { local: 30, central: 46, zip64End: 56, zip64Locator: 20, end: 22 } as const;

const isEncrypted = 0x0001;
const hasDescriptor = 0x0008;
const max32 = 0xffffffff;

/** The part of a record that says what an entry is. Sizes in bytes. */
export interface EntryFacts {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

export interface LocalHeader extends EntryFacts {
  /** CRC and sizes follow the data; those here may be zero. */
  readonly hasDescriptor: boolean;
  readonly isEncrypted: boolean;
}

export interface CentralRecord extends EntryFacts {
  readonly localOffset: number;
}

/** What an end record says of the directory; with zip64 the values come from its 64-bit twin. */
export interface EndRecord {
  readonly entries: number;
  readonly directoryBytes: number;
  readonly directoryOffset: number;
  readonly isOneDisk: boolean;
}

/** Lengths of the name, extra field and comment after the fixed part. */
export function localTail(fixed: Buffer): readonly [number, number] {
  return [fixed.readUInt16LE(26), fixed.readUInt16LE(28)];
}

export function centralTail(fixed: Buffer): readonly [number, number, number] {
  return [fixed.readUInt16LE(28), fixed.readUInt16LE(30), fixed.readUInt16LE(32)];
}

export function readLocalHeader(fixed: Buffer, name: Buffer, extra: Buffer): LocalHeader {
  const flags = fixed.readUInt16LE(6);
  const [bytes, compressedBytes] = widened([fixed.readUInt32LE(22), fixed.readUInt32LE(18)], extra);
  return {
    name: name.toString('utf8'),
    method: fixed.readUInt16LE(8),
    crc: fixed.readUInt32LE(14),
    compressedBytes: compressedBytes ?? 0,
    bytes: bytes ?? 0,
    hasDescriptor: (flags & hasDescriptor) !== 0,
    isEncrypted: (flags & isEncrypted) !== 0,
  };
}

export function readCentralRecord(fixed: Buffer, name: Buffer, extra: Buffer): CentralRecord {
  const narrow = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)];
  const [bytes, compressedBytes, localOffset] = widened(narrow, extra);
  return {
    name: name.toString('utf8'),
    method: fixed.readUInt16LE(10),
    crc: fixed.readUInt32LE(16),
    compressedBytes: compressedBytes ?? 0,
    bytes: bytes ?? 0,
    localOffset: localOffset ?? 0,
  };
}

export function readZip64End(record: Buffer): EndRecord {
  return {
    isOneDisk: record.readUInt32LE(16) === 0 && record.readUInt32LE(20) === 0,
    entries: Number(record.readBigUInt64LE(32)),
    directoryBytes: Number(record.readBigUInt64LE(40)),
    directoryOffset: Number(record.readBigUInt64LE(48)),
  };
}

/** The 32-bit record; a field at its maximum defers to `zip64`. */
export function readEnd(record: Buffer, zip64: EndRecord | undefined): EndRecord {
  const entries = record.readUInt16LE(10);
  const directoryBytes = record.readUInt32LE(12);
  const directoryOffset = record.readUInt32LE(16);
  const disks = [record.readUInt16LE(4), record.readUInt16LE(6)];
  return {
    isOneDisk: disks.every(disk => disk === 0 || (zip64?.isOneDisk && disk === 0xffff)),
    entries: entries === 0xffff && zip64 ? zip64.entries : entries,
    directoryBytes: directoryBytes === max32 && zip64 ? zip64.directoryBytes : directoryBytes,
    directoryOffset: directoryOffset === max32 && zip64 ? zip64.directoryOffset : directoryOffset,
  };
}

/** The forms of a data descriptor: 64-bit sizes are announced nowhere before the data (Go's archive/zip). */
const descriptorForms = [
  { length: 16, hasSignature: true, is64: false },
  { length: 24, hasSignature: true, is64: true },
  { length: 12, hasSignature: false, is64: false },
  { length: 20, hasSignature: false, is64: true },
] as const;

export interface Descriptor {
  readonly length: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

/** Longest descriptor and the signature of the record behind it. */
export const descriptorWindow = 28;

/**
 * The descriptor at the start of `window`: the form that agrees with what was streamed and is followed by a
 * record; failing that, the form that is at least followed by a record. At the end of a body the record may be missing.
 */
export function readDescriptor(window: Buffer, streamed: Omit<Descriptor, 'length'>): Descriptor | undefined {
  const found = descriptorForms.flatMap(form => {
    if (window.length < form.length) return [];
    if (form.hasSignature && window.readUInt32LE(0) !== signatures.descriptor) return [];
    return [{ ...readForm(window, form), isFollowed: isRecordAt(window, form.length) }];
  });
  const agreeing = found.filter(({ crc, compressedBytes, bytes }) => {
    return crc === streamed.crc && compressedBytes === streamed.compressedBytes && bytes === streamed.bytes;
  });
  return (
    agreeing.find(form => form.isFollowed) ??
    agreeing.find(form => window.length < form.length + 4) ??
    found.find(form => form.isFollowed)
  );
}

function readForm(window: Buffer, form: (typeof descriptorForms)[number]): Descriptor {
  const from = form.hasSignature ? 4 : 0;
  const sizes = form.is64
    ? {
        compressedBytes: Number(window.readBigUInt64LE(from + 4)),
        bytes: Number(window.readBigUInt64LE(from + 12)),
      }
    : { compressedBytes: window.readUInt32LE(from + 4), bytes: window.readUInt32LE(from + 8) };
  return { length: form.length, crc: window.readUInt32LE(from), ...sizes };
}

function isRecordAt(window: Buffer, offset: number): boolean {
  if (window.length < offset + 4) return false;
  const signature = window.readUInt32LE(offset);
  return signature === signatures.localHeader || signature === signatures.centralRecord;
}

/** 32-bit fields at their maximum are replaced, in order, by those of the zip64 extra field (id 1). */
function widened(narrow: readonly number[], extra: Buffer): readonly number[] {
  const wide = zip64Fields(extra);
  let next = 0;
  return narrow.map(value => {
    if (value !== max32 || wide.length < next + 8) return value;
    next += 8;
    return Number(wide.readBigUInt64LE(next - 8));
  });
}

function zip64Fields(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  }
  return extra.subarray(0, 0);
}

export function structureFault(reason: string, byteOffset: number): ArchiveFault {
  return new ArchiveFault('structure', reason, byteOffset);
}

export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
