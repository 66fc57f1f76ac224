import { stat } from 'node:fs/promises';
import { unreadable } from '../../export/check/regular-file.ts';
import { UnreadableError } from '../../export/check/unreadable-error.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { exportsLeft, findExports, isParquetThere, isSlicesThere, type Wanted } from './find-exports.ts';

/** The exports that a user selected. */
export interface MeantExports {
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
export async function meantExports(named: readonly string[], wanted: Wanted = {}): Promise<MeantExports> {
  const found: MeantExports[] = [];
  for (const path of named) found.push(await meantBy(path, wanted));
  return {
    paths: found.flatMap(({ paths }) => paths),
    left: found.flatMap(({ left }) => left),
    isSearched: found.some(({ isSearched }) => isSearched),
  };
}

async function meantBy(path: string, wanted: Wanted): Promise<MeantExports> {
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
    if (paths.length === 0) throw await nothingIn(path, left, wanted);
    return { paths, left, isSearched: true };
  } catch (error) {
    const problem = unreadable(path, error);
    throw problem instanceof UnreadableError ? new AnswerError(problem.message, whatIsTaken(wanted)) : problem;
  }
}

/** Also true for an unreadable manifest: opening the folder reports the error. */
const isExport = async (folder: string, { isToConvert = false }: Wanted): Promise<boolean> =>
  (await isSlicesThere(folder)) || (!isToConvert && (await isParquetThere(folder)));

async function nothingIn(folder: string, left: readonly string[], wanted: Wanted): Promise<AnswerError> {
  const place = folder === '.' ? 'this folder' : folder;
  if (wanted.isToConvert === true && (await isParquetThere(folder)))
    return new AnswerError(
      `${place} holds Parquet files, and nothing to convert`,
      'ask it as it is: blockglass query, answer or view',
    );
  return left.length > 0
    ? new AnswerError(`nothing in ${place} is called as an export is`, `name what is meant, of ${someOf(left)}`)
    : new AnswerError(`there is no export in ${place}`, whatIsTaken(wanted));
}

const whatIsTaken = ({ isToConvert = false }: Wanted): string =>
  isToConvert
    ? 'name a ZIP file, a folder of slices, or a folder that holds some'
    : 'name a ZIP file, a folder of slices or of Parquet, or a folder that holds some';

/** The first of them, and how many more there are. */
export const someOf = (paths: readonly string[]): string =>
  `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
