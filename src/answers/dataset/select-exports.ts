import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unreadable } from '../../export/check/regular-file.ts';
import { UnreadableError } from '../../export/check/unreadable-error.ts';
import { readManifest, SLICES_MANIFEST } from '../../export/manifest/manifest.ts';
import { askedByName } from '../../export/plan/plan.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { PARQUET_MANIFEST, readParquetManifest } from '../parquet/parquet-manifest.ts';

/** The exports that a user selected. */
export interface SelectedExports {
  readonly paths: readonly string[];
  /** Exports in the named folders that are not used. */
  readonly left: readonly string[];
  /** Whether a folder was searched. */
  readonly isSearched: boolean;
}

/**
 * A file or a folder that is an export selects itself, any other folder selects the exports in it. Throws AnswerError if
 * there is none.
 */
export async function selectExports(named: readonly string[], wanted: Wanted = {}): Promise<SelectedExports> {
  const found: SelectedExports[] = [];
  for (const path of named) found.push(await exportsAt(path, wanted));
  return {
    paths: found.flatMap(({ paths }) => paths),
    left: found.flatMap(({ left }) => left),
    isSearched: found.some(({ isSearched }) => isSearched),
  };
}

async function exportsAt(path: string, wanted: Wanted): Promise<SelectedExports> {
  if (/^s3:\/\//i.test(path))
    throw new AnswerError(
      `${path} is in a bucket, and only exports on disk are read`,
      wanted.isToConvert === true
        ? `copy it here first: aws s3 cp --recursive ${path} FOLDER`
        : `copy it here first (aws s3 cp --recursive ${path} FOLDER), or let another engine read it there: blockglass ddl ${path}`,
    );
  try {
    const isFolder = (await stat(path)).isDirectory();
    if (!isFolder || (await isExport(path, wanted))) return { paths: [path], left: [], isSearched: false };
    const paths = await findExports(path, wanted);
    // Parquet next to an archive that is to be converted was most likely made from it.
    const left = wanted.isToConvert === true ? [] : await exportsLeft(path, paths);
    if (paths.length === 0) throw await nothingIn(path, await exportsLeft(path, paths), wanted);
    return { paths, left, isSearched: true };
  } catch (error) {
    const problem = unreadable(path, error);
    throw problem instanceof UnreadableError ? new AnswerError(problem.message, acceptedPaths(wanted)) : problem;
  }
}

/** Also true for an unreadable manifest: opening the folder reports the error. */
const isExport = async (folder: string, { isToConvert = false }: Wanted): Promise<boolean> =>
  (await isSlicesThere(folder)) || (!isToConvert && (await isParquetThere(folder)));

async function nothingIn(folder: string, left: readonly string[], wanted: Wanted): Promise<AnswerError> {
  const place = folder === '.' ? 'this folder' : folder;
  if (wanted.isToConvert === true && (await isParquetThere(folder)))
    return new AnswerError(
      `${place} has Parquet files and nothing to convert`,
      'use it directly: blockglass query, answer or view',
    );
  return left.length > 0
    ? new AnswerError(`no file in ${place} has the name of an export`, `name those you mean: ${someOf(left)}`)
    : new AnswerError(`there is no export in ${place}`, acceptedPaths(wanted));
}

const acceptedPaths = ({ isToConvert = false }: Wanted): string =>
  isToConvert
    ? 'name a ZIP file, a folder of slices, or a folder that holds some'
    : 'name a ZIP file, a folder of slices or of Parquet, or a folder that holds some';

/** The first of them, and how many more there are. */
export const someOf = (paths: readonly string[]): string =>
  `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;

/** Which exports of a folder to find. */
export interface Wanted {
  /** Only exports with one of these tables, if there are any: other files need not be read. */
  readonly tables?: readonly string[] | undefined;
  /** Only exports that can be converted to Parquet. */
  readonly isToConvert?: boolean;
}

/**
 * The exports in a folder, or the folder itself if it is an export. If some are Parquet, only those are used: archives
 * next to them are most likely their sources.
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

/** By name: incomplete exports are named differently. */
const isWholeArchive = (path: string): boolean =>
  path.endsWith('.zip') && !path.endsWith('.incomplete.zip') && askedByName(path) !== undefined;

/** Files and folders that look like exports but are not used: they have other names, or are sources of Parquet. */
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
    /** Including links. */
    others: paths(entries.filter(entry => !entry.isDirectory())),
  };
}

/** Whether a folder has the manifest of Parquet files or of slices, even an unreadable one. */
const isParquetThere = (folder: string): Promise<boolean> =>
  isThere(access(join(folder, PARQUET_MANIFEST)).then(() => true));
const isSlicesThere = (folder: string): Promise<boolean> =>
  isThere(access(join(folder, SLICES_MANIFEST)).then(() => true));

const isParquet = (path: string): Promise<boolean> => isThere(readParquetManifest(path));
const isSlices = (path: string): Promise<boolean> => isThere(readManifest(path));

/** An unreadable manifest counts as none here: naming the folder itself reports the error. */
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
