import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { UnreadableError } from './unreadable-error.ts';

// Without O_NONBLOCK, opening a pipe waits for a writer, and no signal can end that.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a file for reading. Throws UnreadableError, also for a pipe, a device or a folder. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, READ).catch((error: unknown) => {
    throw toUnreadableError(path, error);
  });
  const found = await file.stat();
  if (found.isFile()) return file;
  await file.close();
  throw irregularFileError(path, found.isDirectory());
}

/** The same, synchronously. Returns a file descriptor. */
export function openRegularFileSync(path: string): number {
  let file: number;
  try {
    file = openSync(path, READ);
  } catch (error) {
    throw toUnreadableError(path, error);
  }
  const found = fstatSync(file);
  if (found.isFile()) return file;
  closeSync(file);
  throw irregularFileError(path, found.isDirectory());
}

/** Reads a text file of at most `mostBytes`. Throws UnreadableError. */
export async function readRegularFile(path: string, mostBytes: number): Promise<string> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    if (size > mostBytes) throw new UnreadableError(`${path} is too large: ${size} bytes, the limit is ${mostBytes}`);
    return await file.readFile('utf8');
  } catch (error) {
    throw toUnreadableError(path, error);
  } finally {
    await file.close();
  }
}

const irregularFileError = (path: string, isFolder: boolean): UnreadableError =>
  new UnreadableError(isFolder ? `${path} is a folder` : `${path} is a pipe or a device, not a file`);

/** Turns a file system error into an UnreadableError; other errors are returned unchanged. */
export function toUnreadableError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (error instanceof UnreadableError) return error;
  return new UnreadableError(
    ERROR_SENTENCES[error.code]?.(path) ?? `${path} cannot be read: ${error.message}`,
    error.code,
  );
}

const ERROR_SENTENCES: { readonly [code: string]: (path: string) => string } = {
  ENOENT: path => `there is no ${path}`,
  ENOTDIR: path => `there is no ${path}: part of the path is not a folder`,
  ELOOP: path => `${path} cannot be read: its links form a loop`,
  ENAMETOOLONG: path => `${path} cannot be read: the name is too long`,
  EACCES: path => `no permission to read ${path}`,
  EPERM: path => `the system does not allow reading ${path}`,
  EISDIR: path => `${path} is a folder`,
  ENXIO: path => `${path} is a pipe or a device, not a file`,
  EIO: path => `${path} cannot be read: the disk reports an error`,
};
