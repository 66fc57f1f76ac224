import { open } from 'node:fs/promises';
import { readRegular } from '../check/regular-file.ts';
import { UnreadableError } from '../check/unreadable-error.ts';

/**
 * Reads a JSON file of at most `mostBytes`: undefined when there is no file, null when it is not JSON.
 * Throws UnreadableError.
 */
export async function readJsonFile(path: string, mostBytes: number): Promise<unknown> {
  try {
    return parsed(await readRegular(path, mostBytes));
  } catch (error) {
    if (error instanceof UnreadableError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates a file that only this user can read, and flushes it to disk. Fails when it exists. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
