import type { FileHandle } from 'node:fs/promises';
import { CsvRows } from './csv-rows.ts';
import { type EntryPlace, entryContent } from './entry-content.ts';
import { openRegular } from './regular-file.ts';
import { centralTail, RECORD_BYTES, readCentralRecord, SIGNATURES } from './zip-records.ts';

/** An entry as the directory of an archive lists it, and its header. Claims: the check alone says what they are worth. */
export interface ListedEntry {
  readonly name: string;
  /** None where it has no header. */
  readonly columns: readonly string[];
  readonly bytes: number;
}

/** Some hundred bytes an entry; a check takes 10 000 of them. */
const MOST_DIRECTORY_BYTES = 16 * 1024 * 1024;
const MOST_HEADER_CHARACTERS = 16 * 1024;

/**
 * What an archive says it holds, without reading it: undefined where it has no directory to be found at once. For a
 * plan, before anything is checked. Throws UnreadableError.
 */
export async function listedEntries(path: string): Promise<readonly ListedEntry[] | undefined> {
  const directory = await directoryOf(path);
  if (directory === undefined) return undefined;
  const entries: ListedEntry[] = [];
  for (let at = 0; at + RECORD_BYTES.central <= directory.length; ) {
    const fixed = directory.subarray(at, at + RECORD_BYTES.central);
    if (fixed.readUInt32LE() !== SIGNATURES.centralRecord) return undefined;
    at += RECORD_BYTES.central;
    const tailBytes = centralTail(fixed).reduce((sum, length) => sum + length);
    if (at + tailBytes > directory.length) return undefined;
    const { name, localOffset, bytes } = readCentralRecord(fixed, directory.subarray(at, at + tailBytes));
    at += tailBytes;
    const columns = await headerOf(path, { name, byteOffset: localOffset });
    if (columns === undefined) return undefined;
    entries.push({ name, columns, bytes });
  }
  return entries;
}

async function directoryOf(path: string): Promise<Buffer | undefined> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const endAt = size - RECORD_BYTES.end;
    const end = await readAt(file, Math.max(0, endAt), RECORD_BYTES.end);
    // Nodes write no comment, so that the end record is the last thing.
    if (end.length < RECORD_BYTES.end || end.readUInt32LE() !== SIGNATURES.end) return undefined;
    const [bytes, offset] = (await wideFields(file, endAt)) ?? [end.readUInt32LE(12), end.readUInt32LE(16)];
    if (bytes > MOST_DIRECTORY_BYTES || offset + bytes > endAt) return undefined;
    return await readAt(file, offset, bytes);
  } finally {
    await file.close();
  }
}

/** Length and place of the directory of an archive that is too large for the end record. */
async function wideFields(
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

async function headerOf(path: string, place: EntryPlace): Promise<readonly string[] | undefined> {
  const content = await entryContent(path, place);
  if (content === undefined) return undefined;
  // As the check reads it: a mark of byte order belongs to the name of the first column.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const rows = new CsvRows({ valueCharacters: MOST_HEADER_CHARACTERS, values: MOST_HEADER_CHARACTERS });
  let characters = 0;
  try {
    for await (const chunk of content) {
      const text = decoder.decode(chunk.subarray(0, MOST_HEADER_CHARACTERS), { stream: true });
      const [header] = rows.push(text);
      if (header !== undefined) return header.map(name => name ?? '');
      characters += text.length;
      if (characters > MOST_HEADER_CHARACTERS) return undefined;
    }
  } catch {
    // Broken data: the check says where.
    return undefined;
  }
  return [];
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
