import type { ByteFeed } from './byte-feed.ts';
import type { EntryCheck } from './entry-check.ts';
import { type DataListener, inflateData, readStoredData, type StreamedData } from './entry-data.ts';
import { ArchiveFault, type Finding } from './verdict.ts';
import {
  crcHex,
  type LocalHeader,
  localTail,
  newStructureFault,
  RECORD_BYTES,
  readLocalHeader,
  SIGNATURES,
} from './zip-records.ts';

/** An entry being read: its header, its data (inflated and checked), its descriptor. */
export interface EntryReading {
  readonly localOffset: number;
  /** At the end of the entry once `ended` has resolved. */
  readonly feed: ByteFeed;
  /** Rejects with ArchiveFault when the rest of the archive cannot be read. */
  readonly started: Promise<StartedEntry>;
  /** Rejects likewise, and when `started` does. */
  readonly ended: Promise<EndedEntry>;
}

interface StartedEntry {
  readonly header: LocalHeader;
  readonly check: EntryCheck;
}

interface EndedEntry {
  readonly streamed: StreamedData;
  /** Contradictions within the archive. */
  readonly findings: readonly Finding[];
}

export interface EntryListener {
  /** Creates the check for the content of an entry. */
  checkOf(header: LocalHeader): EntryCheck;
  /** Called after each checked chunk; the next one waits for the promise. Throws to stop reading. */
  advanced(check: EntryCheck, streamed: StreamedData, chunk: Buffer): Promise<void> | undefined;
}

/** File systems allow 255 bytes. The names of all entries stay in memory. */
const MAX_NAME_BYTES = 1024;
const NAME_TOO_LONG = `The name of an entry is longer than ${MAX_NAME_BYTES} bytes.`;
const UNKNOWN_LENGTH = Number.POSITIVE_INFINITY;

/** Reads the entry at the position of the feed. */
export function readEntry(feed: ByteFeed, watch: EntryListener): EntryReading {
  const localOffset = feed.position;
  const started = readEntryStart(feed, watch);
  const ended = started.then(entry => readEntryEnd(feed, entry, { localOffset, watch }));
  // An entry read ahead may fail before anything awaits it.
  for (const promise of [started, ended]) promise.catch(() => {});
  return { localOffset, feed, started, ended };
}

async function readEntryStart(feed: ByteFeed, watch: EntryListener): Promise<StartedEntry> {
  const fixed = await feed.take(RECORD_BYTES.local);
  const [nameLength, extraLength] = localTail(fixed);
  if (nameLength > MAX_NAME_BYTES) throw new ArchiveFault('hostile-name', NAME_TOO_LONG, feed.position);
  const rest = await feed.take(nameLength + extraLength);
  const header = readLocalHeader(fixed, rest.subarray(0, nameLength), rest.subarray(nameLength));
  return { header, check: watch.checkOf(header) };
}

async function readEntryEnd(
  feed: ByteFeed,
  { header, check }: StartedEntry,
  { localOffset, watch }: { readonly localOffset: number; readonly watch: EntryListener },
): Promise<EndedEntry> {
  const streamed = await readEntryData(feed, header, {
    onBytes: (chunk, streamed) => {
      check.onBytes(chunk, streamed);
      return watch.advanced(check, streamed, chunk);
    },
  });
  const stated = header.hasDescriptor ? await consumeDescriptor(feed, streamed) : header;
  const findings = [...descriptorFindings(header.name, stated, streamed), ...headerFindings(header, streamed)];
  return { streamed, findings: findings.map(finding => ({ ...finding, at: { byteOffset: localOffset } })) };
}

function readEntryData(feed: ByteFeed, header: LocalHeader, listener: DataListener): Promise<StreamedData> {
  const at = feed.position;
  const isLengthKnown = !header.hasDescriptor || header.compressedBytes > 0;
  if (header.isEncrypted) throw newStructureFault('An entry is encrypted.', at);
  if (header.method === 8) {
    return inflateData(feed, isLengthKnown ? header.compressedBytes : UNKNOWN_LENGTH, listener);
  }
  if (header.method !== 0) throw newStructureFault(`An entry uses compression method ${header.method}.`, at);
  if (!isLengthKnown) throw newStructureFault('An entry is stored without its length being known.', at);
  return readStoredData(feed, header.compressedBytes, listener);
}

async function consumeDescriptor(feed: ByteFeed, streamed: StreamedData): Promise<Descriptor> {
  const at = feed.position;
  const window = await feed.peek(DESCRIPTOR_WINDOW);
  const descriptor = readDescriptor(window, streamed);
  if (!descriptor && window.length < DESCRIPTOR_WINDOW) await feed.take(DESCRIPTOR_WINDOW);
  if (!descriptor) throw newStructureFault('No record follows the compressed data.', at);
  feed.skip(descriptor.length);
  return descriptor;
}

function descriptorFindings(name: string, stated: Omit<Descriptor, 'length'>, streamed: StreamedData): Finding[] {
  const findings: Finding[] = [];
  if (stated.crc !== streamed.crc) {
    const reason = `The CRC-32 of ${name} should be ${crcHex(stated.crc)}; its bytes give ${crcHex(streamed.crc)}.`;
    findings.push({ fault: 'crc', reason });
  }
  if (stated.bytes !== streamed.bytes || stated.compressedBytes !== streamed.compressedBytes) {
    const claim = `${stated.compressedBytes} bytes for ${stated.bytes}`;
    const truth = `${streamed.compressedBytes} for ${streamed.bytes}`;
    findings.push({ fault: 'structure', reason: `${name} should take ${claim}; it takes ${truth}.` });
  }
  return findings;
}

/** If a descriptor follows, CRC and sizes in the header must be zero or correct. */
function headerFindings(header: LocalHeader, streamed: StreamedData): Finding[] {
  const isOpen = (claimed: number, found: number) => claimed === 0 || claimed === found;
  const isRight =
    !header.hasDescriptor ||
    (isOpen(header.crc, streamed.crc) &&
      isOpen(header.compressedBytes, streamed.compressedBytes) &&
      isOpen(header.bytes, streamed.bytes));
  const claims = isRight ? [] : [`The header of ${header.name} has another CRC-32 or size than its data.`];
  const flaws = header.flaws.map(flaw => `${header.name} ${flaw}.`);
  return [...claims, ...flaws].map(reason => ({ fault: 'structure', reason }));
}

/** The forms of a data descriptor. Nothing before the data announces 64-bit sizes (Go's archive/zip). */
const DESCRIPTOR_FORMS = [
  { length: 16, hasSignature: true, is64: false },
  { length: 24, hasSignature: true, is64: true },
  { length: 12, hasSignature: false, is64: false },
  { length: 20, hasSignature: false, is64: true },
] as const;

interface Descriptor {
  readonly length: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

/** The longest descriptor and the signature of the next record. */
const DESCRIPTOR_WINDOW = 28;

/**
 * Reads the descriptor at the start of `window`. Preferred is a form that matches the data and is followed by a record (at
 * the end of a body the record may be missing), then any form followed by a record. Undefined when none fits.
 */
export function readDescriptor(window: Buffer, streamed: Omit<Descriptor, 'length'>): Descriptor | undefined {
  const found = DESCRIPTOR_FORMS.flatMap(form => {
    if (window.length < form.length) return [];
    if (form.hasSignature && window.readUInt32LE(0) !== SIGNATURES.descriptor) return [];
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

function readForm(window: Buffer, form: (typeof DESCRIPTOR_FORMS)[number]): Descriptor {
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
  return signature === SIGNATURES.localHeader || signature === SIGNATURES.centralRecord;
}
