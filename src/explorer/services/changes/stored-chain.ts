import { snapshotsFolder } from '../../../base/settings/state-folder.ts';
import type { Snapshots } from '../../../memory/snapshots/index.ts';

interface StoredQuery {
  readonly chainId: string;
  /** The command that stores a snapshot of this node. */
  readonly recordCommand: string;
}

/** The stored snapshots of a chain, which must be closed, or why there are none. Throws SnapshotError. */
export async function openStoredChain(
  stateFolder: string | null,
  { chainId, recordCommand }: StoredQuery,
): Promise<Snapshots | { readonly why: string }> {
  if (stateFolder === null) return { why: 'No folder for snapshots. Set HOME or XDG_STATE_HOME.' };
  const { openChainSnapshots } = await import('../../../memory/snapshots/index.ts');
  const opened = openChainSnapshots(snapshotsFolder(stateFolder), chainId);
  return opened ?? { why: noSnapshots(recordCommand) };
}

export const noSnapshots = (recordCommand: string): string =>
  `No snapshot of this chain yet. ${recordHint(recordCommand)}`;

export const recordHint = (recordCommand: string): string =>
  `Take one with ${recordCommand} --once, or omit --once to record every 10 minutes.`;
