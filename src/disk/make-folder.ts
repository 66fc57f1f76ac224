import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those it lies in, for this user alone. Throws where it cannot. The `recursive` of Node tries for
 * ever in a file system that answers ENOENT to a new folder, as /proc does.
 */
export function makeFolder(path: string): void {
  if (isMade(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  // Another program may have made it meanwhile.
  if (!isMade(path)) throw new Error(`${path} cannot be created`);
}

const OWN = { mode: 0o700 };

/** False where the folder that it is to lie in is not there. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, OWN);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT') return false;
    if (code !== 'EEXIST') throw error;
  }
  return true;
}
