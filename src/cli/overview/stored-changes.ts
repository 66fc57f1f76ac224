import type { StoredChanges } from '../../attention/overview/facts/changed.ts';
import { stateFolder } from '../../base/settings/state-folder.ts';
import type { Context } from '../context.ts';
import { isSnapshotError } from '../errors-by-name.ts';

/** Sends no request. A command does not count as a visit: news since the last visit stays new in the explorer. */
export async function storedChanges(
  chainId: string | null,
  { env, nowMs, moment }: Pick<Context, 'env' | 'nowMs' | 'moment'>,
): Promise<StoredChanges> {
  const folder = stateFolder(env);
  if (chainId === null || folder === null || moment !== undefined) return null;
  const { readLastViewed, findRecentChanges } = await import('../../memory/diff/recent-changes.ts');
  try {
    return await findRecentChanges(folder, { chainId, nowMs: nowMs(), looked: readLastViewed(folder) });
  } catch (error) {
    if (isSnapshotError(error)) return error.message;
    throw error;
  }
}
