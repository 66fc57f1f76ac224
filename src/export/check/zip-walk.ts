import type { ByteFeed } from './byte-feed.ts';
import { type DataListener, inflateData, type StreamedData, storedData } from './entry-data.ts';
import type { Finding } from './verdict.ts';
import { type WalkedEntry, walkDirectory } from './zip-directory.ts';
import {
  type Descriptor,
  descriptorWindow,
  type LocalHeader,
  localTail,
  readDescriptor,
  readLocalHeader,
  recordBytes,
  signatures,
  structureFault,
} from './zip-records.ts';

export interface ZipVisitor {
  /** An entry begins; its content goes to the listener. Throws to stop the walk. */
  entryStarted(header: LocalHeader, byteOffset: number): DataListener;
  /** The entry was read to its end. `findings` are disagreements of the archive with itself. */
  entryEnded(streamed: StreamedData, findings: readonly Finding[]): void;
  /** The directory disagrees with the entries. */
  found(finding: Finding): void;
}

const unknownLength = Number.POSITIVE_INFINITY;

/**
 * Walks through an archive from the front, once, up to and including its end record. Throws ArchiveFault where the
 * structure cannot be followed any further; what can be passed over goes to the visitor.
 */
export async function walkZip(feed: ByteFeed, visitor: ZipVisitor): Promise<void> {
  const walked: WalkedEntry[] = [];
  for (;;) {
    const start = await feed.peek(4);
    const signature = start.length === 4 ? start.readUInt32LE() : undefined;
    if (signature !== undefined && signature !== signatures.localHeader) break;
    walked.push(await walkEntry(feed, visitor));
  }
  await walkDirectory(feed, walked, visitor.found);
}

async function walkEntry(feed: ByteFeed, visitor: ZipVisitor): Promise<WalkedEntry> {
  const localOffset = feed.position;
  const fixed = await feed.take(recordBytes.local);
  const [nameLength, extraLength] = localTail(fixed);
  const name = await feed.take(nameLength);
  const header = readLocalHeader(fixed, name, await feed.take(extraLength));
  const listener = visitor.entryStarted(header, localOffset);
  const streamed = await walkData(feed, header, listener);
  const stated = header.hasDescriptor ? await takeDescriptor(feed, streamed) : header;
  visitor.entryEnded(streamed, disagreements(header.name, stated, streamed, localOffset));
  return { name: header.name, method: header.method, ...streamed, localOffset };
}

function walkData(feed: ByteFeed, header: LocalHeader, listener: DataListener): Promise<StreamedData> {
  const at = feed.position;
  const isLengthKnown = !header.hasDescriptor || header.compressedBytes > 0;
  if (header.isEncrypted) throw structureFault('An entry is encrypted.', at);
  if (header.method === 8) {
    return inflateData(feed, isLengthKnown ? header.compressedBytes : unknownLength, listener);
  }
  if (header.method !== 0) throw structureFault(`An entry uses compression method ${header.method}.`, at);
  if (!isLengthKnown) throw structureFault('An entry is stored without its length being known.', at);
  return storedData(feed, header.compressedBytes, listener);
}

async function takeDescriptor(feed: ByteFeed, streamed: StreamedData): Promise<Descriptor> {
  const at = feed.position;
  const window = await feed.peek(descriptorWindow);
  const descriptor = readDescriptor(window, streamed);
  if (!descriptor && window.length < descriptorWindow) await feed.take(descriptorWindow);
  if (!descriptor) throw structureFault('No record follows the end of the compressed data.', at);
  feed.skip(descriptor.length);
  return descriptor;
}

function disagreements(
  name: string,
  stated: Omit<Descriptor, 'length'>,
  streamed: StreamedData,
  byteOffset: number,
): readonly Finding[] {
  const findings: Finding[] = [];
  const at = { byteOffset };
  if (stated.crc !== streamed.crc) {
    const reason = `The CRC-32 of ${name} should be ${hex(stated.crc)}; its bytes give ${hex(streamed.crc)}.`;
    findings.push({ fault: 'crc', reason, at });
  }
  if (stated.bytes !== streamed.bytes || stated.compressedBytes !== streamed.compressedBytes) {
    const claim = `${stated.compressedBytes} bytes for ${stated.bytes}`;
    const truth = `${streamed.compressedBytes} for ${streamed.bytes}`;
    findings.push({ fault: 'structure', reason: `${name} should take ${claim}; it takes ${truth}.`, at });
  }
  return findings;
}

export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
