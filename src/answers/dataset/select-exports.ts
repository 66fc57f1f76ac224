import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bucketCopyCommand, isBucketAddress } from '../../base/text/bucket-address.ts';
import { UnreadableError } from '../../history/check/unreadable-error.ts';
import { openHistory } from '../../history/store/chain-history.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { chooseExports, type SelectedExports, type SelectionOptions, type UnusedExport } from './choose-exports.ts';
import { selectHistory } from './history-exports.ts';
import { type FoundExport, isExport, type RecognisedPath, recognise } from './recognise.ts';

/**
 * The exports at the given paths, judged by their content. A folder that is not an export selects the exports in it. If
 * several were found, unusable ones are left out; if none is usable, AnswerError gives the reason.
 */
export async function selectExports(named: readonly string[], wanted: SelectionOptions = {}): Promise<SelectedExports> {
  const { found, isSearched } = await gatherExports(named, wanted);
  const history = found.find(({ kind }) => kind === 'history');
  if (history !== undefined && !isSearched) {
    if (found.length > 1)
      throw new AnswerError(`${history.path} is the history of a chain`, 'pass only this folder, or leave it out');
    return selectHistory(await openHistory(history.path), wanted);
  }
  const names = found.filter(({ kind }) => kind === 'names').map(({ path }) => path);
  const [only] = found;
  // Opening it gives the best error message.
  if (only !== undefined && !isSearched && named.length === 1 && isUsableKind(only, wanted))
    return { paths: [only.path], without: new Map(), left: [], names: [], blocks: [], isSearched };
  const refused = found.flatMap(each => findRefusal(each, wanted) ?? []);
  const usable = found.filter(isExport).filter(each => findRefusal(each, wanted) === undefined);
  if (usable.length === 0) throw noUsableExportError(named, refused, wanted);
  const isNamed = (path: string): boolean => named.includes(path);
  const chosen = chooseExports(neededExports(usable, wanted, isNamed));
  // Files that are not exports may be in a folder for any reason.
  const left = refused.filter(({ path, isAnExport }) => isAnExport || isNamed(path));
  return { ...chosen, left: [...left, ...chosen.left], names, isSearched };
}

/** The exports and files at the paths and inside plain folders. Throws AnswerError for an unreadable path. */
export async function gatherExports(
  named: readonly string[],
  wanted: SelectionOptions = {},
): Promise<{ readonly found: readonly RecognisedPath[]; readonly isSearched: boolean }> {
  const found: RecognisedPath[] = [];
  let isSearched = false;
  for (const path of uniquePaths(named)) {
    const there = await recogniseNamed(path, wanted);
    if (there.kind === 'folder') {
      isSearched = true;
      found.push(...(await recogniseInFolder(path)));
    } else if (isExport(there) && there.kind === 'parquet') {
      // Parquet may have been written into the folder of its ZIPs.
      const beside = (await recogniseInFolder(path)).filter(isExport);
      isSearched ||= beside.length > 0;
      found.push(there, ...beside);
    } else found.push(there);
  }
  return { found, isSearched };
}

/** A file that is named twice is read once. */
const uniquePaths = (paths: readonly string[]): Iterable<string> =>
  new Map(paths.map(path => [resolve(path), path])).values();

async function recogniseNamed(path: string, wanted: SelectionOptions): Promise<RecognisedPath> {
  if (isBucketAddress(path))
    throw new AnswerError(
      `${path} is in a bucket, and only exports on disk are read`,
      `copy it here first: ${bucketCopyCommand(path)} --recursive ${path} FOLDER`,
    );
  try {
    return await recognise(path);
  } catch (error) {
    throw error instanceof UnreadableError ? new AnswerError(error.message, acceptedPaths(wanted)) : error;
  }
}

/** In the order of names. Unreadable files are not exports. */
async function recogniseInFolder(folder: string): Promise<readonly RecognisedPath[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new AnswerError(
      `${folder} cannot be read: ${error instanceof Error ? error.message : error}`,
      'choose another folder',
    );
  });
  const found: RecognisedPath[] = [];
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    found.push(await recognise(path).catch((): RecognisedPath => ({ kind: 'other', path })));
  }
  return found;
}

const isUsableKind = ({ kind }: RecognisedPath, { isToConvert = false }: SelectionOptions): boolean =>
  kind !== 'names' && !(isToConvert && kind === 'parquet');

interface RefusedExport extends UnusedExport {
  readonly isAnExport: boolean;
}

function findRefusal(
  found: RecognisedPath,
  { isToConvert = false, evenIncomplete = false }: SelectionOptions,
): RefusedExport | undefined {
  const { path } = found;
  if (found.kind === 'names') return undefined;
  if (!isExport(found)) return { path, why: 'not an export', isAnExport: false };
  if (isToConvert && found.kind === 'parquet')
    return { path, why: 'Parquet, and this command reads the ZIPs that it was made from', isAnExport: true };
  const { unfinished } = found;
  return unfinished === undefined || (evenIncomplete && found.tables.length > 0)
    ? undefined
    : { path, why: unfinished, isAnExport: true };
}

/** An export that was named is read in any case. */
function neededExports(
  usable: readonly FoundExport[],
  { tables, naming = [] }: SelectionOptions,
  isNamed: (path: string) => boolean,
): readonly FoundExport[] {
  if (tables === undefined) return usable;
  const withOne = (of: readonly string[]) =>
    usable.filter(each => isNamed(each.path) || each.tables.some(({ table }) => of.includes(table)));
  return withOne(tables).length > 0 ? withOne([...tables, ...naming]) : usable;
}

function noUsableExportError(
  named: readonly string[],
  refused: readonly RefusedExport[],
  wanted: SelectionOptions,
): AnswerError {
  const [only = '', ...others] = named;
  const place = others.length > 0 ? 'these files' : only === '.' ? 'this folder' : only;
  const exports = refused.filter(({ isAnExport }) => isAnExport);
  if (exports.length > 0 && exports.every(({ why }) => why.startsWith('Parquet')))
    return new AnswerError(
      `${others.length > 0 ? listFirstFew(exports.map(({ path }) => path)) : place} has Parquet files and no ZIP`,
      'pass the ZIPs they were made from, or use the Parquet files directly: blockglass query, answer or view',
    );
  return exports.length > 0
    ? new AnswerError(
        `no export in ${place} can be used: ${listFirstFew(exports.map(({ path, why }) => `${path} (${why})`))}`,
        wanted.isToConvert === true
          ? 'export it again, or choose one export'
          : 'export it again, or use --even-incomplete',
        'untrusted',
      )
    : new AnswerError(`no export found in ${place}`, acceptedPaths(wanted));
}

const acceptedPaths = ({ isToConvert = false }: SelectionOptions): string =>
  isToConvert
    ? 'pass a ZIP file, a folder of slices, or a folder that contains them'
    : 'pass a ZIP file, a folder of slices or of Parquet, or a folder that contains them';

/** The first three, and the number of further ones. */
const listFirstFew = (texts: readonly string[]): string =>
  `${texts.slice(0, 3).join(', ')}${texts.length > 3 ? ` and ${texts.length - 3} more` : ''}`;
