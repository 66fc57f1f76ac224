import { isUtf8 } from 'node:buffer';
import { ArchiveFault } from './verdict.ts';

export const SIGNATURES = {
  localHeader: 0x04034b50,
  descriptor: 0x08074b50,
  centralRecord: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
} as const;

/** Lengths of the fixed parts in bytes, including the signature. */
export const RECORD_BYTES = { local: 30, central: 46, zip64End: 56, zip64Locator: 20, end: 22 } as const;

/** The first version with zip64, and the highest that every reader supports. */
export const ZIP64_VERSION = 45;

const IS_ENCRYPTED = 0x0001;
const HAS_DESCRIPTOR = 0x0008;
const IS_UTF8 = 0x0800;
/** The compression level, which readers ignore. */
const DEFLATE_LEVEL = 0x0006;

/** The fields that local header and directory have in common. Sizes in bytes. */
export interface EntryFields {
  readonly name: string;
  /** One character per byte, to compare names that are not valid UTF-8. */
  readonly nameBytes: string;
  /** The version that a reader needs. */
  readonly needed: number;
  readonly flags: number;
  readonly method: number;
  /** Raw time and date. */
  readonly modified: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly isZip64: boolean;
  /** What different readers may interpret differently, each as the end of a sentence about the entry. */
  readonly flaws: readonly string[];
}

export interface LocalHeader extends EntryFields {
  /** CRC and sizes follow the data. In the header they may be zero. */
  readonly hasDescriptor: boolean;
  readonly isEncrypted: boolean;
}

export interface CentralRecord extends EntryFields {
  readonly localOffset: number;
  readonly hasComment: boolean;
}

/** Lengths of name and extra field after the fixed part. */
export function localTail(fixed: Buffer): readonly [number, number] {
  return [fixed.readUInt16LE(26), fixed.readUInt16LE(28)];
}

/** Lengths of name, extra field and comment after the fixed part. */
export function centralTail(fixed: Buffer): readonly [number, number, number] {
  return [fixed.readUInt16LE(28), fixed.readUInt16LE(30), fixed.readUInt16LE(32)];
}

export function readLocalHeader(fixed: Buffer, name: Buffer, extraField: Buffer): LocalHeader {
  const common = readCommon(fixed, 4, name);
  const extra = readExtra(extraField);
  const sizes = widenFields([fixed.readUInt32LE(22), fixed.readUInt32LE(18)], extra.zip64);
  const [bytes = 0, compressedBytes = 0] = sizes.values;
  return {
    ...common,
    compressedBytes,
    bytes,
    isZip64: sizes.isZip64,
    flaws: definedFlaws([...common.flaws, extra.flaw ?? sizes.flaw]),
    hasDescriptor: (common.flags & HAS_DESCRIPTOR) !== 0,
    isEncrypted: (common.flags & IS_ENCRYPTED) !== 0,
  };
}

export function readCentralRecord(fixed: Buffer, tail: Buffer): CentralRecord {
  const [nameLength, extraLength] = centralTail(fixed);
  const common = readCommon(fixed, 6, tail.subarray(0, nameLength));
  const extra = readExtra(tail.subarray(nameLength, nameLength + extraLength));
  const comment = tail.subarray(nameLength + extraLength);
  const narrow = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)];
  const sizes = widenFields(narrow, extra.zip64);
  const [bytes = 0, compressedBytes = 0, localOffset = 0] = sizes.values;
  const hazard = commentProblem(comment);
  return {
    ...common,
    compressedBytes,
    bytes,
    isZip64: sizes.isZip64,
    flaws: definedFlaws([
      ...common.flaws,
      extra.flaw ?? sizes.flaw,
      fixed.readUInt16LE(34) === 0 ? undefined : 'is listed on another disk',
      fileAttributesFlaw({
        madeBy: fixed.readUInt16LE(4),
        internal: fixed.readUInt16LE(36),
        external: fixed.readUInt32LE(38),
      }),
      hazard === undefined ? undefined : `has a comment that ${hazard}`,
    ]),
    localOffset,
    hasComment: comment.length > 0,
  };
}

/** Reads the common fields, which start two bytes later in the directory. */
function readCommon(fixed: Buffer, at: 4 | 6, name: Buffer) {
  const needed = fixed.readUInt16LE(at);
  const flags = fixed.readUInt16LE(at + 2);
  const nameBytes = name.toString('latin1');
  return {
    name: name.toString('utf8'),
    nameBytes,
    needed,
    flags,
    method: fixed.readUInt16LE(at + 4),
    modified: fixed.readUInt32LE(at + 6),
    crc: fixed.readUInt32LE(at + 10),
    flaws: [
      needed > ZIP64_VERSION ? 'needs a version that not every reader supports' : undefined,
      (flags & ~(IS_ENCRYPTED | HAS_DESCRIPTOR | IS_UTF8 | DEFLATE_LEVEL)) === 0
        ? undefined
        : 'has a flag that readers interpret differently',
      // Without the flag, readers decode bytes over 127 differently.
      (flags & IS_UTF8) === 0 && /[^\u0000-\u007f]/.test(nameBytes)
        ? 'has a name that readers decode differently'
        : undefined,
    ],
  };
}

