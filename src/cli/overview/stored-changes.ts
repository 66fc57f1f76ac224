import type { RecentChanges } from '../../diff/recent-changes.ts';
import { stateFolder } from '../../settings/state-folder.ts';
import type { Context } from '../context.ts';
import { isSnapshotError } from '../late-errors.ts';

/** What has changed between the stored snapshots of a chain; null if there are none to compare, a text if they cannot be read. */
export type StoredChanges = RecentChanges | string | null;

/** No request is sent for it. A command is no look: what is new since one stays new in the explorer. */
export async function storedChanges(
  chainId: string | null,
  { env, nowMs, moment }: Pick<Context, 'env' | 'nowMs' | 'moment'>,
): Promise<StoredChanges> {
  const folder = stateFolder(env);
  if (chainId === null || folder === null || moment !== undefined) return null;
  const { lookedAt, recentChanges } = await import('../../diff/recent-changes.ts');
  try {
    return await recentChanges(folder, { chainId, nowMs: nowMs(), looked: lookedAt(folder) });
  } catch (error) {
    if (isSnapshotError(error)) return error.message;
    throw error;
  }
}
