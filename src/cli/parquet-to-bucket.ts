import { join, resolve } from 'node:path';
import type { ParquetManifest } from '../answers/index.ts';
import type { StoredObject } from '../objects/index.ts';
import { type BucketPlace, bucketPlace } from './bucket-place.ts';
import type { Context } from './context.ts';
import type { Given } from './options.ts';
import { UsageError } from './usage-error.ts';

const MANIFEST = '_blockglass.json';

/** What tells of the other files of a folder of Parquet. */
export const PARQUET_LAST: readonly string[] = ['_names.json', MANIFEST];

export interface ParquetPlace extends BucketPlace {
  /** Folder of its own in which the files are made. */
  readonly out: string;
}

/** The place in a bucket that Parquet files of these exports are to go into; undefined where --out is none. */
export async function parquetPlace(given: Given, context: Context): Promise<ParquetPlace | undefined> {
  const inputs = given.words.map(word => resolve(word)).toSorted();
  const place = await bucketPlace(given, context, ['parquet', ...inputs].join('\n'));
  if (place === undefined) return undefined;
  try {
    if (place.fileName !== null) throw new UsageError('Parquet is a folder: --out s3://BUCKET/PREFIX, without .zip');
    const out = join(place.folder, 'parquet');
    const { readParquetManifest } = await import('../answers/index.ts');
    const isStaged = (await readParquetManifest(out).catch(() => undefined)) !== undefined;
    // It is asked for all the same: whoever may not look there hears of it before anything is converted.
    if ((await place.bucket.has(MANIFEST)) && !isStaged && !given.has('overwrite'))
      throw new UsageError(
        `${place.bucket.addressOf(MANIFEST)} exists: choose another prefix, or replace it with --overwrite`,
      );
    return { ...place, out };
  } catch (error) {
    await place.release();
    throw error;
  }
}

/** Puts a folder of Parquet below a place, and takes it away here. Throws where files would stay that it does not have. */
export async function putParquet(
  { manifest, out }: { readonly manifest: ParquetManifest; readonly out: string },
  path: string,
  { bucket, forget }: BucketPlace,
): Promise<readonly StoredObject[]> {
  const files = manifest.tables.flatMap(table => table.files);
  await refuseForeignObjects(files, path, bucket);
  const verified = new Map(files.map(file => [file.path, file.sha256]));
  const put = await bucket.putFolder(out, path, { last: PARQUET_LAST, verified });
  await forget(out);
  return put;
}

/** Throws where other files lie at a place: engines would read them with these, told of by a manifest or not. */
export async function refuseForeignObjects(
  files: readonly { readonly path: string }[],
  path: string,
  bucket: BucketPlace['bucket'],
): Promise<void> {
  const below = path === '' ? '' : `${path}/`;
  const own = new Set(files.map(file => file.path));
  const there = (await bucket.namesBelow(`${below}table=`)).map(name => name.slice(below.length));
  const stale = there.filter(name => !/(?:^|\/)[._][^/]*$/.test(name) && !own.has(name));
  if (stale.length > 0)
    throw new UsageError(
      `${bucket.addressOf(path === '' ? MANIFEST : path)}: files are there that these exports do not have (${stale.length}, ${stale[0]}), and engines would read them too: choose another prefix`,
    );
}
