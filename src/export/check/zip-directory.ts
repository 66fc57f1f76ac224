import type { ByteFeed } from './byte-feed.ts';
import type { Finding } from './verdict.ts';
import {
  type CentralRecord,
  centralTail,
  type EndRecord,
  type EntryFacts,
  readCentralRecord,
  readEnd,
  readZip64End,
  recordBytes,
  signatures,
  structureFault,
} from './zip-records.ts';

/** An entry whose data was walked through: what its bytes gave, not what a header claims. */
export interface WalkedEntry extends EntryFacts {
  readonly localOffset: number;
}

/** Reads the central directory and the end records, and compares them with the entries walked before. */
export async function walkDirectory(
  feed: ByteFeed,
  walked: readonly WalkedEntry[],
  found: (finding: Finding) => void,
): Promise<void> {
  const offset = feed.position;
  const wanted = new Map(walked.map(entry => [entry.localOffset, entry]));
  let entries = 0;
  for (; (await nextSignature(feed)) === signatures.centralRecord; entries++) {
    const at = feed.position;
    const record = await takeCentralRecord(feed);
    const entry = wanted.get(record.localOffset);
    wanted.delete(record.localOffset);
    const reason = entry ? difference(record, entry) : `The directory lists ${record.name}, which is not there.`;
    if (reason) found({ fault: 'directory', reason, at: { byteOffset: at } });
  }
  const directory = { entries, directoryOffset: offset, directoryBytes: feed.position - offset };
  const endOffset = feed.position;
  const reason = endDifference(await takeEnd(feed), directory);
  for (const entry of wanted.values()) {
    const reason = `The directory does not list ${entry.name}.`;
    found({ fault: 'directory', reason, at: { byteOffset: entry.localOffset } });
  }
  if (reason) found({ fault: 'directory', reason, at: { byteOffset: endOffset } });
}

async function nextSignature(feed: ByteFeed): Promise<number | undefined> {
  const start = await feed.peek(4);
  return start.length < 4 ? undefined : start.readUInt32LE();
}

async function takeCentralRecord(feed: ByteFeed): Promise<CentralRecord> {
  const fixed = await feed.take(recordBytes.central);
  const [nameLength, extraLength, commentLength] = centralTail(fixed);
  const name = await feed.take(nameLength);
  const extra = await feed.take(extraLength);
  await feed.take(commentLength);
  return readCentralRecord(fixed, name, extra);
}

function difference(record: CentralRecord, entry: WalkedEntry): string | undefined {
  if (record.name !== entry.name) return `The directory calls ${entry.name} by another name, ${record.name}.`;
  if (record.method !== entry.method) return `The directory gives ${entry.name} another compression method.`;
  if (record.crc !== entry.crc) return `The directory gives ${entry.name} another CRC-32 than its bytes have.`;
  if (record.compressedBytes !== entry.compressedBytes || record.bytes !== entry.bytes) {
    return `The directory gives ${entry.name} another size than it has.`;
  }
  return undefined;
}

async function takeEnd(feed: ByteFeed): Promise<EndRecord> {
  const zip64 = (await nextSignature(feed)) === signatures.zip64End ? await takeZip64End(feed) : undefined;
  const at = feed.position;
  const fixed = await feed.take(recordBytes.end);
  if (fixed.readUInt32LE() !== signatures.end) throw structureFault('An unknown record stands in the archive.', at);
  await feed.take(fixed.readUInt16LE(20));
  return readEnd(fixed, zip64);
}

async function takeZip64End(feed: ByteFeed): Promise<EndRecord> {
  const at = feed.position;
  const fixed = await feed.take(recordBytes.zip64End);
  const bytesMore = Number(fixed.readBigUInt64LE(4)) + 12 - recordBytes.zip64End;
  if (bytesMore < 0 || bytesMore > 65_535) throw structureFault('The zip64 end record has no sensible length.', at);
  await feed.take(bytesMore);
  const locator = await feed.take(recordBytes.zip64Locator);
  const isLocator = locator.readUInt32LE() === signatures.zip64Locator;
  if (!isLocator || locator.readBigUInt64LE(8) !== BigInt(at)) {
    throw structureFault('The zip64 locator does not lead to the zip64 end record.', feed.position);
  }
  return readZip64End(fixed);
}

function endDifference(end: EndRecord, directory: Omit<EndRecord, 'isOneDisk'>): string | undefined {
  if (!end.isOneDisk) return 'The archive is spread over several disks.';
  if (end.entries !== directory.entries) {
    return `The end record counts ${end.entries} entries; the directory has ${directory.entries}.`;
  }
  if (end.directoryOffset !== directory.directoryOffset || end.directoryBytes !== directory.directoryBytes) {
    return 'The end record gives another place or length for the directory than it has.';
  }
  return undefined;
}
