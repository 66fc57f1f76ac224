import type { ByteFeed } from './byte-feed.ts';
import type { StreamedData } from './entry-data.ts';
import { ArchiveFault, type Finding } from './verdict.ts';
import { takeEnd } from './zip-end.ts';
import {
  type CentralRecord,
  centralTail,
  type EntryFacts,
  type LocalHeader,
  RECORD_BYTES,
  readCentralRecord,
  SIGNATURES,
  ZIP64_VERSION,
} from './zip-records.ts';

/** An entry whose data was walked through: its header, and what its bytes gave. */
export interface WalkedEntry {
  readonly header: LocalHeader;
  readonly streamed: StreamedData;
  readonly localOffset: number;
}

export interface DirectoryVisitor {
  /** The directory says something else of the entry with this index than was found there. */
  disagreed(entry: number, finding: Finding): void;
  /** The end of the archive disagrees with its directory. */
  found(finding: Finding): void;
  /** One sentence that a reader should know though it is no fault. */
  noted(note: string): void;
}

/**
 * Reads the central directory and the end records. A reader that starts from the end knows nothing else of the
 * archive, so they have to say exactly what the walk has found, in its order, and leave no room for anything more.
 */
export async function walkDirectory(
  feed: ByteFeed,
  walked: readonly WalkedEntry[],
  visitor: DirectoryVisitor,
): Promise<void> {
  const offset = feed.position;
  let entries = 0;
  let commented = 0;
  let tail: Buffer = Buffer.alloc(0);
  for (; await isAtRecord(feed); entries++) {
    const byteOffset = feed.position;
    const entry = walked[entries];
    if (!entry) throw new ArchiveFault('directory', 'The directory lists more entries than there are.', byteOffset);
    const fixed = await feed.take(RECORD_BYTES.central);
    const rest = await feed.take(centralTail(fixed).reduce((sum, length) => sum + length));
    const record = readCentralRecord(fixed, rest);
    const reason = difference(record, entry);
    if (reason) visitor.disagreed(entries, { fault: 'directory', reason, at: { byteOffset } });
    if (record.hasComment) commented++;
    tail = Buffer.concat([fixed, rest]).subarray(-RECORD_BYTES.zip64Locator);
  }
  const byteOffset = feed.position;
  const end = await takeEnd(feed, { entries, offset, bytes: byteOffset - offset, tail });
  for (const [index, { header, localOffset }] of walked.entries()) {
    if (index < entries) continue;
    const reason = `The directory does not list ${header.name}.`;
    visitor.disagreed(index, { fault: 'directory', reason, at: { byteOffset: localOffset } });
  }
  if (end.reason) visitor.found({ fault: 'directory', reason: end.reason, at: { byteOffset } });
  if (end.commentBytes > 0) visitor.noted(`The archive has a comment of ${end.commentBytes} bytes; nodes write none.`);
  if (commented > 0) visitor.noted(`Entries with a comment: ${commented}; nodes write none.`);
}

async function isAtRecord(feed: ByteFeed): Promise<boolean> {
  const start = await feed.peek(4);
  return start.length === 4 && start.readUInt32LE() === SIGNATURES.centralRecord;
}

function difference(record: CentralRecord, { header, streamed, localOffset }: WalkedEntry): string | undefined {
  const { name } = header;
  if (record.localOffset !== localOffset) return `The directory does not list ${name} in its place.`;
  if (record.nameBytes !== header.nameBytes)
    return `The directory calls ${name} by another name, ${record.name.slice(0, 200)}.`;
  if (record.method !== header.method) return `The directory gives ${name} another compression method.`;
  if (record.flags !== header.flags) return `The directory gives ${name} other flags than its header does.`;
  if (!isNeededAlike(record, header)) return `The directory and the header of ${name} need different versions.`;
  if (record.modified !== header.modified) return `The directory gives ${name} another time than its header does.`;
  if (record.crc !== streamed.crc) return `The directory gives ${name} another CRC-32 than its bytes have.`;
  if (record.compressedBytes !== streamed.compressedBytes || record.bytes !== streamed.bytes) {
    return `The directory gives ${name} another size than it has.`;
  }
  const [flaw] = record.flaws;
  return flaw && `In the directory ${name} ${flaw}.`;
}

/** Versions that know stored and deflated entries. */
const PLAIN_VERSIONS: readonly number[] = [10, 20];

/** Of two records the one with zip64 fields may need more: a stream learns only behind its data that it does. */
function isNeededAlike(record: EntryFacts, header: EntryFacts): boolean {
  const needsMore = (one: EntryFacts, other: EntryFacts) => {
    return one.isZip64 && !other.isZip64 && one.needed === ZIP64_VERSION && PLAIN_VERSIONS.includes(other.needed);
  };
  return record.needed === header.needed || needsMore(record, header) || needsMore(header, record);
}
