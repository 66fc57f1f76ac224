import { isAbsolute, join } from 'node:path';

/** Where the program keeps what it saw a person do, from one run to the next; null where the environment names no place. */
export function stateFolder({ XDG_STATE_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv): string | null {
  const folder = join(isAbsolute(named) ? named : join(HOME, '.local', 'state'), 'blockglass');
  return isAbsolute(folder) ? folder : null;
}
