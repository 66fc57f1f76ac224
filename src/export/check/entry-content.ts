import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { openRegular } from './regular-file.ts';
import type { EntryReport } from './verdict.ts';
import { type LocalHeader, localTail, RECORD_BYTES, readLocalHeader, SIGNATURES } from './zip-records.ts';

/** An entry where the check found it. */
export type EntryPlace = Pick<EntryReport, 'name' | 'byteOffset'>;

/**
 * The content of one entry, as it inflates; undefined when it does not stand where the check found it. Nothing is
 * checked here: whoever needs what was checked compares, and a preview shows what there is.
 */
export async function entryContent(path: string, place: EntryPlace): Promise<AsyncGenerator<Buffer> | undefined> {
  const file = await openRegular(path);
  try {
    const fixed = await readAt(file, place.byteOffset, RECORD_BYTES.local);
    if (fixed.length < RECORD_BYTES.local || fixed.readUInt32LE() !== SIGNATURES.localHeader) return undefined;
    const [nameLength, extraLength] = localTail(fixed);
    const tail = await readAt(file, place.byteOffset + fixed.length, nameLength + extraLength);
    const header = readLocalHeader(fixed, tail.subarray(0, nameLength), tail.subarray(nameLength));
    return header.name === place.name
      ? content(path, place.byteOffset + fixed.length + tail.length, header)
      : undefined;
  } finally {
    await file.close();
  }
}

async function* content(path: string, start: number, header: LocalHeader): AsyncGenerator<Buffer> {
  if (header.method === 0) {
    if (header.compressedBytes === 0) return;
    yield* createReadStream(path, { start, end: start + header.compressedBytes - 1 });
    return;
  }
  // A read that fails ends the inflater with its error, and whoever stops earlier closes the file.
  yield* pipeline(createReadStream(path, { start }), createInflateRaw(), () => {});
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
