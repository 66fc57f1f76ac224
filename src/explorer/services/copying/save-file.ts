import { randomBytes } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { makeFolder } from '../../../base/disk/make-folder.ts';
import { hasErrorCode, lacksHardLinks, writeFailureText } from '../../../history/plan/destination.ts';
import { DestinationError } from '../../../history/plan/destination-error.ts';
import type { Saved } from './content.ts';

export interface SaveOptions {
  readonly mayReplace: boolean;
  /** Before the umask. */
  readonly mode: number;
  readonly signal: AbortSignal;
}

/** Writes a text to a file, in full or not at all. Throws DestinationError with the reason. */
export async function saveFile(typed: string, pieces: AsyncIterable<string>, options: SaveOptions): Promise<Saved> {
  let shown = typed;
  try {
    const path = resolve(typed.replace(/^~(?=\/|$)/, () => homedir()));
    shown = shownPath(path);
    if (await isTaken(path, options.mayReplace)) return { kind: 'exists', path: shown };
    return { kind: (await writeWhole(path, pieces, options)) ? 'saved' : 'exists', path: shown };
  } catch (error) {
    const isOfTheSystem = error instanceof Error && 'code' in error && !(error instanceof DestinationError);
    throw isOfTheSystem ? new DestinationError(writeFailureText(shown, error)) : error;
  }
}

/** Like `saveFile`, in the first folder that takes it, by the first name that is free: `NAME.csv`, `NAME-2.csv`. */
export async function saveUnderFreeName(
  name: string,
  folders: readonly string[],
  pieces: () => AsyncIterable<string>,
  signal: AbortSignal,
): Promise<string> {
  let why = 'no folder to save it in';
  for (const folder of folders) {
    try {
      makeFolder(resolve(folder));
      for (let number = 1; number <= MAX_NAMES_TRIED; number++) {
        const path = join(folder, numberedName(name, number));
        if (await isTaken(path, false)) continue;
        const saved = await saveFile(path, pieces(), { mayReplace: false, mode: 0o600, signal });
        if (saved.kind === 'saved') return saved.path;
      }
    } catch (error) {
      signal.throwIfAborted();
      why = error instanceof Error ? error.message : String(error);
    }
  }
  throw new DestinationError(`too large for the clipboard, and not saved: ${why}`);
}

const MAX_NAMES_TRIED = 99;

const numberedName = (name: string, number: number): string =>
  number === 1 ? name : `${basename(name, extname(name))}-${number}${extname(name)}`;

/** Whether a file is in the way that the user may be asked about; anything other than a file cannot be replaced. */
async function isTaken(path: string, mayReplace: boolean): Promise<boolean> {
  const found = await lstat(path).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (found === null) return false;
  if (found.isDirectory()) throw new DestinationError(`${shownPath(path)} is a folder: choose a file in it`);
  // What would take the place of a link to a folder would take that folder away.
  const isLink = found.isSymbolicLink();
  if (isLink && (await stat(path).catch(() => null))?.isDirectory())
    throw new DestinationError(`${shownPath(path)} leads to a folder: choose a file in it`);
  if (!found.isFile() && !isLink)
    throw new DestinationError(`${shownPath(path)} is not a regular file: choose another name`);
  return !mayReplace;
}

/** False if a file appeared there in the meantime. */
async function writeWhole(path: string, pieces: AsyncIterable<string>, options: SaveOptions): Promise<boolean> {
  // Next to the final file, so that it can be renamed to it; a long name leaves no room for another ending.
  const partPath = join(dirname(path), `.blockglass-${randomBytes(6).toString('hex')}.part`);
  const file = await open(partPath, 'wx', options.mode);
  try {
    await writePieces(file, pieces, options.signal);
    await file.close();
    return await moveIntoPlace(partPath, path, options.mayReplace);
  } finally {
    await file.close().catch(() => {});
    await rm(partPath, { force: true });
  }
}

async function writePieces(file: FileHandle, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    await file.appendFile(piece);
  }
  await file.sync();
}

async function moveIntoPlace(partPath: string, path: string, mayReplace: boolean): Promise<boolean> {
  if (mayReplace) {
    await rename(partPath, path);
    return true;
  }
  try {
    await link(partPath, path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    if (!lacksHardLinks(error)) throw error;
    // A file system without hard links.
    if (await isTaken(path, false)) return false;
    await rename(partPath, path);
    return true;
  }
}

function shownPath(path: string): string {
  try {
    const below = relative(resolve('.'), path);
    return below === '' || below.startsWith('..') || resolve(below) !== path ? path : `./${below}`;
  } catch {
    // The program's current folder no longer exists.
    return path;
  }
}
