import type { ByteFeed } from './byte-feed.ts';
import { commentHazard, holdsRecordMark } from './zip-comment.ts';
import { RECORD_BYTES, SIGNATURES, structureFault, ZIP64_VERSION } from './zip-records.ts';

/** The directory as it was walked through. */
export interface DirectoryFacts {
  readonly entries: number;
  readonly offset: number;
  readonly bytes: number;
  /** What stands right before the end record when no zip64 record does, as long as a locator. */
  readonly tail: Buffer;
}

export interface End {
  /** Why a reader that starts from here finds something else than was walked through. */
  readonly reason: string | undefined;
  readonly commentBytes: number;
}

/** Takes the end records, each field of which has to say of the directory what it is. */
export async function takeEnd(feed: ByteFeed, directory: DirectoryFacts): Promise<End> {
  const start = await feed.peek(4);
  const isZip64 = start.length === 4 && start.readUInt32LE() === SIGNATURES.zip64End;
  const zip64Reason = isZip64 ? await takeZip64End(feed, directory) : locatorReason(directory.tail);
  const at = feed.position;
  const fixed = await feed.take(RECORD_BYTES.end);
  if (fixed.readUInt32LE() !== SIGNATURES.end) throw structureFault('An unknown record stands in the archive.', at);
  const comment = await feed.take(fixed.readUInt16LE(20));
  const reason = zip64Reason ?? endReason(fixed, directory, isZip64) ?? commentReason(fixed, comment);
  return { reason, commentBytes: comment.length };
}

/** Readers look for a locator at its distance from the end record, whatever stands there. */
function locatorReason(tail: Buffer): string | undefined {
  const isLocator = tail.length === RECORD_BYTES.zip64Locator && tail.readUInt32LE() === SIGNATURES.zip64Locator;
  return isLocator ? 'The end of the directory can be taken for a zip64 locator.' : undefined;
}

async function takeZip64End(feed: ByteFeed, directory: DirectoryFacts): Promise<string | undefined> {
  const at = feed.position;
  const record = await feed.take(RECORD_BYTES.zip64End);
  // Some readers look for the record where it stands when nothing is added to it.
  if (record.readBigUInt64LE(4) !== BigInt(RECORD_BYTES.zip64End - 12)) {
    throw structureFault('The zip64 end record has another length than every reader expects.', at);
  }
  const locator = await feed.take(RECORD_BYTES.zip64Locator);
  if (locator.readUInt32LE() !== SIGNATURES.zip64Locator || locator.readBigUInt64LE(8) !== BigInt(at)) {
    throw structureFault('The zip64 locator does not lead to the zip64 end record.', feed.position);
  }
  const disks = [
    record.readUInt32LE(16),
    record.readUInt32LE(20),
    locator.readUInt32LE(4),
    locator.readUInt32LE(16) - 1,
  ];
  if (disks.some(disk => disk !== 0)) return SEVERAL_DISKS;
  if (record.readUInt16LE(14) > ZIP64_VERSION) return 'The zip64 end record needs a version that not every reader has.';
  const [entriesHere, entries, bytes, offset] = [24, 32, 40, 48].map(field => Number(record.readBigUInt64LE(field)));
  return countReason([entriesHere, entries], directory) ?? placeReason({ offset, bytes }, directory);
}

/** A field at its maximum leaves the answer to the zip64 record, where there is one. */
function endReason(record: Buffer, directory: DirectoryFacts, isZip64: boolean): string | undefined {
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
  return countReason(counts, directory) ?? placeReason(place, directory);
}

const SEVERAL_DISKS = 'The archive is spread over several disks.';

function countReason(counts: readonly (number | undefined)[], { entries }: DirectoryFacts): string | undefined {
  const wrong = counts.find(count => count !== entries);
  return wrong === undefined ? undefined : `The end record counts ${wrong} entries; the directory has ${entries}.`;
}

function placeReason(
  { offset, bytes }: { readonly offset: number | undefined; readonly bytes: number | undefined },
  directory: DirectoryFacts,
): string | undefined {
  if (offset === directory.offset && bytes === directory.bytes) return undefined;
  return 'The end record gives another place or length for the directory than it has.';
}

/** With a comment behind it, the end record itself must not hold another one's signature either. */
function commentReason(record: Buffer, comment: Buffer): string | undefined {
  if (comment.length === 0) return undefined;
  const hazard = commentHazard(comment);
  if (hazard) return `The comment of the archive ${hazard}.`;
  const behindMark = Buffer.concat([record.subarray(1), comment]);
  return holdsRecordMark(behindMark) ? 'The end record can be taken for two.' : undefined;
}
