import { join } from 'node:path';
import { type Access, accessFrom } from './access.ts';
import { compareObject, type Expected } from './compare.ts';
import { lineError } from './line-error.ts';
import { ObjectsError } from './objects-error.ts';
import { addressOf, keyBelow, type ObjectPlace } from './place.ts';
import { type FolderChoice, putFolder } from './put-folder.ts';
import { putObject, type StoredObject, type Way } from './put-object.ts';
import { openStore, type Store } from './store.ts';
import { timedBody } from './timed-body.ts';
import { abortUnfinished } from './unfinished.ts';
import type { OnWait } from './waited.ts';

export interface BucketOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly mayOverwrite: boolean;
  /** Folder of this place's own, in which files lie till they are up. */
  readonly staging: string;
  readonly timeoutMs?: number;
  readonly retryMs?: number;
  readonly onBytes?: Way['onBytes'];
  readonly onWait?: OnWait;
}

/** A place in a bucket that files are put into. */
export interface Bucket {
  readonly addressOf: (path: string) => string;
  /** Whether an object has that name below the place; throws where nobody may look. */
  readonly has: (path: string) => Promise<boolean>;
  /** Objects below the place whose paths begin with a text: their sizes by their paths. */
  readonly sizesBelow: (beginning: string) => Promise<ReadonlyMap<string, number>>;
  /** Whether an object holds these bytes, found by reading it to its end. */
  readonly isSame: (path: string, expected: Expected) => Promise<boolean>;
  /** What comes of an object; undefined where there is none of that name. */
  readonly read: (path: string) => Promise<AsyncGenerator<Uint8Array> | undefined>;
  /** A text of at most so many bytes; undefined where there is none of that name. */
  readonly readText: (path: string, mostBytes: number) => Promise<string | undefined>;
  readonly putFile: (local: string, path: string, sha256?: string) => Promise<StoredObject>;
  readonly putFolder: (local: string, path: string, choice: FolderChoice) => Promise<readonly StoredObject[]>;
}

/** Longest wait for an answer unless somebody says otherwise. */
const TIMEOUT_MS = 30_000;

/** What was stopped has so long to tidy up. */
const TIDY_MS = 500;

/** Throws ObjectsError where keys or address are missing; the store itself is asked for nothing yet. */
export async function openBucket(place: ObjectPlace, options: BucketOptions): Promise<Bucket> {
  const access = accessFrom(options.env, place.bucket);
  const store = storeFor(access, place, options);
  const unfinished = join(options.staging, UNFINISHED);
  const way: Way = {
    store,
    unfinished,
    afterwards: () => storeFor(access, place, { ...options, signal: AbortSignal.timeout(TIDY_MS) }),
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
      return putObject({ path: local, key: keyBelow(place, path), ...(sha256 !== undefined && { sha256 }) }, way);
    },
    putFolder: async (local, path, choice) => {
      await abortUnfinished(unfinished, store);
      const below = path === '' ? place : { ...place, prefix: keyBelow(place, path) };
      return putFolder(local, below, choice, way);
    },
  };
}

/** A text in a bucket of at most so many bytes; undefined where there is none of that name. Throws ObjectsError. */
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
        `${addressOf(store.bucket, key)} is too long to be read`,
        'name another place',
        'untrusted',
      );
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

async function bodyAt(store: Store, key: string): Promise<AsyncGenerator<Uint8Array> | undefined> {
  const reading = await store.read(key);
  return reading === undefined ? undefined : chunksOf(reading.body, store);
}

async function* chunksOf(body: ReadableStream<Uint8Array>, store: Store): AsyncGenerator<Uint8Array> {
  try {
    yield* timedBody(body, { ...store, attempt: 1, attempts: 1 });
  } catch (error) {
    throw lineError(error, store.host, store.manner.signal);
  }
}

/** What a staging folder has beside the files. */
const UNFINISHED = '.unfinished-uploads';

/** Of an object that is only looked for nothing is read. */
const NOTHING = { bytes: -1, sha256: '' } as const;

const storeFor = (access: Access, { bucket }: ObjectPlace, options: BucketOptions): Store =>
  openStore(access, bucket, {
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retryMs: options.retryMs ?? 500,
    mayOverwrite: options.mayOverwrite,
    onWait: options.onWait ?? (() => {}),
  });
