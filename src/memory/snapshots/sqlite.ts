import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { SnapshotError } from './snapshot-error.ts';

export type StoredRow = Readonly<Record<string, SQLOutputValue>>;

/** Loads SQLite. Node 22 warns that it is experimental, which would be printed into the output of a command. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** How long to wait for a reader or a writer, which are done in milliseconds. */
export const BUSY_MS = 5000;

/** Opens a database file; one that is opened for writing can be read only by its user. Throws SnapshotError. */
export function openDatabase(
  path: string,
  { readOnly = false, busyMs = BUSY_MS, defensive = true } = {},
): DatabaseSync {
  if (readOnly && !existsSync(path))
    throw new SnapshotError(`${path} does not exist`, { because: 'usage', hint: 'see blockglass record list' });
  return withSnapshotErrors(path, () => {
    if (!readOnly) makePrivate(path);
    const { DatabaseSync: Database } = loadSqlite();
    const database = new Database(path, { readOnly, defensive });
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    if (!readOnly || !needsWriting(database, path)) return database;
    database.close();
    return new Database(immutableUrl(path), { readOnly });
  });
}

/** SQLite creates a file with the mode that the user's mask leaves, and its logs with the mode of the file. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', PRIVATE));
    for (const ending of ['', '-wal', '-shm', '-journal']) {
      const facts = statSync(`${path}${ending}`, { throwIfNoEntry: false });
      if (facts !== undefined && (facts.mode & OTHERS) !== 0) chmodSync(`${path}${ending}`, PRIVATE);
    }
  } catch {
    // The file of another user, or on a read-only disk: SQLite reports the problem when it writes.
  }
}

const PRIVATE = 0o600;
const OTHERS = 0o077;

/**
 * Whether the file can only be read as one that no process changes: without a log, SQLite creates one even for reading,
 * which a read-only disk or a folder of another user refuses. A log with content must not be left out.
 */
function needsWriting(database: DatabaseSync, path: string): boolean {
  try {
    database.prepare('PRAGMA schema_version').get();
    return false;
  } catch (error) {
    const code = resultCode(error);
    return (
      (code === READ_ONLY || code === CANNOT_OPEN) &&
      (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
    );
  }
}

function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return url;
}

/** Runs `act`; errors from SQLite become a SnapshotError with advice. */
export function withSnapshotErrors<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toSnapshotError(path, error);
  }
}

/** Runs `act` in a transaction: everything is stored, or nothing. Throws SnapshotError. */
export function inTransaction<T>(database: DatabaseSync, path: string, act: () => T): T {
  return withSnapshotErrors(path, () => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = act();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  });
}

/** Runs queries that must see the same state of the file, while a recorder may be changing it. Throws SnapshotError. */
export function inReadTransaction<T>(database: DatabaseSync, path: string, act: () => T): T {
  return withSnapshotErrors(path, () => {
    database.exec('BEGIN');
    try {
      return act();
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK');
    }
  });
}

/** Whether an error from SQLite means that the file is damaged. */
export const isDamage = (error: unknown): boolean => {
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
};

/** Whether another process has the lock. */
export const isLocked = (error: unknown): boolean => resultCode(error) === BUSY;

const BUSY = 5;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** SQLite's own result code without its extension; undefined for another error. */
function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** An error from SQLite as a SnapshotError with advice; other errors unchanged. */
export function toSnapshotError(path: string, error: unknown): unknown {
  const because = (reason: SnapshotError['because'], message: string, hint: string) =>
    new SnapshotError(message, { because: reason, hint, cause: error });
  // A number that no writer of ours stores.
  const isAbsurd = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  const code = isAbsurd ? CORRUPT : resultCode(error);
  if (code === undefined) return error;
  switch (code) {
    case FULL:
      return because(
        'disk',
        `the disk is full, so ${path} cannot be written`,
        'free some space; the snapshots before are safe',
      );
    case CORRUPT:
    case NOT_A_DATABASE:
      return because('damaged', `${path} is damaged`, 'blockglass record moves it aside and starts a new one');
    case CANNOT_OPEN:
      return because('disk', `${path} cannot be opened`, 'check who may read and write it');
    case READ_ONLY:
      return because('disk', `${path} cannot be written`, 'check who may write it, and whether its disk is read-only');
    case BUSY:
      return because('busy', `${path} is locked by another process`, 'try again');
    case IO_ERROR:
      return because(
        'disk',
        `${path} cannot be read or written: disk error`,
        'check the disk, and whether it is full; the snapshots before are safe',
      );
  }
  return because('fault', `${path}: ${error instanceof Error ? error.message : String(error)}`, 'check the disk');
}

/** A whole number of a row. A damaged file may hold anything: throws SnapshotError then. */
export function readNumber(row: StoredRow, column: string): number {
  const value = row[column];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw unreadable(column);
}

export function readText(row: StoredRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw unreadable(column);
}

export const readNullableText = (row: StoredRow, column: string): string | null =>
  row[column] === null ? null : readText(row, column);

export function readBytes(row: StoredRow, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw unreadable(column);
}

const unreadable = (column: string): SnapshotError =>
  new SnapshotError(`a stored ${column} cannot be read: the file is damaged`, {
    because: 'damaged',
    hint: 'blockglass record moves the file aside and starts a new one',
  });
