import { renameSync } from 'node:fs';
import { systemErrorCode, systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { createSnapshotReader } from './reader.ts';
import { SnapshotError } from './snapshot-error.ts';
import { isDamage, openDatabase, toSnapshotError } from './sqlite.ts';

/**
 * Moves a damaged file aside, so that a new one is begun; returns where it is now, or null if it is not damaged. Only called
 * while holding its lock. Throws SnapshotError.
 */
export function setAsideIfDamaged(path: string, nowMs: number): string | null {
  if (!isDamaged(path)) return null;
  const aside = `${path.replace(/\.sqlite$/, '')}.damaged-${new Date(nowMs).toISOString().replace(/[^0-9TZ]/g, '')}`;
  try {
    // A log that stays would be merged into the new file.
    for (const ending of ['-wal', '-shm', '']) moveIfThere(`${path}${ending}`, `${aside}${ending}`);
  } catch (error) {
    throw new SnapshotError(`${path} is damaged and cannot be set aside: ${systemErrorReason(error)}`, {
      because: 'disk',
      hint: 'move it away by hand',
      cause: error,
    });
  }
  return aside;
}

/** The structure of the file, and what the next snapshot builds on. */
function isDamaged(path: string): boolean {
  const database = openDatabase(path);
  try {
    const [{ quick_check: verdict } = {}] = database.prepare('PRAGMA quick_check(1)').all();
    if (verdict !== 'ok') return true;
    const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'snapshot'").get() !== undefined;
    if (!hasTables) return false;
    const snapshots = createSnapshotReader(database, path, '');
    const newest = snapshots.newest();
    if (newest === undefined) return false;
    return snapshots.lists(newest.id).some(name => snapshots.list(newest.id, name)?.kind === 'damaged');
  } catch (error) {
    if (isDamage(error) || (error instanceof SnapshotError && error.because === 'damaged')) return true;
    throw toSnapshotError(path, error);
  } finally {
    database.close();
  }
}

function moveIfThere(path: string, to: string): void {
  try {
    renameSync(path, to);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}
