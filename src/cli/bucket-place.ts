import { createHash } from 'node:crypto';
import { rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { cacheFolder } from '../directory/cache-folder.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { type FolderLock, lockFolder } from '../export/manifest/folder-lock.ts';
import { writeProblem } from '../export/plan/destination.ts';
import { DestinationError } from '../export/plan/destination-error.ts';
import type { Bucket, StoredObject, Waited } from '../objects/index.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Context } from './context.ts';
import { describeError } from './describe-error.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import type { Flag, Given } from './options.ts';
import { UsageError } from './usage-error.ts';

/** For commands whose --out may be a place in a bucket. */
export const STAGING: Flag = {
  name: 'staging',
  kind: 'text',
  value: 'PATH',
  about: 'with --out s3://: folder for files until they are verified and uploaded (default: in the cache folder)',
};

/** A place in a bucket, and the folder where everything stays until it is verified and uploaded. */
export interface BucketPlace {
  readonly bucket: Bucket;
  /** `s3://bucket/prefix`. */
  readonly address: string;
  /** Private to this user, and the same for every run with this place. */
  readonly folder: string;
  /** The file name in `s3://bucket/a/b.zip`; null for a prefix. */
  readonly fileName: string | null;
  /** Deletes an uploaded file or folder from the staging folder. */
  readonly forget: (path: string) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Whether a place is one in a bucket. */
export const isInBucket = (place: string | undefined): boolean => /^s3:\/\//i.test(place ?? '');

/**
 * Opens the bucket that --out names; undefined when it names none. `what` keeps parallel uploads to one place apart.
 * Throws ObjectsError.
 */
export async function bucketPlace(
  given: Given,
  context: Pick<Context, 'env' | 'signal' | 'stderr'>,
  what: string,
): Promise<BucketPlace | undefined> {
  const named = given.text('out') ?? '';
  if (!isInBucket(named)) {
    if (given.has(STAGING.name)) throw new UsageError('--staging needs --out s3://BUCKET/PREFIX');
    return undefined;
  }
  const { addressOf, openBucket, objectPlace } = await import('../objects/index.ts');
  const typed = objectPlace(named);
  const [, above = '', fileName = null] = /^(?:(.*)\/)?([^/]+\.zip)$/is.exec(typed.prefix) ?? [];
  const place = fileName === null ? typed : { ...typed, prefix: above };
  const folder = stagingFolder(given, context.env, `${place.bucket}/${place.prefix}`, what);
  const timeoutS = given.number('timeout', 1, 86_400);
  const bucket = await openBucket(place, {
    env: context.env,
    signal: context.signal,
    mayOverwrite: given.has('overwrite'),
    staging: folder,
    onBytes: uploadProgress(context),
    onWait: waitProgress(context),
    ...(timeoutS !== undefined && { timeoutMs: timeoutS * 1000 }),
  });
  const lock = await takeFolder(folder);
  return {
    bucket,
    address: addressOf(place.bucket, place.prefix),
    folder,
    fileName,
    forget: path => rm(path, { recursive: true, force: true }),
    release: async () => {
      await lock.release();
      // Only an empty folder is removed: other files are needed to resume.
      await rmdir(folder).catch(() => {});
    },
  };
}

function stagingFolder(given: Given, env: NodeJS.ProcessEnv, place: string, what: string): string {
  const cache = cacheFolder(env);
  const named = given.text(STAGING.name) ?? (cache === null ? undefined : join(dirname(cache), 'uploads'));
  if (named === undefined) throw new UsageError('there is no cache folder. Choose one with --staging PATH.');
  const id = createHash('sha256').update(`${place}\n${what}`).digest('hex').slice(0, 16);
  return join(resolve(named), `${what.replace(/[^a-z0-9]/g, '-')}-${id}`);
}

async function takeFolder(folder: string): Promise<FolderLock> {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new DestinationError(writeProblem(folder, error));
  }
  return await lockFolder(folder);
}

function uploadProgress({ stderr }: Pick<Context, 'stderr'>): (step: 'sent' | 'read back', bytes: number) => void {
  const sums = { sent: 0, 'read back': 0 };
  let reportedMs = 0;
  return (step, bytes) => {
    sums[step] += bytes;
    if (Date.now() - reportedMs < TELL_EVERY_MS) return;
    reportedMs = Date.now();
    stderr.progress(`uploading: ${megabytes(sums.sent)} sent, ${megabytes(sums['read back'])} read back`);
  };
}

/** A progress line that counts down while a store does not answer. */
export const waitProgress =
  ({ stderr }: Pick<Context, 'stderr'>) =>
  (waited: Waited | null): void =>
    stderr.progress(waited === null ? '' : waitText(waited));

function waitText({ host, attempt, attempts, leftMs }: Waited): string {
  const which = attempts === 1 ? '' : ` try ${attempt} of ${attempts},`;
  return `waiting for the store,${which} ${Math.ceil(leftMs / 1000)} s left: ${host} has not answered`;
}

const TELL_EVERY_MS = 200;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Uploads verified files and reports the result. Resolves with the exit code. */
export async function sendAll(
  { folder }: BucketPlace,
  context: Pick<Context, 'stderr' | 'signal'>,
  send: () => Promise<readonly StoredObject[]>,
): Promise<number> {
  const { stderr, signal } = context;
  try {
    const put = await send();
    stderr.progress('');
    await stderr.safe(safeLine(upText(put)));
    return EXIT.done;
  } catch (error) {
    stderr.progress('');
    if (!signal.aborted) await stderr.safe(describeError(error));
    await stderr.safe(
      safeLine(`It is verified and saved in ${folder}. Run the same command again to upload the rest.`),
    );
    return signal.aborted ? EXIT.interrupted : exitCodeFor(error);
  }
}

function upText(put: readonly StoredObject[]): string {
  const already = put.filter(({ isNew }) => !isNew).length;
  const bytes = put.reduce((sum, object) => sum + object.bytes, 0);
  const objects = `${put.length} ${put.length === 1 ? 'object' : 'objects'}, ${megabytes(bytes)}`;
  const before = already === 0 ? '' : `, ${already} already there`;
  return `in the bucket: ${objects}${before}; each was read back and its SHA-256 matches the file`;
}
