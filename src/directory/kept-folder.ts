import { isAbsolute, join } from 'node:path';

/** Where names are kept from one run to the next; null where the environment names no place for them. */
export function keptFolder({ XDG_CACHE_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv): string | null {
  const folder = join(isAbsolute(named) ? named : join(HOME, '.cache'), 'blockglass', 'names');
  return isAbsolute(folder) ? folder : null;
}
