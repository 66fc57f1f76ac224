import { constants } from 'node:fs';
import { access, type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expandHome } from '../../base/disk/expand-home.ts';
import { bucketProblem } from '../../base/text/bucket-address.ts';
import { formatByteCount } from '../../base/text/byte-count.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import { DestinationError } from './destination-error.ts';
import { archiveName, type ExportPlan, exportFromFileName, sliceFolderName } from './export-plan.ts';

/** A destination, checked before the export starts. */
export interface DestinationCheck {
  /** Absolute path of the file or folder of slices. */
  readonly path: string;
  readonly exists: boolean;
  /** Why it cannot be used, or null. */
  readonly problem: string | null;
  /** Free bytes of the file system; null when not known. */
  readonly freeBytes: number | null;
  /** Estimated size, when a similar export is in the folder. */
  readonly size?: string;
}

/** Checks that an export can be written, and how much space there is. */
export async function checkDestination(plan: ExportPlan, freeIn = freeSpace): Promise<DestinationCheck> {
  const problemOfBucket = bucketProblem(plan.destination);
  if (problemOfBucket !== undefined)
    return { path: plan.destination, exists: false, problem: problemOfBucket, freeBytes: null };
  // An existing folder of slices is continued, not overwritten.
  if (plan.slices !== undefined)
    return {
      path: join(destinationFolder(plan), sliceFolderName(plan)),
      exists: false,
      ...(await checkFreeSpace(destinationFolder(plan), freeIn)),
      ...(await estimateSize(destinationFolder(plan), plan)),
    };
  const path = destinationPath(plan, archiveName(plan));
  const room = await checkFreeSpace(dirname(path), freeIn);
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
  const problem = isFolder ? `${path} is a folder, not a file: choose another name` : room.problem;
  return { path, exists: await isPathTaken(path), ...room, problem, ...(await estimateSize(dirname(path), plan)) };
}

async function estimateSize(folder: string, plan: ExportPlan): Promise<Pick<DestinationCheck, 'size'>> {
  const size = await estimateExportSize(folder, plan);
  return size === null ? {} : { size };
}

/** With less free space no download is started. */
export const MIN_FREE_BYTES = 16 * 1024 * 1024;

async function checkFreeSpace(
  folder: string,
  freeIn: typeof freeSpace,
): Promise<Pick<DestinationCheck, 'problem' | 'freeBytes'>> {
  const [unusable, freeBytes] = await Promise.all([folderProblem(folder), freeIn(folder)]);
  const isFull = freeBytes !== null && freeBytes < MIN_FREE_BYTES;
  return {
    freeBytes,
    problem:
      unusable ?? (isFull ? `almost no space left in ${folder}: free some space or choose another folder` : null),
  };
}

/** A leading `~` stands for the home. homedir() throws for a user without one, so it is only called for `~`. */
/** The path for an archive of this name; a file name in the plan wins. */
export function destinationPath(plan: ExportPlan, name: string): string {
  const typed = expandHome(plan.destination);
  return /\.zip$/i.test(typed) ? resolve(typed) : join(resolve(typed), name);
}

/** The folder in the plan, for an export in slices. */
export const destinationFolder = (plan: ExportPlan): string => resolve(expandHome(plan.destination));

/** Creates `NAME.part` next to the final file, or the first free `NAME.2.part`. Throws DestinationError. */
export async function createPartFile(path: string): Promise<{ readonly file: FileHandle; readonly partPath: string }> {
  for (let number = 1; ; number++) {
    const partPath = number === 1 ? `${path}.part` : `${path}.${number}.part`;
    try {
      return { file: await open(partPath, 'wx', 0o600), partPath };
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST') || number === 99)
        throw new DestinationError(writeFailureText(partPath, error));
    }
  }
}

/** Renames an incomplete part to `NAME.incomplete.zip`, or the first free `NAME.2.incomplete.zip`. */
export async function renameIncomplete(partPath: string, path: string): Promise<string> {
  const stem = path.replace(/\.zip$/i, '');
  for (let number = 1; ; number++) {
    const named = number === 1 ? `${stem}.incomplete.zip` : `${stem}.${number}.incomplete.zip`;
    if (await isPathTaken(named)) continue;
    await rename(partPath, named);
    return named;
  }
}

