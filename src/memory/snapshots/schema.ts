import type { DatabaseSync } from 'node:sqlite';
import { SnapshotError } from './snapshot-error.ts';
import { readNumber, withSnapshotErrors } from './sqlite.ts';

/** Marks the file as snapshots of blockglass. */
const APPLICATION_ID = 0x626c_6773;
const VERSION = 1;

/**
 * Records are stored once, in compressed packs. A member row stores the first snapshot (`since`) and the end (`until`,
 * exclusive) of a record's presence in a part; a reading row stores the same for how the part was read. So a snapshot
 * without changes adds one row. Every table that cannot be rebuilt has an integer key, so that its rows can be read one
 * by one from a damaged file.
 */
const SNAPSHOT_TABLES = {
  chain: 'id INTEGER PRIMARY KEY CHECK (id = 1), chain_id TEXT NOT NULL',
  writer:
    'id INTEGER PRIMARY KEY CHECK (id = 1), process INTEGER NOT NULL, host TEXT NOT NULL, since_ms INTEGER NOT NULL',
  snapshot:
    'id INTEGER PRIMARY KEY AUTOINCREMENT, taken_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL, node TEXT NOT NULL, height TEXT, block_time_ns TEXT, genesis TEXT, changed INTEGER NOT NULL',
  part: 'id INTEGER PRIMARY KEY, list TEXT NOT NULL, scope TEXT NOT NULL, UNIQUE (list, scope)',
  reading:
    'id INTEGER PRIMARY KEY, part INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER, problem TEXT, records INTEGER NOT NULL, digest BLOB',
  member:
    'id INTEGER PRIMARY KEY, part INTEGER NOT NULL, record INTEGER NOT NULL, copies INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER',
  pack: 'id INTEGER PRIMARY KEY, body BLOB NOT NULL',
} as const;

const INDICES = `
  CREATE TABLE record (hash BLOB PRIMARY KEY, place INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX reading_of_part ON reading (part, since);
  CREATE INDEX member_of_part ON member (part, since);`;

/** Creates the tables in a new file. Throws SnapshotError if the file is of something else. */
export function createTables(database: DatabaseSync, path: string, chainId: string): void {
  withSnapshotErrors(path, () => {
    if (isEmpty(database)) {
      // Both must be set before the first table.
      database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      database.exec('PRAGMA journal_mode = WAL');
      const tables = Object.entries(SNAPSHOT_TABLES).map(([name, columns]) => `CREATE TABLE ${name} (${columns});`);
      database.exec(
        `BEGIN IMMEDIATE; ${tables.join('\n')} ${INDICES}
        PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION};`,
      );
      database.prepare('INSERT INTO chain VALUES (1, ?)').run(chainId);
      database.exec('COMMIT');
    }
    checkSchema(database, path);
    const { chain_id: stored } = database.prepare('SELECT chain_id FROM chain').get() ?? {};
    // SQLite replaces invalid characters.
    if (stored !== chainId.toWellFormed())
      throw new SnapshotError(`${path} has snapshots of another chain`, { because: 'usage', hint: 'move it away' });
  });
}

/** Throws SnapshotError if this is not a file of snapshots, or one of a newer version. */
export function checkSchema(database: DatabaseSync, path: string): void {
  if (pragma(database, 'application_id') !== APPLICATION_ID)
    throw new SnapshotError(`${path} is not a snapshot file`, { because: 'usage', hint: 'move it away' });
  if (pragma(database, 'user_version') > VERSION)
    throw new SnapshotError(`${path} was written by a newer blockglass`, {
      because: 'usage',
      hint: 'update blockglass',
    });
}

const isEmpty = (database: DatabaseSync): boolean =>
  readNumber(database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() ?? {}, 'count') === 0;

const pragma = (database: DatabaseSync, name: string): number =>
  readNumber(database.prepare(`PRAGMA ${name}`).get() ?? {}, name);
