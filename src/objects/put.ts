import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile } from '../disk/ordinary-file.ts';
import { putFile } from '../disk/put-file.ts';
import { compareObject, type Expected } from './compare.ts';
import { isRefusal, ObjectsError } from './objects-error.ts';
import { addressOf, keyBelow, type ObjectPlace } from './place.ts';
import type { OwnBytes, PartMark, Store, Upload } from './store.ts';

export interface Source {
  readonly path: string;
  readonly key: string;
  /** SHA-256 of the verified file. Without it the file is uploaded as it is now. */
  readonly sha256?: string;
}

/** Where files are put, and how. */
export interface UploadTarget {
  readonly store: Store;
  /** The same bucket, with leave to overwrite. */
  readonly replacing: Store;
  /** The same bucket, with a short timeout of its own, to clean up after an interruption. */
  readonly tidyStore: () => Store;
  /** Folder that records multipart uploads until they are complete, so that the next run can abort them. */
  readonly unfinished: string;
  readonly onBytes: (step: 'sent' | 'read back', bytes: number) => void;
}

export interface StoredObject {
  readonly address: string;
  readonly bytes: number;
  readonly sha256: string;
  /** False when the same bytes were there already. */
  readonly isNew: boolean;
}

/** Larger files are uploaded in parts. One part, and the copy being sent, is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024;

/** The limit of S3. */
const MOST_PARTS = 10_000;

const MIB = 1024 * 1024;

/**
 * Uploads a file and reads the whole object back to compare its SHA-256. An object with the same bytes is left alone;
 * one with other bytes is only replaced if the target allows it. The key appears when the upload is complete.
 * Throws ObjectsError.
 */
export async function putObject(source: Source, target: UploadTarget): Promise<StoredObject> {
  const file = await open(source.path, 'r');
  try {
    const { size: bytes } = await file.stat();
    const sha256 = await sha256Of(source.path, target.store.options.signal);
    if (source.sha256 !== undefined && source.sha256 !== sha256) throw changed(source.path);
    const expected = { bytes, sha256 };
    const before = await compare(source, expected, target);
    if (before === 'other' && !target.store.options.mayOverwrite) throw occupied(target.store.bucket, source.key);
    if (before !== 'same') await send(file, source, expected, target);
    const address = addressOf(target.store.bucket, source.key);
    if (before !== 'same' && (await compare(source, expected, target)) !== 'same')
      throw new ObjectsError(
        `${address} does not read back as it was sent (SHA-256 ${sha256}). Do not use it`,
        'check who else writes there, delete the object and run the same command again',
        'untrusted',
      );
    return { address, bytes, sha256, isNew: before !== 'same' };
  } finally {
    await file.close();
  }
}

const compare = (
  { key }: Source,
  expected: Expected,
  { store, onBytes }: UploadTarget,
): Promise<'absent' | 'same' | 'other'> => compareObject(store, key, expected, bytes => onBytes('read back', bytes));

const occupied = (bucket: string, key: string): ObjectsError =>
  new ObjectsError(
    `${addressOf(bucket, key)} exists and has different content`,
    'choose another prefix, or replace it with --overwrite',
  );

const changed = (path: string): ObjectsError =>
  new ObjectsError(`${path} changed after it was verified`, 'run the same command again', 'untrusted');

async function send(file: FileHandle, source: Source, expected: Expected, target: UploadTarget): Promise<void> {
  const { store } = target;
  try {
    if (expected.bytes > PART_BYTES) await sendParts(file, source, expected, target);
    else {
      const bytes = await piece(file, 0, expected.bytes);
      if (createHash('sha256').update(bytes).digest('hex') !== expected.sha256) throw changed(source.path);
      await store.put(source.key, bytes);
      target.onBytes('sent', bytes.length);
    }
  } catch (error) {
    if (!(error instanceof ObjectsError) || error.refusal === null) throw error;
    // A retry is refused when the first attempt succeeded and only its answer was lost. The object itself settles it.
    const found = await compareObject(store, source.key, expected);
    if (found === 'other' && isRefusal(error, 'PreconditionFailed')) throw occupied(store.bucket, source.key);
    if (found !== 'same') throw error;
  }
}

