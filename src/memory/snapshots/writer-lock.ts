import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { SnapshotError } from './snapshot-error.ts';
import { isLocked, openDatabase, readNumber, readText, toSnapshotError } from './sqlite.ts';

/**
 * Locks a file of snapshots for one writer, by SQLite's lock on an empty file next to it: the system frees it when the
 * process ends, however it ends. Throws SnapshotError with the process that holds the lock.
 */
export function lockForWriting(path: string): DatabaseSync {
  const lock = openDatabase(`${path}.lock`, { busyMs: 0 });
  try {
    // The lock that exactly one of several gets at once: an exclusive one fails while another process just looks.
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  } catch (error) {
    lock.close();
    if (!isLocked(error)) throw toSnapshotError(path, error);
    throw new SnapshotError(`${describeWriter(path)} is recording this chain already`, {
      because: 'busy',
      hint: 'stop that recorder first, or let it continue: one per chain is enough',
      cause: error,
    });
  }
}

/** Records the holder of the lock, for other processes to read. */
export function recordWriter(database: DatabaseSync, nowMs: number): void {
  database.prepare('REPLACE INTO writer VALUES (1, ?, ?, ?)').run(process.pid, hostname(), Math.floor(nowMs));
}

/** `process 4711, since 2026-10-01 12:00:00 UTC` */
function describeWriter(path: string): string {
  try {
    const database = openDatabase(path, { readOnly: true });
    try {
      const row = database.prepare('SELECT * FROM writer').get() ?? {};
      const host = readText(row, 'host');
      const since = new Date(readNumber(row, 'since_ms')).toISOString().slice(0, 19).replace('T', ' ');
      return `process ${readNumber(row, 'process')}${host === hostname() ? '' : ` on ${host}`} (since ${since} UTC)`;
    } finally {
      database.close();
    }
  } catch {
    // It has the lock and has not signed yet, or the file is damaged.
    return 'another blockglass';
  }
}
