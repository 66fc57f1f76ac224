import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where names are kept from one run to the next; null where there is no place for them. */
export function keptFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    const { XDG_CACHE_HOME: named = '', HOME = '' } = env;
    const folder = join(isAbsolute(named) ? named : join(HOME || homedir(), '.cache'), 'blockglass', 'names');
    return isAbsolute(folder) ? folder : null;
  } catch {
    return null;
  }
}
