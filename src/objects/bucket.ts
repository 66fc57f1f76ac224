import { join } from 'node:path';
import { type Access, accessFrom } from './access.ts';
import { compareObject, type Expected } from './compare.ts';
import { lineError, ObjectsError } from './objects-error.ts';
import { addressOf, keyBelow, type ObjectPlace } from './place.ts';
import {
  abortUnfinished,
  type FolderChoice,
  putFolder,
  putObject,
  type StoredObject,
  type UploadTarget,
} from './put.ts';
import { openStore, type Store } from './store.ts';
import { type OnWait, timedBody } from './waiting.ts';

export interface BucketOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly mayOverwrite: boolean;
  /** Local folder of this place, where files wait until they are uploaded. */
  readonly staging: string;
  readonly timeoutMs?: number;
  readonly retryMs?: number;
  readonly onBytes?: UploadTarget['onBytes'];
  readonly onWait?: OnWait;
}

/** A prefix in a bucket that files are uploaded to. Paths are relative to it; all methods throw ObjectsError. */
export interface Bucket {
  readonly addressOf: (path: string) => string;
  /** Whether an object with this path exists. Throws when the keys may not read it. */
  readonly has: (path: string) => Promise<boolean>;
  /** Sizes in bytes, by path, of the objects whose paths start with `beginning`. */
  readonly sizesBelow: (beginning: string) => Promise<ReadonlyMap<string, number>>;
  /** Whether an object has these bytes. Reads it to the end. */
  readonly isSame: (path: string, expected: Expected) => Promise<boolean>;
  /** The content of an object; undefined when there is none. */
  readonly read: (path: string) => Promise<AsyncGenerator<Uint8Array> | undefined>;
  /** The content as text, at most `mostBytes`; undefined when there is none. */
  readonly readText: (path: string, mostBytes: number) => Promise<string | undefined>;
  readonly putFile: (local: string, path: string, sha256?: string) => Promise<StoredObject>;
  readonly putFolder: (local: string, path: string, choice: FolderChoice) => Promise<readonly StoredObject[]>;
}

/** Default limit for an answer. */
const TIMEOUT_MS = 30_000;

/** Time to clean up after an interruption. */
const TIDY_MS = 500;

/** Throws ObjectsError when keys or address are missing. Sends no request yet. */
export async function openBucket(place: ObjectPlace, options: BucketOptions): Promise<Bucket> {
  const access = accessFrom(options.env, place.bucket);
  const store = storeFor(access, place, options);
  const unfinished = join(options.staging, UNFINISHED);
  const target: UploadTarget = {
    store,
    unfinished,
    tidyStore: () => storeFor(access, place, { ...options, signal: AbortSignal.timeout(TIDY_MS) }),
    replacing: storeFor(access, place, { ...options, mayOverwrite: true }),
    onBytes: options.onBytes ?? (() => {}),
  };
  return {
    addressOf: path => addressOf(place.bucket, keyBelow(place, path)),
    has: async path => (await compareObject(store, keyBelow(place, path), NOTHING)) !== 'absent',
    sizesBelow: async beginning => {
      const root = place.prefix === '' ? '' : `${place.prefix}/`;
      const listed = await store.list(`${root}${beginning}`);
      return new Map(listed.map(({ key, bytes }) => [key.slice(root.length), bytes]));
    },
    isSame: async (path, expected) => (await compareObject(store, keyBelow(place, path), expected)) === 'same',
    read: path => bodyAt(store, keyBelow(place, path)),
    readText: (path, mostBytes) => textAt(store, keyBelow(place, path), mostBytes),
    putFile: async (local, path, sha256) => {
      await abortUnfinished(unfinished, store);
      return putObject({ path: local, key: keyBelow(place, path), ...(sha256 !== undefined && { sha256 }) }, target);
    },
    putFolder: async (local, path, choice) => {
      await abortUnfinished(unfinished, store);
      const below = path === '' ? place : { ...place, prefix: keyBelow(place, path) };
      return putFolder(local, below, choice, target);
    },
  };
}

/** Reads one text object of at most `mostBytes`; undefined when there is none. Throws ObjectsError. */
export async function readText(
  place: ObjectPlace,
  path: string,
  {
    mostBytes,
    ...options
  }: Pick<BucketOptions, 'env' | 'signal' | 'timeoutMs' | 'onWait'> & { readonly mostBytes: number },
): Promise<string | undefined> {
  const access = accessFrom(options.env, place.bucket);
  const store = storeFor(access, place, { ...options, mayOverwrite: false, staging: '' });
  return await textAt(store, keyBelow(place, path), mostBytes);
}

async function textAt(store: Store, key: string, mostBytes: number): Promise<string | undefined> {
  const body = await bodyAt(store, key);
  if (body === undefined) return undefined;
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new ObjectsError(
        `${addressOf(store.bucket, key)} is too large to read`,
        'choose another prefix',
        'untrusted',
      );
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

async function bodyAt(store: Store, key: string): Promise<AsyncGenerator<Uint8Array> | undefined> {
  const reading = await store.read(key);
  return reading === undefined ? undefined : chunksOf(reading.reader, store);
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>, store: Store): AsyncGenerator<Uint8Array> {
  try {
    yield* timedBody(reader, { host: store.host, options: store.options, attempt: 1, attempts: 1 });
  } catch (error) {
    throw lineError(error, store.host, store.options.signal);
  }
}

/** Subfolder of the staging folder. */
const UNFINISHED = '.unfinished-uploads';

/** Matches no object, so `compareObject` stops before reading one. */
const NOTHING = { bytes: -1, sha256: '' } as const;

const storeFor = (access: Access, { bucket }: ObjectPlace, options: BucketOptions): Store =>
  openStore(access, bucket, {
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retryMs: options.retryMs ?? 500,
    mayOverwrite: options.mayOverwrite,
    onWait: options.onWait ?? (() => {}),
  });
