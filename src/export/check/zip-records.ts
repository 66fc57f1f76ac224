import { ArchiveFault } from './verdict.ts';
import { attributesFlaw } from './zip-attributes.ts';
import { commentHazard } from './zip-comment.ts';
import { readExtra, widened } from './zip-extra.ts';

export const SIGNATURES = {
  localHeader: 0x04034b50,
  descriptor: 0x08074b50,
  centralRecord: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
} as const;

/** Lengths of the fixed parts; the four bytes of the signature are in them. */
export const RECORD_BYTES = { local: 30, central: 46, zip64End: 56, zip64Locator: 20, end: 22 } as const;

/** The lowest version that knows zip64, and the highest that every reader unpacks. */
export const ZIP64_VERSION = 45;

const IS_ENCRYPTED = 0x0001;
const HAS_DESCRIPTOR = 0x0008;
const IS_UTF8 = 0x0800;
/** How hard the data was deflated says nothing about how to read it. */
const DEFLATE_LEVEL = 0x0006;

/** What the local header and the directory both say of an entry. Sizes in bytes. */
export interface EntryFacts {
  readonly name: string;
  /** A character a byte: two names that are no UTF-8 may differ in nothing else. */
  readonly nameBytes: string;
  /** The version that a reader has to have. */
  readonly needed: number;
  readonly flags: number;
  readonly method: number;
  /** Time and date as they stand there. */
  readonly modified: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly isZip64: boolean;
  /** What readers may take in different ways, each the end of a sentence about the entry. */
  readonly flaws: readonly string[];
}

export interface LocalHeader extends EntryFacts {
  /** CRC and sizes follow the data; those here may be zero. */
  readonly hasDescriptor: boolean;
  readonly isEncrypted: boolean;
}

export interface CentralRecord extends EntryFacts {
  readonly localOffset: number;
  readonly hasComment: boolean;
}

/** Lengths of the name, extra field and comment after the fixed part. */
export function localTail(fixed: Buffer): readonly [number, number] {
  return [fixed.readUInt16LE(26), fixed.readUInt16LE(28)];
}

export function centralTail(fixed: Buffer): readonly [number, number, number] {
  return [fixed.readUInt16LE(28), fixed.readUInt16LE(30), fixed.readUInt16LE(32)];
}

export function readLocalHeader(fixed: Buffer, name: Buffer, extraField: Buffer): LocalHeader {
  const common = readCommon(fixed, 4, name);
  const extra = readExtra(extraField);
  const sizes = widened([fixed.readUInt32LE(22), fixed.readUInt32LE(18)], extra.zip64);
  const [bytes = 0, compressedBytes = 0] = sizes.values;
  return {
    ...common,
    compressedBytes,
    bytes,
    isZip64: sizes.isZip64,
    flaws: present([...common.flaws, extra.flaw ?? sizes.flaw]),
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
  const sizes = widened(narrow, extra.zip64);
  const [bytes = 0, compressedBytes = 0, localOffset = 0] = sizes.values;
  const hazard = commentHazard(comment);
  return {
    ...common,
    compressedBytes,
    bytes,
    isZip64: sizes.isZip64,
    flaws: present([
      ...common.flaws,
      extra.flaw ?? sizes.flaw,
      fixed.readUInt16LE(34) === 0 ? undefined : 'is said to begin on another disk',
      attributesFlaw({
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

/** The part that both records have; in the directory it begins two bytes later. */
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
      needed > ZIP64_VERSION ? 'needs a version that not every reader has' : undefined,
      (flags & ~(IS_ENCRYPTED | HAS_DESCRIPTOR | IS_UTF8 | DEFLATE_LEVEL)) === 0
        ? undefined
        : 'has a flag that readers take in different ways',
      // Without the flag each reader has its own idea of bytes over 127.
      (flags & IS_UTF8) === 0 && /[^\u0000-\u007f]/.test(nameBytes)
        ? 'has a name that readers decode in different ways'
        : undefined,
    ],
  };
}

function present(flaws: readonly (string | undefined)[]): readonly string[] {
  return flaws.filter(flaw => flaw !== undefined);
}

export function structureFault(reason: string, byteOffset: number): ArchiveFault {
  return new ArchiveFault('structure', reason, byteOffset);
}

export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
