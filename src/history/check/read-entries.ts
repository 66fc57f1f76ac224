import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type CsvRow, CsvRows } from './csv-rows.ts';
import { openRegularFile } from './regular-file.ts';
import type { EntryReport } from './verdict.ts';
import {
  centralTail,
  type LocalHeader,
  localTail,
  RECORD_BYTES,
  readCentralRecord,
  readLocalHeader,
  SIGNATURES,
} from './zip-records.ts';

/** Name and offset of an entry, as the check found it. */
type EntryLocation = Pick<EntryReport, 'name' | 'byteOffset'>;

/**
 * The unchecked content of one entry; undefined when it is not where the check found it. Callers that need the checked
 * content compare its CRC. Throws UnreadableError.
 */
export async function openEntryContent(
  path: string,
  place: EntryLocation,
): Promise<AsyncGenerator<Buffer> | undefined> {
  const file = await openRegularFile(path);
  try {
    const fixed = await readAt(file, place.byteOffset, RECORD_BYTES.local);
    if (fixed.length < RECORD_BYTES.local || fixed.readUInt32LE() !== SIGNATURES.localHeader) return undefined;
    const [nameLength, extraLength] = localTail(fixed);
    const tail = await readAt(file, place.byteOffset + fixed.length, nameLength + extraLength);
    const header = readLocalHeader(fixed, tail.subarray(0, nameLength), tail.subarray(nameLength));
    return header.name === place.name
      ? streamContent(path, place.byteOffset + fixed.length + tail.length, header)
      : undefined;
  } finally {
    await file.close();
  }
}

async function* streamContent(path: string, start: number, header: LocalHeader): AsyncGenerator<Buffer> {
  if (header.method === 0) {
    if (header.compressedBytes === 0) return;
    yield* createReadStream(path, { start, end: start + header.compressedBytes - 1 });
    return;
  }
  // A failed read ends the inflater with its error. A caller that stops early closes the file.
  yield* pipeline(createReadStream(path, { start }), createInflateRaw(), () => {});
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** An entry as the directory lists it, with its header. Unchecked. */
interface ListedEntry {
  readonly name: string;
  /** Empty if the entry has no header. */
  readonly columns: readonly string[];
  readonly bytes: number;
  /** As the directory states it. */
  readonly crc: number;
}

/** Entries take some hundred bytes each, and a check allows up to 10,000. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_CHARACTERS = 16 * 1024;

/**
 * Lists the entries in the directory of an archive, without checking anything; undefined without a directory at its end.
 * Throws UnreadableError.
 */
export async function listEntries(path: string): Promise<readonly ListedEntry[] | undefined> {
  const directory = await readDirectory(path);
  if (directory === undefined) return undefined;
  const entries: ListedEntry[] = [];
  for (let at = 0; at + RECORD_BYTES.central <= directory.length; ) {
    const fixed = directory.subarray(at, at + RECORD_BYTES.central);
    if (fixed.readUInt32LE() !== SIGNATURES.centralRecord) return undefined;
    at += RECORD_BYTES.central;
    const tailBytes = centralTail(fixed).reduce((sum, length) => sum + length);
    if (at + tailBytes > directory.length) return undefined;
    const { name, localOffset, bytes, crc } = readCentralRecord(fixed, directory.subarray(at, at + tailBytes));
    at += tailBytes;
    const columns = await readCsvHeader(path, { name, byteOffset: localOffset });
    if (columns === undefined) return undefined;
    entries.push({ name, columns, bytes, crc });
  }
  return entries;
}

/**
 * The name of the first entry, which a cut archive has too; undefined for a file that is not an archive. Throws
 * UnreadableError.
 */
export async function firstEntryName(path: string): Promise<string | undefined> {
  const file = await openRegularFile(path);
  try {
    const fixed = await readAt(file, 0, RECORD_BYTES.local);
    if (fixed.length < RECORD_BYTES.local || fixed.readUInt32LE() !== SIGNATURES.localHeader) return undefined;
    return (await readAt(file, fixed.length, localTail(fixed)[0])).toString('utf8');
  } finally {
    await file.close();
  }
}

async function readDirectory(path: string): Promise<Buffer | undefined> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    const endAt = size - RECORD_BYTES.end;
    const end = await readAt(file, Math.max(0, endAt), RECORD_BYTES.end);
    // Nodes write no comment, so the end record is at the very end.
    if (end.length < RECORD_BYTES.end || end.readUInt32LE() !== SIGNATURES.end) return undefined;
    const [bytes, offset] = (await readZip64Fields(file, endAt)) ?? [end.readUInt32LE(12), end.readUInt32LE(16)];
    if (bytes > MAX_DIRECTORY_BYTES || offset + bytes > endAt) return undefined;
    return await readAt(file, offset, bytes);
  } finally {
    await file.close();
  }
}

