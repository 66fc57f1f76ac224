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
  /** What is there already, and is added to. */
  readonly before: ParquetManifest | undefined;
  readonly elsewhere: ReadonlyMap<string, number>;
}

/** The place in a bucket that Parquet files of these exports are to go into; undefined where --out is none. */
export async function parquetPlace(given: Given, context: Context): Promise<ParquetPlace | undefined> {
  const inputs = given.words.map(word => resolve(word)).toSorted();
  const place = await bucketPlace(given, context, ['parquet', ...inputs].join('\n'));
  if (place === undefined) return undefined;
  try {
    if (place.fileName !== null)
      throw new UsageError('Parquet files need a folder. Use --out s3://BUCKET/PREFIX, without .zip');
    const out = join(place.folder, 'parquet');
    // Checked even so: a missing permission shows before anything is converted.
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

/** The manifest of Parquet files at a place. Throws AnswerError where it is none of this program. */
export async function manifestThere(bucket: BucketPlace['bucket'], path = ''): Promise<ParquetManifest | undefined> {
  const name = path === '' ? MANIFEST : `${path}/${MANIFEST}`;
  const text = await bucket.readText(name, MOST_BYTES);
  if (text === undefined) return undefined;
  const { parquetManifestIn } = await import('../answers/index.ts');
  return parquetManifestIn(text, bucket.addressOf(name));
}

const MOST_BYTES = 64 * 1024 * 1024;

/** What was converted and not sent stays, if it goes on from what is there; else what is there is gone on from. */
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

/** Whether the names there are those that lie in a folder here: the same files may be asked for another range. */
export async function hasNamesOf({ bucket }: BucketPlace, out: string): Promise<boolean> {
  const [here, there] = await Promise.all([
    readFile(namesOfParquet(out), 'utf8').catch(() => undefined),
    bucket.readText(basename(namesOfParquet(out)), MOST_BYTES),
  ]);
  return here === there;
}

const sourcesOf = ({ name, files }: ParquetManifest['tables'][number]): readonly string[] =>
  files.map(({ path, sha256 }) => `${name} ${path} ${sha256}`);

/** Puts a folder of Parquet below a place, and takes it away here. Throws where files would stay that it does not have. */
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

/** Throws where other files lie at a place: engines would read them too, in the manifest or not. */
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
