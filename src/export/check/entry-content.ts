import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import {
  type CentralRecord,
  centralTail,
  localTail,
  readCentralRecord,
  readEnd,
  readLocalHeader,
  readZip64End,
  recordBytes,
  signatures,
} from './zip-records.ts';

const longestEndBytes = 66 * 1024;
const longestDirectoryBytes = 16 * 1024 * 1024;

/**
 * The content of one entry, as it inflates; undefined when the archive has no such entry. Nothing is checked here: an
 * archive whose verdict is `complete` needs no second check, and a preview shows what there is.
 */
export async function entryContent(path: string, entryName: string): Promise<AsyncGenerator<Buffer> | undefined> {
  const file = await open(path, 'r');
  try {
    const offset = await localOffset(file, entryName);
    if (offset === undefined) return undefined;
    const fixed = await readAt(file, offset, recordBytes.local);
    if (fixed.length < recordBytes.local || fixed.readUInt32LE() !== signatures.localHeader) return undefined;
    const [nameLength, extraLength] = localTail(fixed);
    const tail = await readAt(file, offset + fixed.length, nameLength + extraLength);
    const header = readLocalHeader(fixed, tail.subarray(0, nameLength), tail.subarray(nameLength));
    return header.name === entryName ? content(path, offset + fixed.length + tail.length, header) : undefined;
  } finally {
    await file.close();
  }
}

/** By the directory; in an archive without one only the first entry can be found. */
async function localOffset(file: FileHandle, entryName: string): Promise<number | undefined> {
  const directory = await readDirectory(file);
  return directory ? directory.find(record => record.name === entryName)?.localOffset : 0;
}

async function readDirectory(file: FileHandle): Promise<readonly CentralRecord[] | undefined> {
  const { size } = await file.stat();
  const tailOffset = Math.max(0, size - longestEndBytes);
  const tail = await readAt(file, tailOffset, size - tailOffset);
  const endAt = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (endAt < 0 || tail.length - endAt < recordBytes.end) return undefined;
  const end = readEnd(tail.subarray(endAt), await zip64Before(file, tail, endAt));
  if (end.directoryBytes > longestDirectoryBytes || end.directoryOffset > size) return undefined;
  return centralRecords(await readAt(file, end.directoryOffset, end.directoryBytes));
}

async function zip64Before(file: FileHandle, tail: Buffer, endAt: number) {
  const at = endAt - recordBytes.zip64Locator;
  if (at < 0 || tail.readUInt32LE(at) !== signatures.zip64Locator) return undefined;
  const record = await readAt(file, Number(tail.readBigUInt64LE(at + 8)), recordBytes.zip64End);
  return record.length === recordBytes.zip64End ? readZip64End(record) : undefined;
}

function centralRecords(directory: Buffer): readonly CentralRecord[] {
  const records: CentralRecord[] = [];
  for (let at = 0; at + recordBytes.central <= directory.length; ) {
    const fixed = directory.subarray(at, at + recordBytes.central);
    const [nameLength, extraLength, commentLength] = centralTail(fixed);
    const nameEnd = at + recordBytes.central + nameLength;
    const name = directory.subarray(at + recordBytes.central, nameEnd);
    records.push(readCentralRecord(fixed, name, directory.subarray(nameEnd, nameEnd + extraLength)));
    at = nameEnd + extraLength + commentLength;
  }
  return records;
}

async function* content(
  path: string,
  start: number,
  header: { readonly method: number; readonly compressedBytes: number },
): AsyncGenerator<Buffer> {
  if (header.method === 0) {
    if (header.compressedBytes === 0) return;
    yield* createReadStream(path, { start, end: start + header.compressedBytes - 1 });
    return;
  }
  const source = createReadStream(path, { start });
  const inflater = source.pipe(createInflateRaw());
  try {
    yield* inflater;
  } finally {
    source.destroy();
    inflater.destroy();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
