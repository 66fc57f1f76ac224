import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { formatByteLimit } from '../text/byte-count.ts';

/**
 * The text of a regular file: a pipe could block, and a device may never end. Undefined if the file does not exist.
 * Throws an error with the reason if it cannot be read, without its path.
 */
export function readOrdinaryFile(path: string, mostBytes: number): string | undefined {
  const file = openFile(path);
  if (file === undefined) return undefined;
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new Error('it is not a regular file');
    if (facts.size > mostBytes) throw new Error(`it is larger than ${formatByteLimit(mostBytes)}`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function openFile(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemErrorCode(error);
    // ENOTDIR: a parent is not a folder, as with a home of /dev/null.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(`it cannot be read (${code})`);
  }
}

/** The code of an error of the system; any other error in words. */
export const systemErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** What an error of the system means, without the path in it, which may be that of a temporary file. */
export function systemErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMessage(error.errno) : error.message;
}
