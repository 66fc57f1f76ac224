import type { ByteFeed } from './byte-feed.ts';
import type { EntryCheck } from './entry-check.ts';
import type { StreamedData } from './entry-data.ts';
import type { EntryReadAhead } from './read-ahead.ts';
import { ArchiveFault, type Finding } from './verdict.ts';
import {
  type CentralRecord,
  centralTail,
  commentProblem,
  type EntryFields,
  hasRecordSignature,
  type LocalHeader,
  newStructureFault,
  RECORD_BYTES,
  readCentralRecord,
  SIGNATURES,
  ZIP64_VERSION,
} from './zip-records.ts';

export interface ZipVisitor extends DirectoryVisitor {
  /** The walk reached this entry, whose check may have started before. Throws to stop the walk. */
  entryStarted(header: LocalHeader, check: EntryCheck, byteOffset: number): void;
  /** The entry was read to the end. `findings` are contradictions within the archive. */
  entryEnded(streamed: StreamedData, findings: readonly Finding[]): void;
}

/**
 * Reads an archive from the position of the feed to its end record, and resolves with the feed at that point. Smaller
 * faults go to the visitor. Throws ArchiveFault when the rest cannot be read.
 */
export async function walkZip(feed: ByteFeed, ahead: EntryReadAhead, visitor: ZipVisitor): Promise<ByteFeed> {
  const walked: ReadEntry[] = [];
  let last = feed;
  while (!(await isAfterEntries(last))) {
    const run = ahead.enter(last);
    const { localOffset } = run;
    const { header, check } = await run.started;
    visitor.entryStarted(header, check, localOffset);
    const { streamed, findings } = await run.ended;
    visitor.entryEnded(streamed, findings);
    walked.push({ header, streamed, localOffset });
    last = run.feed;
  }
  await walkDirectory(last, walked, visitor);
  return last;
}

/** False also at the end of the body, where an archive was cut within an entry. */
async function isAfterEntries(feed: ByteFeed): Promise<boolean> {
  const start = await feed.peek(4);
  return start.length === 4 && start.readUInt32LE() !== SIGNATURES.localHeader;
}

/** An entry that was read: its header, and the facts of its data. */
interface ReadEntry {
  readonly header: LocalHeader;
  readonly streamed: StreamedData;
  readonly localOffset: number;
}

interface DirectoryVisitor {
  /** The directory contradicts the entry with this index. */
  disagreed(entry: number, finding: Finding): void;
  /** The end record contradicts the directory. */
  found(finding: Finding): void;
  /** A remark that is not a fault, as one sentence. */
  noted(note: string): void;
}

/**
 * Reads the central directory and the end records. Many readers start from the end and see nothing else, so both must
 * match exactly the entries read, in the same order, without gaps.
 */
async function walkDirectory(feed: ByteFeed, walked: readonly ReadEntry[], visitor: DirectoryVisitor): Promise<void> {
  const offset = feed.position;
  let entries = 0;
  let commented = 0;
  let tail: Buffer = Buffer.alloc(0);
  for (; await isAtDirectoryRecord(feed); entries++) {
    const byteOffset = feed.position;
    const entry = walked[entries];
    if (!entry) throw new ArchiveFault('directory', 'The directory lists more entries than there are.', byteOffset);
    const fixed = await feed.take(RECORD_BYTES.central);
    const rest = await feed.take(centralTail(fixed).reduce((sum, length) => sum + length));
    const record = readCentralRecord(fixed, rest);
    const reason = directoryDifference(record, entry);
    if (reason) visitor.disagreed(entries, { fault: 'directory', reason, at: { byteOffset } });
    if (record.hasComment) commented++;
    tail = Buffer.concat([fixed, rest]).subarray(-RECORD_BYTES.zip64Locator);
  }
  const byteOffset = feed.position;
  const end = await readEndRecords(feed, { entries, offset, bytes: byteOffset - offset, tail });
  for (const [index, { header, localOffset }] of walked.entries()) {
    if (index < entries) continue;
    const reason = `The directory does not list ${header.name}.`;
    visitor.disagreed(index, { fault: 'directory', reason, at: { byteOffset: localOffset } });
  }
  if (end.reason) visitor.found({ fault: 'directory', reason: end.reason, at: { byteOffset } });
  if (end.commentBytes > 0) visitor.noted(`The archive has a comment of ${end.commentBytes} bytes; nodes write none.`);
  if (commented > 0) visitor.noted(`Entries with a comment: ${commented}; nodes write none.`);
}

async function isAtDirectoryRecord(feed: ByteFeed): Promise<boolean> {
  const start = await feed.peek(4);
  return start.length === 4 && start.readUInt32LE() === SIGNATURES.centralRecord;
}

function directoryDifference(record: CentralRecord, { header, streamed, localOffset }: ReadEntry): string | undefined {
  const { name } = header;
  if (record.localOffset !== localOffset) return `The directory has a wrong offset for ${name}.`;
  if (record.nameBytes !== header.nameBytes)
    return `The directory has another name for ${name}: ${record.name.slice(0, 200)}.`;
  if (record.method !== header.method) return `The directory has another compression method for ${name}.`;
  if (record.flags !== header.flags) return `The directory has other flags for ${name} than its header.`;
  if (!isVersionConsistent(record, header)) return `The directory and the header of ${name} need different versions.`;
  if (record.modified !== header.modified) return `The directory has another time for ${name} than its header.`;
  if (record.crc !== streamed.crc) return `The directory has another CRC-32 for ${name} than its bytes.`;
  if (record.compressedBytes !== streamed.compressedBytes || record.bytes !== streamed.bytes) {
    return `The directory has another size for ${name} than its bytes.`;
  }
  const [flaw] = record.flaws;
  return flaw && `In the directory ${name} ${flaw}.`;
}

