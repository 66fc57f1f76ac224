import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, for this user only. Throws if it cannot. Node's `recursive` never ends in a file
 * system that answers ENOENT to a new folder, such as /proc.
 */
export function makeFolder(path: string): void {
  if (tryMakeFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  // Another program may have created it in the meantime.
  if (!tryMakeFolder(path)) throw new Error(`${path} cannot be created`);
}

const PRIVATE_FOLDER = { mode: 0o700 };

/** False if the parent folder does not exist. */
function tryMakeFolder(path: string): boolean {
  try {
    mkdirSync(path, PRIVATE_FOLDER);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT') return false;
    if (code !== 'EEXIST') throw error;
  }
  return true;
}
