import { isAbsolute, join } from 'node:path';

/** The folder for history and views between runs; null if the environment names none. */
export function stateFolder({ XDG_STATE_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv): string | null {
  const folder = join(isAbsolute(named) ? named : join(HOME, '.local', 'state'), 'blockglass');
  return isAbsolute(folder) ? folder : null;
}

/** Where the snapshots of all chains are. */
export const snapshotsFolder = (stateFolder: string): string => join(stateFolder, 'snapshots');
