import { snapshotsFolder, stateFolder } from '../../base/settings/state-folder.ts';
import type { SnapshotSource } from '../../memory/record/open-snapshot.ts';
import type { Context } from '../context.ts';
import type { ParsedFlags } from '../flags.ts';
import { UsageError } from '../usage-error.ts';

/** Where the snapshots of all chains are. Throws UsageError. */
export function snapshotFolder(env: NodeJS.ProcessEnv): string {
  const folder = stateFolder(env);
  if (folder !== null) return snapshotsFolder(folder);
  throw new UsageError('no home folder for the snapshots. Set HOME or XDG_STATE_HOME.');
}

/** Where a command with --chain looks for snapshots. Throws UsageError. */
export function chainPlace(given: ParsedFlags, { env, nowMs }: Pick<Context, 'env' | 'nowMs'>): SnapshotSource {
  const id = given.text('chain');
  return {
    folder: snapshotFolder(env),
    chain: id === undefined ? undefined : { id },
    namedBy: 'chain',
    nowMs: nowMs(),
  };
}
