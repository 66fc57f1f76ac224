import { lstat, realpath } from 'node:fs/promises';
import { systemErrorCode, systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { replaceFileContent } from '../../base/disk/replace-file-content.ts';

/** The collector runs as another user. */
const READABLE = 0o644;

/** Replaces a file of metrics, whole or not at all. Throws an error that names it. */
export async function writeTextfile(path: string, text: string): Promise<void> {
  try {
    await replaceFileContent(await resolveTextfile(path), text, READABLE);
  } catch (error) {
    throw new Error(`--textfile ${path} cannot be written: ${systemErrorReason(error)}`);
  }
}

/** The file that is meant, behind links. Throws for what is no file: a device would be replaced by one. */
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
