import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { access, link, lstat, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DestinationError } from './destination-error.ts';
import { archiveName, type ExportPlan, folderName } from './plan.ts';
import { estimatedSize } from './size-estimate.ts';

/** What is known of a destination before anything is asked of the node. */
export interface DestinationCheck {
  /** Absolute path of the file, by the naming rule unless the person named a file. */
  readonly path: string;
  readonly exists: boolean;
  /** Why nothing can be written there, or null. */
  readonly problem: string | null;
  /** Free bytes of that file system; null when it does not say. */
  readonly freeBytes: number | null;
  /** About how large it will be, where an export like it lies there. */
  readonly size?: string;
}

export async function checkDestination(plan: ExportPlan, freeIn = freeSpace): Promise<DestinationCheck> {
  if (/^s3:\/\//i.test(plan.destination))
    return { path: plan.destination, exists: false, problem: IN_A_BUCKET, freeBytes: null };
  // A folder of slices that is there already is gone on with, not overwritten.
  if (plan.slices !== undefined)
    return {
      path: join(destinationFolder(plan), folderName(plan)),
      exists: false,
      ...(await roomIn(destinationFolder(plan), freeIn)),
      ...(await sizeIn(destinationFolder(plan), plan)),
    };
  const path = destinationPath(plan, archiveName(plan));
  const room = await roomIn(dirname(path), freeIn);
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
  const problem = isFolder ? `${path} is a folder, not a file: choose another name` : room.problem;
  return { path, exists: await isThere(path), ...room, problem, ...(await sizeIn(dirname(path), plan)) };
}

const IN_A_BUCKET =
  'a bucket is filled by the command: blockglass export --out s3://BUCKET/PREFIX, with the keys in its variables';

async function sizeIn(folder: string, plan: ExportPlan): Promise<Pick<DestinationCheck, 'size'>> {
  const size = await estimatedSize(folder, plan);
  return size === null ? {} : { size };
}

/** With less room nothing is begun, and no slice is asked for. */
export const LEAST_FREE_BYTES = 16 * 1024 * 1024;

async function roomIn(
  folder: string,
  freeIn: typeof freeSpace,
): Promise<Pick<DestinationCheck, 'problem' | 'freeBytes'>> {
  const [unusable, freeBytes] = await Promise.all([folderProblem(folder), freeIn(folder)]);
  const isFull = freeBytes !== null && freeBytes < LEAST_FREE_BYTES;
  return {
    freeBytes,
    problem:
      unusable ?? (isFull ? `there is almost no space left in ${folder}: make room or choose another folder` : null),
  };
}

// Asked for its own sake alone: a user that the machine does not know has no home, and may name any other folder.
const withHome = (typed: string): string => typed.replace(/^~(?=\/|$)/, () => homedir());

/** The file for a name; the person's own file name wins. */
export function destinationPath(plan: ExportPlan, name: string): string {
  const typed = withHome(plan.destination);
  return /\.zip$/i.test(typed) ? resolve(typed) : join(resolve(typed), name);
}

/** The folder that was named, for an export in slices. */
export const destinationFolder = (plan: ExportPlan): string => resolve(withHome(plan.destination));

/** Opens a new file beside the final one: `NAME.part`, or the first free `NAME.2.part`; none is overwritten. */
export async function openPart(path: string): Promise<{ readonly file: FileHandle; readonly partPath: string }> {
  for (let number = 1; ; number++) {
    const partPath = number === 1 ? `${path}.part` : `${path}.${number}.part`;
    try {
      return { file: await open(partPath, 'wx', 0o600), partPath };
    } catch (error) {
      if (!isCode(error, 'EEXIST') || number === 99) throw new DestinationError(writeProblem(partPath, error));
    }
  }
}

/** Names a part that will not become complete `NAME.incomplete.zip`, or the first free `NAME.2.incomplete.zip`. */
export async function nameIncomplete(partPath: string, path: string): Promise<string> {
  const stem = path.replace(/\.zip$/i, '');
  for (let number = 1; ; number++) {
    const named = number === 1 ? `${stem}.incomplete.zip` : `${stem}.${number}.incomplete.zip`;
    if (await isThere(named)) continue;
    await rename(partPath, named);
    return named;
  }
}

/** Gives a finished part its name. Without leave to overwrite, a file that came there meanwhile stays. */
export async function publish(
  partPath: string,
  path: string,
  { mayOverwrite, hardLink = link }: { readonly mayOverwrite: boolean; readonly hardLink?: typeof link },
): Promise<void> {
  try {
    if (mayOverwrite) return await rename(partPath, path);
    await hardLink(partPath, path);
    await rm(partPath);
  } catch (error) {
    if (isCode(error, 'EEXIST'))
      throw new DestinationError(`${path} exists by now: the export is complete in ${partPath}, rename it yourself`);
    if (!lacksHardLinks(error)) throw new DestinationError(writeProblem(path, error));
    // A file system without hard links.
    if (await isThere(path)) throw new DestinationError(`${path} exists by now: the export is complete in ${partPath}`);
    await rename(partPath, path);
  }
}

/** A link that leads nowhere is there, too: whoever wants the name has to hear of it. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** What a failed write means to the person. */
export function writeProblem(path: string, error: unknown): string {
  if (isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT'))
    return `no space left for ${path}: make room or choose another folder`;
  if (isCode(error, 'EACCES') || isCode(error, 'EPERM') || isCode(error, 'EROFS'))
    return `${path} may not be written: choose another folder`;
  if (isCode(error, 'ENOENT')) return `the folder of ${path} does not exist: make it, or choose another`;
  return `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
}

/** Whether a write failed for want of room: the disk, a quota or the largest size of a file. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof DestinationError && ['ENOSPC', 'EDQUOT', 'EFBIG'].some(code => isCode(error.cause, code));

/** An error of the file system as one that says what to do; any other stays what it is. */
export function placeError(path: string, error: unknown): unknown {
  const isOfTheSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return isOfTheSystem ? new DestinationError(writeProblem(path, error)) : error;
}

async function folderProblem(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is no folder`;
    await access(folder, constants.W_OK);
    return null;
  } catch (error) {
    return isCode(error, 'ENOENT') ? `the folder ${folder} does not exist` : `the folder ${folder} may not be written`;
  }
}

/** Free bytes of the file system that holds a folder; null when it does not say. */
export async function freeSpace(folder: string): Promise<number | null> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
}

/** Whether a link could not be made for want of hard links in the file system. */
export const lacksHardLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].some(code => isCode(error, code));

/** Whether an error of the system has this name. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