/** Versions for stored and deflated entries. */
const PLAIN_VERSIONS: readonly number[] = [10, 20];

/** Only a record with zip64 fields may need a higher version, as the local header is written before the sizes are known. */
function isVersionConsistent(record: EntryFields, header: EntryFields): boolean {
  const needsMore = (one: EntryFields, other: EntryFields) => {
    return one.isZip64 && !other.isZip64 && one.needed === ZIP64_VERSION && PLAIN_VERSIONS.includes(other.needed);
  };
  return record.needed === header.needed || needsMore(record, header) || needsMore(header, record);
}

/** A summary of the directory as read. */
interface DirectorySummary {
  readonly entries: number;
  readonly offset: number;
  readonly bytes: number;
  /** The last bytes of the directory, as many as a zip64 locator has. */
  readonly tail: Buffer;
}

interface EndRecords {
  /** Why a reader that starts from the end would find something else; undefined otherwise. */
  readonly reason: string | undefined;
  readonly commentBytes: number;
}

/** Reads the end records, and compares all fields with the directory. Throws ArchiveFault. */
async function readEndRecords(feed: ByteFeed, directory: DirectorySummary): Promise<EndRecords> {
  const start = await feed.peek(4);
  const isZip64 = start.length === 4 && start.readUInt32LE() === SIGNATURES.zip64End;
  const zip64Reason = isZip64 ? await readZip64End(feed, directory) : strayLocatorReason(directory.tail);
  const at = feed.position;
  const fixed = await feed.take(RECORD_BYTES.end);
  if (fixed.readUInt32LE() !== SIGNATURES.end) throw newStructureFault('The archive contains an unknown record.', at);
  const comment = await feed.take(fixed.readUInt16LE(20));
  const reason = zip64Reason ?? endRecordReason(fixed, directory, isZip64) ?? endCommentReason(fixed, comment);
  return { reason, commentBytes: comment.length };
}

/** Readers look for a locator at a fixed distance before the end record. */
function strayLocatorReason(tail: Buffer): string | undefined {
  const isLocator = tail.length === RECORD_BYTES.zip64Locator && tail.readUInt32LE() === SIGNATURES.zip64Locator;
  return isLocator ? 'The end of the directory looks like a zip64 locator.' : undefined;
}

async function readZip64End(feed: ByteFeed, directory: DirectorySummary): Promise<string | undefined> {
  const at = feed.position;
  const record = await feed.take(RECORD_BYTES.zip64End);
  // Some readers expect the record at a fixed distance, so it must have the minimum length.
  if (record.readBigUInt64LE(4) !== BigInt(RECORD_BYTES.zip64End - 12)) {
    throw newStructureFault('The zip64 end record has an unusual length.', at);
  }
  const locator = await feed.take(RECORD_BYTES.zip64Locator);
  if (locator.readUInt32LE() !== SIGNATURES.zip64Locator || locator.readBigUInt64LE(8) !== BigInt(at)) {
    throw newStructureFault('The zip64 locator does not point to the zip64 end record.', feed.position);
  }
  const disks = [
    record.readUInt32LE(16),
    record.readUInt32LE(20),
    locator.readUInt32LE(4),
    locator.readUInt32LE(16) - 1,
  ];
  if (disks.some(disk => disk !== 0)) return SEVERAL_DISKS;
  if (record.readUInt16LE(14) > ZIP64_VERSION)
    return 'The zip64 end record needs a version that not every reader supports.';
  const [entriesHere, entries, bytes, offset] = [24, 32, 40, 48].map(field => Number(record.readBigUInt64LE(field)));
  return countReason([entriesHere, entries], directory) ?? directoryPlaceReason({ offset, bytes }, directory);
}

/** Compares the end record. A field at its maximum refers to the zip64 record, if there is one. */
function endRecordReason(record: Buffer, directory: DirectorySummary, isZip64: boolean): string | undefined {
  const read16 = (at: number, deferred: number) => {
    const value = record.readUInt16LE(at);
    return isZip64 && value === 0xffff ? deferred : value;
  };
  const read32 = (at: number, deferred: number) => {
    const value = record.readUInt32LE(at);
    return isZip64 && value === 0xffffffff ? deferred : value;
  };
  if (read16(4, 0) !== 0 || read16(6, 0) !== 0) return SEVERAL_DISKS;
  const counts = [read16(8, directory.entries), read16(10, directory.entries)];
  const place = { offset: read32(16, directory.offset), bytes: read32(12, directory.bytes) };
  return countReason(counts, directory) ?? directoryPlaceReason(place, directory);
}

const SEVERAL_DISKS = 'The archive is spread over several disks.';

function countReason(counts: readonly (number | undefined)[], { entries }: DirectorySummary): string | undefined {
  const wrong = counts.find(count => count !== entries);
  return wrong === undefined ? undefined : `The end record counts ${wrong} entries; the directory has ${entries}.`;
}

function directoryPlaceReason(
  { offset, bytes }: { readonly offset: number | undefined; readonly bytes: number | undefined },
  directory: DirectorySummary,
): string | undefined {
  if (offset === directory.offset && bytes === directory.bytes) return undefined;
  return 'The end record has a wrong offset or length for the directory.';
}

/** A comment must not form another record signature together with the end record. */
function endCommentReason(record: Buffer, comment: Buffer): string | undefined {
  if (comment.length === 0) return undefined;
  const hazard = commentProblem(comment);
  if (hazard) return `The comment of the archive ${hazard}.`;
  const behindMark = Buffer.concat([record.subarray(1), comment]);
  return hasRecordSignature(behindMark) ? 'The end record can be read as two.' : undefined;
}