function definedFlaws(flaws: readonly (string | undefined)[]): readonly string[] {
  return flaws.filter(flaw => flaw !== undefined);
}

export function newStructureFault(reason: string, byteOffset: number): ArchiveFault {
  return new ArchiveFault('structure', reason, byteOffset);
}

export function crcHex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** Systems with known attributes: FAT, Unix, Macintosh, NTFS (two numbers), OS X. */
const KNOWN_SYSTEMS: ReadonlySet<number> = new Set([0, 3, 7, 10, 11, 14, 19]);
/** Volume label, directory, device, reparse point. */
const NOT_A_FILE = 0x0458;
const UNIX_TYPE_SHIFT = 28;
const UNIX_REGULAR = 0x8;
const IS_TEXT = 0x0001;

interface Attributes {
  /** The system in the upper byte. */
  readonly madeBy: number;
  readonly internal: number;
  readonly external: number;
}

/** Why some reader may not see a plain file, as the end of a sentence; undefined otherwise. */
function fileAttributesFlaw({ madeBy, internal, external }: Attributes): string | undefined {
  if (!KNOWN_SYSTEMS.has(madeBy >>> 8)) return 'was created on a system with unknown attributes';
  const type = external >>> UNIX_TYPE_SHIFT;
  const isFile = (type === 0 || type === UNIX_REGULAR) && (external & NOT_A_FILE) === 0;
  if (!isFile) return 'is marked as a link, a directory or a device';
  return (internal & ~IS_TEXT) === 0 ? undefined : 'has an attribute for bytes between lines';
}

/** The extra fields of a record, and the problem with them, as the end of a sentence. */
interface Extra {
  /** Content of the zip64 field; empty when there is none. */
  readonly zip64: Buffer;
  readonly flaw: string | undefined;
}

const ZIP64 = 0x0001;
/** Fields with times and owners (NTFS, extended timestamp, three of Info-ZIP) and the mark of `jar`. */
const HARMLESS: ReadonlySet<number> = new Set([0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0xcafe]);
const HEAD_BYTES = 4;
const MAX_UINT32 = 0xffffffff;

/** Checks extra fields: they must fit exactly, be unique and give no other name or content. */
function readExtra(extra: Buffer): Extra {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < extra.length; ) {
    if (at + HEAD_BYTES > extra.length) return flawedExtraFields('has an extra field that is cut off');
    const id = extra.readUInt16LE(at);
    const end = at + HEAD_BYTES + extra.readUInt16LE(at + 2);
    if (end > extra.length) return flawedExtraFields('has an extra field that is cut off');
    if (fields.has(id)) return flawedExtraFields(`has the extra field ${fieldIdText(id)} twice`);
    if (id !== ZIP64 && !HARMLESS.has(id)) {
      return flawedExtraFields(`has the extra field ${fieldIdText(id)}, which can give it another name or content`);
    }
    fields.set(id, extra.subarray(at + HEAD_BYTES, end));
    at = end;
  }
  return { zip64: fields.get(ZIP64) ?? Buffer.alloc(0), flaw: undefined };
}

interface WidenedFields {
  readonly values: readonly number[];
  readonly isZip64: boolean;
  readonly flaw: string | undefined;
}

/**
 * Replaces 32-bit fields at their maximum, in order, with those of the zip64 extra field. It must contain exactly those, or
 * all fields (as Go writes it) with correct values, so that all readers get the same result.
 */
function widenFields(narrow: readonly number[], wide: Buffer): WidenedFields {
  let next = 0;
  const values = narrow.map(value => {
    if (value !== MAX_UINT32) return value;
    next += 8;
    return next > wide.length ? value : Number(wide.readBigUInt64LE(next - 8));
  });
  const isAll = wide.length === values.length * 8;
  const isRight = isAll
    ? values.every((value, index) => value === Number(wide.readBigUInt64LE(index * 8)))
    : next === wide.length;
  const flaw = isRight ? undefined : 'has a zip64 field that does not match its sizes';
  return { values, isZip64: wide.length > 0, flaw };
}

function flawedExtraFields(flaw: string): Extra {
  return { zip64: Buffer.alloc(0), flaw };
}

function fieldIdText(id: number): string {
  return `0x${id.toString(16).padStart(4, '0')}`;
}

const RECORD_MARK = /PK(?:\u0001\u0002|\u0003\u0004|\u0005\u0006|\u0006\u0006|\u0006\u0007|\u0007\u0008)/;
const ERROR_TEXT = /\{\s*"|\berror\b/i;

/**
 * Why a comment is dangerous, as the end of a sentence; undefined otherwise. A reader that starts from the end may find a
 * record in it, the appended error of a node may be hidden in it, and Java rejects comments that are not UTF-8.
 */
export function commentProblem(comment: Buffer): string | undefined {
  if (hasRecordSignature(comment)) return 'contains the signature of a record';
  if (!isUtf8(comment)) return 'is not UTF-8';
  return ERROR_TEXT.test(comment.toString('latin1')) ? 'contains an error, or the start of one' : undefined;
}

export function hasRecordSignature(bytes: Buffer): boolean {
  return RECORD_MARK.test(bytes.toString('latin1'));
}
