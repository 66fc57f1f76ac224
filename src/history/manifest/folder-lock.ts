import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FileLock, LockError, takeLock } from '../../base/disk/file-lock.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import { writeFailureText } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';

/** Another program is writing to the folder. */
export class FolderInUseError extends DestinationError {}

/** How to wait for a process of this machine that has the lock. */
export interface LockWait {
  /** Called again and again while it waits, with the other process; undefined does not wait. */
  readonly onWait?: (processId: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Locks a folder against other exports. Throws DestinationError, of which FolderInUseError, UnreadableError, or the reason of
 * an abort.
 */
export async function lockFolder(folder: string, { onWait, signal }: LockWait = {}): Promise<FileLock> {
  const path = join(folder, 'blockglass.lock');
  for (;;) {
    try {
      return await takeLock(path);
    } catch (error) {
      if (!(error instanceof LockError)) throw new DestinationError(writeFailureText(path, error), { cause: error });
      const { holder } = error;
      const isHere = typeof holder === 'object' && holder.host === hostname();
      if (onWait === undefined || !isHere) throw explainLockError(error);
      onWait(holder.processId);
    }
    await wait(WAIT_EVERY_MS);
    signal?.throwIfAborted();
  }
}

const WAIT_EVERY_MS = 100;

function explainLockError({ path, holder, message }: LockError): DestinationError | UnreadableError {
  if (holder === undefined) return new FolderInUseError(`${path} is locked by one export after another: try again`);
  if (holder === 'unreadable') return new UnreadableError(`${path}: ${message}`);
  if (holder === 'malformed')
    return new DestinationError(`${path} is not a lock of an export: delete it if no export is running there`);
  const { processId, host, since } = holder;
  const elsewhere = host === hostname() ? '' : ` on ${host}`;
  const remedy = host === hostname() ? '' : `; if that process no longer runs, delete ${basename(path)} there`;
  return new FolderInUseError(
    `another export (process ${processId}${elsewhere}, since ${since}) is writing to ${dirname(path)}: wait for it or choose another folder${remedy}`,
  );
}