async function sendParts(
  file: FileHandle,
  { key, path }: Source,
  expected: Expected,
  target: UploadTarget,
): Promise<void> {
  const { store, unfinished } = target;
  const upload: Upload = { key, uploadId: await store.begin(key) };
  await rememberUpload(unfinished, upload);
  try {
    await store.complete(upload, await parts(file, upload, expected, target, path));
  } catch (error) {
    const tidy = target.tidyStore();
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
  { store, onBytes }: UploadTarget,
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

/** Parts of an unfinished upload cost money and are listed nowhere, so each upload is recorded before it starts. */
async function rememberUpload(folder: string, upload: Upload): Promise<void> {
  makeFolder(folder);
  await putFile(pathOf(folder, upload), JSON.stringify(upload));
}

const forgetUpload = (folder: string, upload: Upload): Promise<void> => rm(pathOf(folder, upload), { force: true });

/** Aborts the uploads that killed runs left in this bucket. One that the store no longer knows counts as aborted. */
export async function abortUnfinished(folder: string, store: Store): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const upload = uploadIn(path);
    if (upload !== undefined) await abortIfThere(store, upload);
    await rm(path, { force: true });
  }
}

async function abortIfThere(store: Store, upload: Upload): Promise<void> {
  await store.abort(upload).catch((error: unknown) => {
    // Stores use different codes for an unknown upload.
    if (!(error instanceof ObjectsError) || (error.refusal?.status ?? 500) >= 500) throw error;
  });
}

const pathOf = (folder: string, { key, uploadId }: Upload): string =>
  join(folder, `${createHash('sha256').update(`${key}\n${uploadId}`).digest('hex').slice(0, 32)}.json`);

function uploadIn(path: string): Upload | undefined {
  try {
    const value: unknown = JSON.parse(readOrdinaryFile(path, MOST_BYTES) ?? '');
    if (typeof value !== 'object' || value === null || !('key' in value) || !('uploadId' in value)) return undefined;
    const { key, uploadId } = value;
    return typeof key === 'string' && typeof uploadId === 'string' ? { key, uploadId } : undefined;
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 16 * 1024;

export interface FolderChoice {
  /** Files that describe the others, such as a manifest. They are uploaded last. */
  readonly last: readonly string[];
  /** SHA-256 of verified files, by path in the folder (with slashes). */
  readonly verified?: ReadonlyMap<string, string>;
  /** Files that may replace an older version in the bucket. */
  readonly replaced?: readonly string[];
  readonly onFile?: (done: number, total: number) => void;
}

/** Parallel uploads. Most files are small, and each takes three requests. */
const AT_ONCE = 4;

/** Uploads all finished files of a folder with `putObject`, the `last` ones at the end. Throws ObjectsError. */
export async function putFolder(
  folder: string,
  place: ObjectPlace,
  choice: FolderChoice,
  target: UploadTarget,
): Promise<readonly StoredObject[]> {
  const paths = await finishedFiles(folder);
  const isLast = (path: string): boolean => choice.last.includes(path);
  const first = paths.filter(path => !isLast(path));
  const then = choice.last.filter(path => paths.includes(path));
  const done: StoredObject[] = [];
  const put = async (path: string): Promise<void> => {
    const isReplaced = choice.replaced?.includes(path) === true;
    const source = sourceOf(folder, path, place, choice);
    done.push(await putObject(source, isReplaced ? { ...target, store: target.replacing } : target));
    choice.onFile?.(done.length, paths.length);
  };
  await inTurns(first, put);
  for (const path of then) await put(path);
  return done;
}

function sourceOf(folder: string, path: string, place: ObjectPlace, { verified }: FolderChoice): Source {
  const sha256 = verified?.get(path);
  const source = { path: join(folder, ...path.split('/')), key: keyBelow(place, path) };
  return sha256 === undefined ? source : { ...source, sha256 };
}

/** After the first failure nothing new is started; uploads in progress finish. */
async function inTurns(paths: readonly string[], put: (path: string) => Promise<void>): Promise<void> {
  const queue = [...paths];
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined && !hasFailed; path = queue.shift()) {
      await put(path).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}

/** Unfinished files and locks are not uploaded, nor are hidden files. */
const NOT_FINISHED = /\.(?:part|new|changed|lock)$|^blockglass\.lock/;

async function finishedFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile() && !NOT_FINISHED.test(entry.name))
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(path => !/(?:^|\/)\./.test(path))
    .toSorted();
}
