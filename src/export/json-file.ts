import { open } from 'node:fs/promises';
import { readRegular } from './check/regular-file.ts';
import { UnreadableError } from './check/unreadable-error.ts';

/**
 * What a JSON file of at most so many bytes holds: undefined where there is no such file, null where it is no JSON.
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

/** Writes a file that is not there yet, for this user alone. When it resolves the text is on the disk. */
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
