import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces the content of a file, for this user only. A reader gets the old file or the new one, each whole. Throws if it
 * cannot, and leaves nothing behind.
 */
export async function putFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    await file.writeFile(text).finally(() => file.close());
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
}
