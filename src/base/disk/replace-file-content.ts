import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces the content of a file, for this user only unless `mode` is given. A reader gets the old file or the new one,
 * each whole. Throws on failure, and leaves nothing behind.
 */
export async function replaceFileContent(path: string, text: string, mode = 0o600): Promise<void> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const file = await open(part, 'wx', mode);
    await file.writeFile(text).finally(() => file.close());
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
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

/** Removes the leftovers of a process that was killed while replacing this file. No other process may be writing it. */
export async function removeAbandonedParts(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder);
  const parts = names.filter(name => name.startsWith(`${basename(path)}.`) && name.endsWith('.part'));
  for (const name of parts) await rm(join(folder, name), { force: true });
}