/** Length and offset of the directory from the zip64 record of a large archive. */
async function readZip64Fields(
  file: FileHandle,
  endAt: number,
): Promise<readonly [bytes: number, offset: number] | undefined> {
  const locatorAt = endAt - RECORD_BYTES.zip64Locator;
  if (locatorAt < 0) return undefined;
  const locator = await readAt(file, locatorAt, RECORD_BYTES.zip64Locator);
  if (locator.readUInt32LE() !== SIGNATURES.zip64Locator) return undefined;
  const record = await readAt(file, Number(locator.readBigUInt64LE(8)), RECORD_BYTES.zip64End);
  if (record.length < RECORD_BYTES.zip64End || record.readUInt32LE() !== SIGNATURES.zip64End) return undefined;
  return [Number(record.readBigUInt64LE(40)), Number(record.readBigUInt64LE(48))];
}

async function readCsvHeader(path: string, place: EntryLocation): Promise<readonly string[] | undefined> {
  const content = await openEntryContent(path, place);
  if (content === undefined) return undefined;
  // A byte order mark is part of the first column name, as in the check.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const rows = new CsvRows({ valueCharacters: MAX_HEADER_CHARACTERS, values: MAX_HEADER_CHARACTERS });
  let characters = 0;
  try {
    for await (const chunk of content) {
      const text = decoder.decode(chunk.subarray(0, MAX_HEADER_CHARACTERS), { stream: true });
      const [header] = rows.push(text);
      if (header !== undefined) return header.map(name => name ?? '');
      characters += text.length;
      if (characters > MAX_HEADER_CHARACTERS) return undefined;
    }
  } catch {
    // The check reports broken data.
    return undefined;
  }
  return [];
}

/**
 * Up to `count` rows after the header of one CSV, for a preview: null is NULL, '' an empty text. Empty when the entry is not
 * where the check found it. Damage after those rows does not matter. Throws UnreadableError.
 */
export async function readFirstRows(path: string, place: EntryLocation, count: number): Promise<readonly CsvRow[]> {
  const chunks = count < 1 ? undefined : await openEntryContent(path, place);
  return chunks === undefined ? [] : takeRows(chunks, count);
}

/** More than a screen shows. A row can have 100 MB. */
const PREVIEW_LIMITS = { valueCharacters: 4096, values: 200 };

async function takeRows(chunks: AsyncIterable<Buffer>, count: number): Promise<readonly CsvRow[]> {
  const decoder = new TextDecoder();
  const reader = new CsvRows(PREVIEW_LIMITS);
  const rows: CsvRow[] = [];
  try {
    for await (const chunk of chunks) {
      rows.push(...reader.push(decoder.decode(chunk, { stream: true })));
      if (rows.length > count) break;
    }
  } catch (error) {
    // The check reports broken data. The rows before it can be shown.
    if (rows.length === 0) throw error;
  }
  return rows.slice(1, count + 1);
}
