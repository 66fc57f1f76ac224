import { isAbsolute, join } from 'node:path';

/** The folder for names cached between runs; null if the environment names none. */
export function cacheFolder({ XDG_CACHE_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv): string | null {
  const folder = join(isAbsolute(named) ? named : join(HOME, '.cache'), 'blockglass', 'names');
  return isAbsolute(folder) ? folder : null;
}
