import type { ByteFeed } from './byte-feed.ts';
import type { EntryCheck } from './entry-check.ts';
import { type DataListener, inflateData, type StreamedData, storedData } from './entry-data.ts';
import { ArchiveFault, type Finding } from './verdict.ts';
import { DESCRIPTOR_WINDOW, type Descriptor, readDescriptor } from './zip-descriptor.ts';
import { hex, type LocalHeader, localTail, RECORD_BYTES, readLocalHeader, structureFault } from './zip-records.ts';

/** An entry on its way: its header, its data through the inflater to its check, its descriptor. */
export interface EntryRun {
  readonly localOffset: number;
  /** Stands behind the entry once `ended` has resolved. */
  readonly feed: ByteFeed;
  /** Rejects with an ArchiveFault where the structure cannot be followed any further. */
  readonly started: Promise<StartedEntry>;
  /** Rejects likewise, and whenever `started` does. */
  readonly ended: Promise<EndedEntry>;
}

export interface StartedEntry {
  readonly header: LocalHeader;
  readonly check: EntryCheck;
}

export interface EndedEntry {
  readonly streamed: StreamedData;
  /** Disagreements of the archive with itself. */
  readonly findings: readonly Finding[];
}

export interface EntryWatch {
  /** A check for the content of this entry. */
  checkOf(header: LocalHeader): EntryCheck;
  /** This content went to the check, and no more does until the promise resolves. Throws to stop the run. */
  advanced(check: EntryCheck, streamed: StreamedData, chunk: Buffer): Promise<void> | undefined;
}

/** A file system takes 255 bytes; names are kept for every entry. */
const LONGEST_NAME_BYTES = 1024;
const TOO_LONG = `The name of an entry is longer than ${LONGEST_NAME_BYTES} bytes.`;
const unknownLength = Number.POSITIVE_INFINITY;

/** Runs through the entry where the feed stands. */
export function runEntry(feed: ByteFeed, watch: EntryWatch): EntryRun {
  const localOffset = feed.position;
  const started = startEntry(feed, watch);
  const ended = started.then(entry => endEntry(feed, entry, { localOffset, watch }));
  // Who runs ahead may fail before anybody waits for it.
  for (const promise of [started, ended]) promise.catch(() => {});
  return { localOffset, feed, started, ended };
}

async function startEntry(feed: ByteFeed, watch: EntryWatch): Promise<StartedEntry> {
  const fixed = await feed.take(RECORD_BYTES.local);
  const [nameLength, extraLength] = localTail(fixed);
  if (nameLength > LONGEST_NAME_BYTES) throw new ArchiveFault('hostile-name', TOO_LONG, feed.position);
  const rest = await feed.take(nameLength + extraLength);
  const header = readLocalHeader(fixed, rest.subarray(0, nameLength), rest.subarray(nameLength));
  return { header, check: watch.checkOf(header) };
}

async function endEntry(
  feed: ByteFeed,
  { header, check }: StartedEntry,
  { localOffset, watch }: { readonly localOffset: number; readonly watch: EntryWatch },
): Promise<EndedEntry> {
  const streamed = await runData(feed, header, {
    onBytes: (chunk, streamed) => {
      check.onBytes(chunk, streamed);
      return watch.advanced(check, streamed, chunk);
    },
  });
  const stated = header.hasDescriptor ? await takeDescriptor(feed, streamed) : header;
  const findings = [...disagreements(header.name, stated, streamed), ...headerFindings(header, streamed)];
  return { streamed, findings: findings.map(finding => ({ ...finding, at: { byteOffset: localOffset } })) };
}

function runData(feed: ByteFeed, header: LocalHeader, listener: DataListener): Promise<StreamedData> {
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
  const window = await feed.peek(DESCRIPTOR_WINDOW);
  const descriptor = readDescriptor(window, streamed);
  if (!descriptor && window.length < DESCRIPTOR_WINDOW) await feed.take(DESCRIPTOR_WINDOW);
  if (!descriptor) throw structureFault('No record follows the end of the compressed data.', at);
  feed.skip(descriptor.length);
  return descriptor;
}

function disagreements(name: string, stated: Omit<Descriptor, 'length'>, streamed: StreamedData): Finding[] {
  const findings: Finding[] = [];
  if (stated.crc !== streamed.crc) {
    const reason = `The CRC-32 of ${name} should be ${hex(stated.crc)}; its bytes give ${hex(streamed.crc)}.`;
    findings.push({ fault: 'crc', reason });
  }
  if (stated.bytes !== streamed.bytes || stated.compressedBytes !== streamed.compressedBytes) {
    const claim = `${stated.compressedBytes} bytes for ${stated.bytes}`;
    const truth = `${streamed.compressedBytes} for ${streamed.bytes}`;
    findings.push({ fault: 'structure', reason: `${name} should take ${claim}; it takes ${truth}.` });
  }
  return findings;
}

/** Where a descriptor follows, the header may leave CRC and sizes open, each as zero, but not give others. */
function headerFindings(header: LocalHeader, streamed: StreamedData): Finding[] {
  const isOpen = (claimed: number, found: number) => claimed === 0 || claimed === found;
  const isRight =
    !header.hasDescriptor ||
    (isOpen(header.crc, streamed.crc) &&
      isOpen(header.compressedBytes, streamed.compressedBytes) &&
      isOpen(header.bytes, streamed.bytes));
  const claims = isRight ? [] : [`The header of ${header.name} gives another CRC-32 or size than its data has.`];
  const flaws = header.flaws.map(flaw => `${header.name} ${flaw}.`);
  return [...claims, ...flaws].map(reason => ({ fault: 'structure', reason }));
}
