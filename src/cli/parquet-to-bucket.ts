import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ParquetManifest } from '../answers/index.ts';
import { namesOfParquet } from '../directory/names-file.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { putFile } from '../disk/put-file.ts';
import { countOf } from '../insight/count-of.ts';
import type { StoredObject } from '../objects/index.ts';
import { type BucketPlace, bucketPlace } from './bucket-place.ts';
import type { Context } from './context.ts';
import type { Given } from './options.ts';
import { UsageError } from './usage-error.ts';

const MANIFEST = '_blockglass.json';

/** The files that describe the others of a folder of Parquet. */
export const PARQUET_LAST: readonly string[] = ['_names.json', MANIFEST];

export interface ParquetPlace extends BucketPlace {
  /** Where the files are made. */
  readonly out: string;
  /** The manifest that is there already and is added to. */
  readonly before: ParquetManifest | undefined;
  readonly elsewhere: ReadonlyMap<string, number>;
}

/** The bucket that --out names for the Parquet files; undefined when it names none. */
export async function parquetPlace(given: Given, context: Context): Promise<ParquetPlace | undefined> {
  const inputs = given.words.map(word => resolve(word)).toSorted();
  const place = await bucketPlace(given, context, ['parquet', ...inputs].join('\n'));
  if (place === undefined) return undefined;
  try {
    if (place.fileName !== null)
      throw new UsageError('Parquet files need a folder. Use --out s3://BUCKET/PREFIX, without .zip');
    const out = join(place.folder, 'parquet');
    // Checked in any case, so that a missing permission shows before the conversion.
    const before = await manifestThere(place.bucket);
    if (before === undefined || given.has('overwrite'))
      return { ...place, out, before: undefined, elsewhere: new Map() };
    await goOnFrom(before, out, place);
    return { ...place, out, before, elsewhere: await place.bucket.sizesBelow('table=') };
  } catch (error) {
    await place.release();
    throw error;
  }
}

/** The manifest of Parquet files at a place. Throws AnswerError if blockglass did not write it. */
export async function manifestThere(bucket: BucketPlace['bucket'], path = ''): Promise<ParquetManifest | undefined> {
  const name = path === '' ? MANIFEST : `${path}/${MANIFEST}`;
  const text = await bucket.readText(name, MOST_BYTES);
  if (text === undefined) return undefined;
  const { parquetManifestIn } = await import('../answers/index.ts');
  return parquetManifestIn(text, bucket.addressOf(name));
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Keeps converted files that were not uploaded if they continue what is there. Otherwise starts from what is there. */
async function goOnFrom(before: ParquetManifest, out: string, { bucket, forget }: BucketPlace): Promise<void> {
  const { readParquetManifest } = await import('../answers/index.ts');
  const staged = await readParquetManifest(out).catch(() => undefined);
  const known = new Set(staged?.tables.flatMap(sourcesOf));
  if (before.tables.flatMap(sourcesOf).every(source => known.has(source))) return;
  await forget(out);
  makeFolder(out);
  for (const name of PARQUET_LAST) {
    const text = await bucket.readText(name, MOST_BYTES);
    if (text !== undefined) await putFile(join(out, name), text);
  }
}

/** Whether the names file there equals the one here. The same files may have been requested for another range. */
export async function hasNamesOf({ bucket }: BucketPlace, out: string): Promise<boolean> {
  const [here, there] = await Promise.all([
    readFile(namesOfParquet(out), 'utf8').catch(() => undefined),
    bucket.readText(basename(namesOfParquet(out)), MOST_BYTES),
  ]);
  return here === there;
}

const sourcesOf = ({ name, files }: ParquetManifest['tables'][number]): readonly string[] =>
  files.map(({ path, sha256 }) => `${name} ${path} ${sha256}`);

/** Uploads a Parquet folder and deletes it here. Throws if the bucket has files that are not in it. */
export async function putParquet(
  { manifest, out }: { readonly manifest: ParquetManifest; readonly out: string },
  path: string,
  { bucket, forget }: BucketPlace,
  isAdded = false,
): Promise<readonly StoredObject[]> {
  const files = manifest.tables.flatMap(table => table.files);
  await refuseForeignObjects(files, path, bucket);
  const verified = new Map(files.map(file => [file.path, file.sha256]));
  const replaced = isAdded ? PARQUET_LAST : [];
  const put = await bucket.putFolder(out, path, { last: PARQUET_LAST, verified, replaced });
  await forget(out);
  return put;
}

/** Throws if other files are there: engines would read them too, whether the manifest lists them or not. */
export async function refuseForeignObjects(
  files: readonly { readonly path: string }[],
  path: string,
  bucket: BucketPlace['bucket'],
): Promise<void> {
  const below = path === '' ? '' : `${path}/`;
  const own = new Set(files.map(file => file.path));
  const there = [...(await bucket.sizesBelow(`${below}table=`)).keys()].map(name => name.slice(below.length));
  const stale = there.filter(name => !/(?:^|\/)[._][^/]*$/.test(name) && !own.has(name));
  if (stale.length > 0)
    throw new UsageError(
      `${bucket.addressOf(path === '' ? MANIFEST : path)}: the prefix already contains ${countOf(stale.length, 'file')} that these exports did not produce (first: ${stale[0]}); engines would read them too. Choose an empty prefix.`,
    );
}
