import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type FileLock, LockError, takeLock } from '../../base/disk/file-lock.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import { writeProblem } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';

/** Another program is writing to the folder. */
export class FolderInUseError extends DestinationError {}

/** Locks a folder against other exports. Throws DestinationError, of which FolderInUseError, or UnreadableError. */
export async function lockFolder(folder: string): Promise<FileLock> {
  const path = join(folder, 'blockglass.lock');
  return takeLock(path).catch((error: unknown) => {
    throw error instanceof LockError ? explainLockError(error) : new DestinationError(writeProblem(path, error));
  });
}

function explainLockError({ path, holder, message }: LockError): DestinationError | UnreadableError {
  if (holder === undefined) return new FolderInUseError(`${path} is held by other exports in turn: try again`);
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
