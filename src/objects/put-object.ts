import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { compareObject, type Expected } from './compare.ts';
import { isRefusal, ObjectsError } from './objects-error.ts';
import { addressOf } from './place.ts';
import type { OwnBytes, PartMark, Store, Upload } from './store.ts';
import { forgetUpload, rememberUpload } from './unfinished.ts';

export interface Source {
  readonly path: string;
  readonly key: string;
  /** SHA-256 of what was verified; without it what lies there now is what goes up. */
  readonly sha256?: string;
}

export interface Way {
  readonly store: Store;
  /** The same bucket, to write over what is there. */
  readonly replacing: Store;
  /** The same bucket for whoever was stopped: a short time to tidy up. */
  readonly afterwards: () => Store;
  /** Folder that remembers uploads in parts till they are complete, for the run after one that was killed. */
  readonly unfinished: string;
  readonly onBytes: (step: 'sent' | 'read back', bytes: number) => void;
}

export interface StoredObject {
  readonly address: string;
  readonly bytes: number;
  readonly sha256: string;
  /** False: it was there already, byte for byte. */
  readonly isNew: boolean;
}

/** A larger file goes up in parts; so much of one is in memory at a time, and a copy of it on its way. */
const PART_BYTES = 8 * 1024 * 1024;

/** S3's own limit. */
const MOST_PARTS = 10_000;

const MIB = 1024 * 1024;

/**
 * Puts a file under a key and reads it back: it resolves when the object was read to its end with the SHA-256 of the
 * file. One that is there with these bytes is left as it is; one with others is not written over unless it may be.
 * Nothing has the key before all of it is up.
 */
export async function putObject(source: Source, way: Way): Promise<StoredObject> {
  const file = await open(source.path, 'r');
  try {
    const { size: bytes } = await file.stat();
    const sha256 = await sha256Of(source.path, way.store.manner.signal);
    if (source.sha256 !== undefined && source.sha256 !== sha256) throw changed(source.path);
    const expected = { bytes, sha256 };
    const before = await look(source, expected, way);
    if (before === 'other' && !way.store.manner.mayOverwrite) throw taken(way.store.bucket, source.key);
    if (before !== 'same') await send(file, source, expected, way);
    const address = addressOf(way.store.bucket, source.key);
    if (before !== 'same' && (await look(source, expected, way)) !== 'same')
      throw new ObjectsError(
        `${address} reads back otherwise than it was sent (SHA-256 ${sha256}): do not use it`,
        'look who else writes there, remove the object, and run the same command again',
        'untrusted',
      );
    return { address, bytes, sha256, isNew: before !== 'same' };
  } finally {
    await file.close();
  }
}

const look = ({ key }: Source, expected: Expected, { store, onBytes }: Way): Promise<'absent' | 'same' | 'other'> =>
  compareObject(store, key, expected, bytes => onBytes('read back', bytes));

const taken = (bucket: string, key: string): ObjectsError =>
  new ObjectsError(
    `${addressOf(bucket, key)} is there and holds something else`,
    'choose another prefix, or replace it with --overwrite',
  );

const changed = (path: string): ObjectsError =>
  new ObjectsError(`${path} is not what was verified any more`, 'run the same command again', 'untrusted');

async function send(file: FileHandle, source: Source, expected: Expected, way: Way): Promise<void> {
  const { store } = way;
  try {
    if (expected.bytes > PART_BYTES) await sendParts(file, source, expected, way);
    else {
      const bytes = await piece(file, 0, expected.bytes);
      if (createHash('sha256').update(bytes).digest('hex') !== expected.sha256) throw changed(source.path);
      await store.put(source.key, bytes);
      way.onBytes('sent', bytes.length);
    }
  } catch (error) {
    if (!(error instanceof ObjectsError) || error.refusal === null) throw error;
    // The answer to a request that was done may be lost; asked once more the store refuses it. What is there tells.
    const found = await compareObject(store, source.key, expected);
    if (found === 'other' && isRefusal(error, 'PreconditionFailed')) throw taken(store.bucket, source.key);
    if (found !== 'same') throw error;
  }
}

async function sendParts(file: FileHandle, { key, path }: Source, expected: Expected, way: Way): Promise<void> {
  const { store, unfinished } = way;
  const upload: Upload = { key, uploadId: await store.begin(key) };
  await rememberUpload(unfinished, upload);
  try {
    await store.complete(upload, await parts(file, upload, expected, way, path));
  } catch (error) {
    const tidy = way.afterwards();
    await tidy.abort(upload).then(
      () => forgetUpload(unfinished, upload),
      () => {},
    );
    throw error;
  }
  await forgetUpload(unfinished, upload);
}

async function parts(
  file: FileHandle,
  upload: Upload,
  { bytes, sha256 }: Expected,
  { store, onBytes }: Way,
  path: string,
): Promise<readonly PartMark[]> {
  const partBytes = Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS / MIB) * MIB);
  const hash = createHash('sha256');
  const marks: PartMark[] = [];
  for (let offset = 0; offset < bytes; offset += partBytes) {
    const part = await piece(file, offset, Math.min(partBytes, bytes - offset));
    hash.update(part);
    marks.push(await store.putPart({ ...upload, number: marks.length + 1 }, part));
    onBytes('sent', part.length);
  }
  if (hash.digest('hex') !== sha256) throw changed(path);
  return marks;
}

async function piece(file: FileHandle, offset: number, length: number): Promise<OwnBytes> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: MIB, signal })) hash.update(chunk);
  return hash.digest('hex');
}
