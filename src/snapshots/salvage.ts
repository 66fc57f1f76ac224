import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { codeOf, reasonOf } from '../disk/ordinary-file.ts';
import { hashOf, placeIn, recordsOf } from './pack.ts';
import { snapshotsIn } from './reader.ts';
import { prepareFile, type SNAPSHOT_TABLES } from './schema.ts';
import { SnapshotError } from './snapshot-error.ts';
import { explained, guarded, inTransaction, isDamage, numberIn, openDatabase, type StoredRow } from './sqlite.ts';

/** A damaged file that was moved away, and what continues from it. */
export interface SetAside {
  /** Where the damaged file is now. */
  readonly path: string;
  /** Snapshots that could be read; lists of them may be damaged. */
  readonly snapshots: number;
}

/**
 * Moves a damaged file aside and puts what can be read of it in its place; null if it is not damaged. Only called while
 * holding its lock. Throws SnapshotError, and leaves the file as it was then.
 */
export function setAsideIfDamaged(path: string, chainId: string, nowMs: number): SetAside | null {
  const rest = `${path}.salvage`;
  // Left by a recorder that was killed.
  removeDatabase(rest);
  if (!isDamaged(path)) return null;
  try {
    const snapshots = salvage(path, rest, chainId);
    const aside = `${path.replace(/\.sqlite$/, '')}.damaged-${new Date(nowMs).toISOString().replace(/[^0-9TZ]/g, '')}`;
    exchange(path, aside, rest);
    return { path: aside, snapshots };
  } catch (error) {
    removeDatabase(rest);
    throw error;
  }
}

function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
}

/** The structure of the file, and what the next snapshot builds on. */
function isDamaged(path: string): boolean {
  const database = openDatabase(path);
  try {
    const [{ quick_check: verdict } = {}] = database.prepare('PRAGMA quick_check(1)').all();
    if (verdict !== 'ok') return true;
    const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'snapshot'").get() !== undefined;
    if (!hasTables) return false;
    const snapshots = snapshotsIn(database, path, '');
    const newest = snapshots.newest();
    if (newest === undefined) return false;
    return snapshots.lists(newest.id).some(name => snapshots.list(newest.id, name)?.kind === 'damaged');
  } catch (error) {
    if (isDamage(error) || (error instanceof SnapshotError && error.because === 'damaged')) return true;
    throw explained(path, error);
  } finally {
    database.close();
  }
}

/** Copies every row that can be read, one table after the other; returns how many snapshots there were. */
function salvage(from: string, to: string, chainId: string): number {
  const [source, target] = [openDatabase(from, { defensive: false }), openDatabase(to)];
  try {
    prepareFile(target, to, chainId);
    // Without it, which needs the mode above, SQLite reads nothing of a file that was cut off.
    source.exec('PRAGMA writable_schema = ON');
    return inTransaction(target, to, () => {
      const copied = (table: keyof typeof SNAPSHOT_TABLES): number => copyRows(source, target, table);
      const snapshots = copied('snapshot');
      for (const table of ['part', 'reading', 'member'] as const) copied(table);
      copyPacks(source, target);
      endReadings(target);
      return snapshots;
    });
  } finally {
    source.close();
    target.close();
  }
}

function copyRows(source: DatabaseSync, target: DatabaseSync, table: keyof typeof SNAPSHOT_TABLES): number {
  let copied = 0;
  for (const row of readableRows(source, table)) if (insertRow(target, table, row)) copied++;
  return copied;
}

/** False if it breaks a rule of the table, as rows of a damaged file may. */
function insertRow(target: DatabaseSync, table: string, row: StoredRow): boolean {
  const columns = Object.keys(row);
  const values: readonly SQLInputValue[] = Object.values(row);
  try {
    const places = columns.map(() => '?').join(', ');
    target.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(...values);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ERR_SQLITE_ERROR' && isBrokenRule(error)) return false;
    throw error;
  }
}

const CONSTRAINT = 19;
const MISMATCH = 20;

const isBrokenRule = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  [CONSTRAINT, MISMATCH].includes(error.errcode & 0xff);

/** Packs that are damaged are left out, so that their records are stored again when they come again. */
function copyPacks(source: DatabaseSync, target: DatabaseSync): void {
  const insert = target.prepare('INSERT OR IGNORE INTO record (hash, place) VALUES (?, ?)');
  for (const row of readableRows(source, 'pack')) {
    const records = recordsOf(() => row);
    if (records.length === 0 || !insertRow(target, 'pack', row)) continue;
    for (const [index, record] of records.entries()) insert.run(hashOf(record), placeIn(numberIn(row, 'id'), index));
  }
}

/** The next snapshot has all its members anew, since some of these may be lost; and no id comes twice. */
function endReadings(target: DatabaseSync): void {
  const { last } =
    target
      .prepare(
        'SELECT max(coalesce((SELECT max(id) FROM snapshot), 0), coalesce((SELECT max(since) FROM reading), 0), coalesce((SELECT max(since) FROM member), 0)) AS last',
      )
      .get() ?? {};
  const next = Number(last ?? 0) + 1;
  for (const table of ['reading', 'member'])
    target.prepare(`UPDATE ${table} SET until = ? WHERE until IS NULL`).run(next);
  target.exec("DELETE FROM sqlite_sequence WHERE name = 'snapshot'");
  target.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('snapshot', ?)").run(next - 1);
}

/** Rows are read this many at once, and one by one where that fails. */
const AT_ONCE = 64;

/** The search ends after this many rows in turn that cannot be read. */
const MOST_MISSING = 20_000;

/** Every row of a table that can be read, by its id. */
function* readableRows(source: DatabaseSync, table: keyof typeof SNAPSHOT_TABLES): Generator<StoredRow> {
  const select = (rest: string) => readable(() => source.prepare(`SELECT * FROM ${table} WHERE ${rest}`));
  const [some, one] = [select(`id >= ? ORDER BY id LIMIT ${AT_ONCE}`), select('id = ?')];
  if (some === undefined || one === undefined) return;
  let id = 0;
  for (let missing = 0; missing < MOST_MISSING; ) {
    const rows = readable(() => some.all(id));
    const last = rows?.at(-1);
    if (rows !== undefined && last === undefined) return;
    if (rows !== undefined && last !== undefined) {
      yield* rows;
      id = numberIn(last, 'id') + 1;
      missing = 0;
      continue;
    }
    for (const end = id + AT_ONCE; id < end; id++) {
      const found = readable(() => one.all(id)) ?? [];
      missing = found.length === 0 ? missing + 1 : 0;
      yield* found;
    }
  }
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Keeps the damaged file under another name. If this is cut short, the damaged file is still in its place. */
function exchange(path: string, aside: string, rest: string): void {
  guarded(path, () => {
    try {
      keepAs(path, aside);
      // A log that stays would be merged into the new file.
      for (const ending of ['-wal', '-shm']) moveIfThere(`${path}${ending}`, `${aside}${ending}`);
      renameSync(rest, path);
    } catch (error) {
      throw new SnapshotError(`${path} is damaged and cannot be set aside: ${reasonOf(error)}`, {
        because: 'disk',
        hint: 'move it away by hand',
        cause: error,
      });
    }
  });
}

function keepAs(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    // This file system has no hard links, or the name is taken.
    copyFileSync(path, aside, constants.COPYFILE_FICLONE);
  }
}

function moveIfThere(path: string, to: string): void {
  try {
    renameSync(path, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
