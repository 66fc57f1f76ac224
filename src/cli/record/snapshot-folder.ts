import { join } from 'node:path';
import { stateFolder } from '../../settings/state-folder.ts';
import { UsageError } from '../usage-error.ts';

/** Where the snapshots of all chains are. Throws UsageError. */
export function snapshotFolder(env: NodeJS.ProcessEnv): string {
  const folder = stateFolder(env);
  if (folder !== null) return join(folder, 'snapshots');
  throw new UsageError('no home folder for the snapshots. Set HOME or XDG_STATE_HOME.');
}
