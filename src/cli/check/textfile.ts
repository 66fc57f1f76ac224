import { lstat, realpath } from 'node:fs/promises';
import { systemErrorCode, systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { replaceFileContent } from '../../base/disk/replace-file-content.ts';

/** The collector runs as another user. */
const READABLE = 0o644;

/** Replaces a metrics file, whole or not at all. Throws an error with its path. */
export async function writeTextfile(path: string, text: string): Promise<void> {
  try {
    await replaceFileContent(await resolveTextfile(path), text, READABLE);
  } catch (error) {
    throw new Error(`--textfile ${path} cannot be written: ${systemErrorReason(error)}`);
  }
}

/** The target file, behind links. Throws if it is not a regular file: a device would be replaced by a file. */
async function resolveTextfile(path: string): Promise<string> {
  try {
    const target = await realpath(path);
    if (!(await lstat(target)).isFile()) throw new Error('it is not a regular file');
    return target;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return path;
    throw error;
  }
}
