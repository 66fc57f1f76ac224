import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askedByName } from '../../export/archive-name.ts';
import { readManifest, SLICES_MANIFEST } from '../../export/manifest.ts';
import { PARQUET_MANIFEST, readParquetManifest } from '../parquet/parquet-manifest.ts';

/** Which exports of a folder are looked for. */
export interface Wanted {
  /** Those that have one of them, if there are any: what a question does not need is not read for it. */
  readonly tables?: readonly string[] | undefined;
  /** What Parquet can be made of, and no Parquet. */
  readonly isToConvert?: boolean;
}

/**
 * The exports in a folder, or the folder itself where it is one. Where some are there as Parquet only those are meant:
 * an archive beside them is most likely what they were made of.
 */
export async function findExports(
  folder: string,
  { tables, isToConvert = false }: Wanted = {},
): Promise<readonly string[]> {
  if (!isToConvert && (await isParquet(folder))) return [folder];
  if (await isSlices(folder)) return [folder];
  const { folders, files } = await entriesOf(folder);
  const parquet = isToConvert ? [] : await filtered(folders, isParquet);
  const archives = [...files.filter(isWholeArchive), ...(await filtered(folders, isSlices))];
  for (const found of [parquet, archives]) {
    const needed = tables === undefined ? found : await filtered(found, path => hasOneOf(path, tables));
    if (needed.length > 0) return needed;
  }
  return parquet.length > 0 ? parquet : archives;
}

async function hasOneOf(path: string, tables: readonly string[]): Promise<boolean> {
  const named = askedByName(path);
  if (named !== undefined) return tables.includes(named.table);
  if (await isSlices(path)) return tables.includes((await readManifest(path))?.table ?? '');
  return (await readParquetManifest(path))?.tables.some(({ name }) => tables.includes(name)) ?? false;
}

/** By its name: an export that is not complete has another. */
const isWholeArchive = (path: string): boolean =>
  path.endsWith('.zip') && !path.endsWith('.incomplete.zip') && askedByName(path) !== undefined;

/** What of a folder looks like an export and is not among those taken: under another name, or beside what was made of it. */
export async function exportsLeft(folder: string, taken: readonly string[]): Promise<readonly string[]> {
  if (taken.includes(folder)) return [];
  const { folders, others } = await entriesOf(folder);
  const archives = others.filter(path => /\.zip$/i.test(path));
  const exports = await filtered(folders, async path => (await isSlices(path)) || isParquetThere(path));
  return [...archives, ...exports].filter(path => !taken.includes(path));
}

async function entriesOf(folder: string) {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const paths = (some: typeof entries): readonly string[] => some.map(({ name }) => join(folder, name));
  return {
    folders: paths(entries.filter(entry => entry.isDirectory())),
    files: paths(entries.filter(entry => entry.isFile())),
    /** Links too. */
    others: paths(entries.filter(entry => !entry.isDirectory())),
  };
}

/** Whether a folder has the manifest of one of Parquet, or of slices; one that cannot be read, too. */
export const isParquetThere = (folder: string): Promise<boolean> =>
  isThere(access(join(folder, PARQUET_MANIFEST)).then(() => true));
export const isSlicesThere = (folder: string): Promise<boolean> =>
  isThere(access(join(folder, SLICES_MANIFEST)).then(() => true));

const isParquet = (path: string): Promise<boolean> => isThere(readParquetManifest(path));
const isSlices = (path: string): Promise<boolean> => isThere(readManifest(path));

/** A manifest that cannot be read is none here: who means that folder names it, and is told. */
const isThere = (manifest: Promise<unknown>): Promise<boolean> =>
  manifest.then(
    found => found !== undefined,
    () => false,
  );

async function filtered(
  paths: readonly string[],
  isWanted: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const wanted: string[] = [];
  for (const path of paths) if (await isWanted(path)) wanted.push(path);
  return wanted;
}