/** Gives a complete part its final name. Throws DestinationError when another file has it and may not be replaced. */
export async function publishPartFile(
  partPath: string,
  path: string,
  { mayOverwrite, hardLink = link }: { readonly mayOverwrite: boolean; readonly hardLink?: typeof link },
): Promise<void> {
  try {
    if (mayOverwrite) return await rename(partPath, path);
    await hardLink(partPath, path);
    await rm(partPath);
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST'))
      throw new DestinationError(
        `${path} was created by another program. The complete export is ${partPath}: rename it`,
      );
    if (!lacksHardLinks(error)) throw new DestinationError(writeFailureText(path, error));
    // This file system has no hard links.
    if (await isPathTaken(path))
      throw new DestinationError(
        `${path} was created by another program. The complete export is ${partPath}: rename it`,
      );
    await rename(partPath, path);
  }
}

/** Creates a folder and those above it. Throws DestinationError. Node's recursive mkdir never ends where a file system refuses folders. */
export async function createFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory();
    if (isFolder === true) return;
    if (hasErrorCode(error, 'EEXIST')) throw new DestinationError(`${folder} is not a folder: choose another`);
    const parent = dirname(folder);
    if (!hasErrorCode(error, 'ENOENT') || parent === folder || (await isPathTaken(parent)))
      throw new DestinationError(
        hasErrorCode(error, 'ENOENT')
          ? `${folder} cannot be created: choose another folder`
          : writeFailureText(folder, error),
        { cause: error },
      );
    await createFolder(parent, mode);
    await createFolder(folder, mode);
  }
}

/** Whether the name is in use. A link counts even when its target is missing. */
export async function isPathTaken(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Why a write failed, and what to do. */
export function writeFailureText(path: string, error: unknown): string {
  if (hasErrorCode(error, 'ENOSPC') || hasErrorCode(error, 'EDQUOT'))
    return `no space left for ${path}: free some space or choose another folder`;
  if (isWriteDenied(error)) return `no permission to write ${path}: choose another folder`;
  if (hasErrorCode(error, 'ENAMETOOLONG')) return `${path} cannot be written: the name is too long`;
  if (hasErrorCode(error, 'ENOENT')) return `the folder of ${path} does not exist: create it or choose another`;
  return `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
}

/** Whether a write failed because the place is read-only for this user. */
export const isWriteDenied = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS'].some(
    code => hasErrorCode(error, code) || (error instanceof DestinationError && hasErrorCode(error.cause, code)),
  );

/** Whether a write failed because the disk is full, or a quota or file size limit is reached. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof DestinationError && ['ENOSPC', 'EDQUOT', 'EFBIG'].some(code => hasErrorCode(error.cause, code));

/** Turns a file system error into a DestinationError; other errors are returned unchanged. */
export function toDestinationError(path: string, error: unknown): unknown {
  const isOfTheSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return isOfTheSystem ? new DestinationError(writeFailureText(path, error)) : error;
}

async function folderProblem(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK);
    return null;
  } catch (error) {
    return hasErrorCode(error, 'ENOENT')
      ? `the folder ${folder} does not exist: create it or choose another`
      : `no permission to write to the folder ${folder}`;
  }
}

/** Free bytes of the file system of a folder; null when not known. */
export async function freeSpace(folder: string): Promise<number | null> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
}

/** Whether an error means that the file system has no hard links. */
export const lacksHardLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].some(code => hasErrorCode(error, code));

/** Whether an error has this system code, such as EEXIST. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Entries of a folder to look at. */
const MAX_FOLDER_ENTRIES = 10_000;

/**
 * Estimates the size of an export from the longest one of the same table and chain in the folder; null when there is
 * none.
 */
async function estimateExportSize(folder: string, plan: ExportPlan): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  let best: { readonly name: string; readonly blocks: bigint } | undefined;
  for (const name of names.slice(0, MAX_FOLDER_ENTRIES)) {
    const asked = name.endsWith('.zip') && !name.endsWith('.incomplete.zip') ? exportFromFileName(name) : undefined;
    if (asked === undefined || asked.table !== plan.table.id || asked.chainId !== plan.chainId) continue;
    const blocks = asked.toBlock - asked.fromBlock + 1n;
    if (best === undefined || blocks > best.blocks) best = { name, blocks };
  }
  if (best === undefined) return null;
  const found = await stat(join(folder, best.name)).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size === 0) return null;
  const blocks = Number(plan.toBlock - plan.fromBlock + 1n);
  const bytes = (found.size / Number(best.blocks)) * blocks;
  return `about ${formatByteCount(bytes)}, estimated from ${best.name}: ${formatByteCount(found.size)} for ${groupDigits(String(best.blocks))} blocks`;
}
