import { lstat, realpath } from 'node:fs/promises';
import { codeOf, reasonOf } from '../../base/disk/ordinary-file.ts';
import { putFile } from '../../base/disk/put-file.ts';

/** The collector runs as another user. */
const READABLE = 0o644;

/** Replaces a file of metrics, whole or not at all. Throws an error that names it. */
export async function putTextfile(path: string, text: string): Promise<void> {
  try {
    await putFile(await fileAt(path), text, READABLE);
  } catch (error) {
    throw new Error(`--textfile ${path} cannot be written: ${reasonOf(error)}`);
  }
}

/** The file that is meant, behind links. Throws for what is no file: a device would be replaced by one. */
async function fileAt(path: string): Promise<string> {
  try {
    const target = await realpath(path);
    if (!(await lstat(target)).isFile()) throw new Error('it is not a regular file');
    return target;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return path;
    throw error;
  }
}
