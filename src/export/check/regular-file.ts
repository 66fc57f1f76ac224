import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { UnreadableError } from './unreadable-error.ts';

// Opening a pipe would wait for somebody to write into it, where no signal ends the wait.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a file for reading; a pipe, a device or a folder is refused. Throws UnreadableError. */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, READ).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const found = await file.stat();
  if (found.isFile()) return file;
  await file.close();
  throw noFile(path, found.isDirectory());
}

/** The same, as a descriptor, at once. */
export function openRegularSync(path: string): number {
  let file: number;
  try {
    file = openSync(path, READ);
  } catch (error) {
    throw unreadable(path, error);
  }
  const found = fstatSync(file);
  if (found.isFile()) return file;
  closeSync(file);
  throw noFile(path, found.isDirectory());
}

/** The text of a file of at most so many bytes. Throws UnreadableError. */
export async function readRegular(path: string, mostBytes: number): Promise<string> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    if (size > mostBytes)
      throw new UnreadableError(`${path} is too large: ${size} bytes, at most ${mostBytes} are read`);
    return await file.readFile('utf8');
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file.close();
  }
}

const noFile = (path: string, isFolder: boolean): UnreadableError =>
  new UnreadableError(
    isFolder ? `${path} is a folder` : `${path} is no ordinary file: a pipe or a device is not opened`,
  );

/** The error of a read as one sentence; what is no error of the file system stays what it is. */
export function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (error instanceof UnreadableError) return error;
  return new UnreadableError(SENTENCES[error.code]?.(path) ?? `${path} cannot be read: ${error.message}`, error.code);
}

const SENTENCES: { readonly [code: string]: (path: string) => string } = {
  ENOENT: path => `there is no ${path}`,
  ENOTDIR: path => `there is no ${path}: a part of the path is no folder`,
  ELOOP: path => `${path} cannot be read: its links lead in a circle`,
  ENAMETOOLONG: path => `${path} cannot be read: the name is too long`,
  EACCES: path => `${path} may not be read: its owner does not allow it`,
  EPERM: path => `${path} may not be read: the system does not allow it`,
  EISDIR: path => `${path} is a folder`,
  ENXIO: path => `${path} is no ordinary file: a pipe or a device is not opened`,
  EIO: path => `${path} cannot be read: the disk reports an error`,
};
