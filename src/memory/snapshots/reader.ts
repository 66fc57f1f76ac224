import type { DatabaseSync } from 'node:sqlite';
import { checkDatabase } from './check-database.ts';
import { indexInPack, listDigest, packNumber, readPack, recordHash } from './pack.ts';
import { checkSchema } from './schema.ts';
import type { SnapshotInfo, StoredList, StoredListName } from './snapshot.ts';
import {
  inReadTransaction,
  openDatabase,
  readBytes,
  readNullableText,
  readNumber,
  readText,
  type StoredRow,
  withSnapshotErrors,
} from './sqlite.ts';

/** The stored snapshots of a chain, while another process may be adding some. Every call throws SnapshotError. */
export interface Snapshots {
  readonly path: string;
  readonly chainId: string;
  /** All snapshots, oldest first. */
  all(): readonly SnapshotInfo[];
  /** The snapshot with this id. */
  withId(id: number): SnapshotInfo | undefined;
  newest(): SnapshotInfo | undefined;
  /** The last one taken at this time or before (Unix milliseconds). */
  at(timeMs: number): SnapshotInfo | undefined;
  /** The one stored before this one. */
  before(id: number): SnapshotInfo | undefined;
  after(id: number): SnapshotInfo | undefined;
  /** The lists of a snapshot, by name. */
  lists(id: number): readonly StoredListName[];
  /** One of its lists, with its records in the order of the node, except that those that were changed since the first snapshot come last; undefined if the snapshot does not have it. */
  list(id: number, name: StoredListName): StoredList | undefined;
  /** Each record that the list ever had, oldest first, from the snapshot `since` up to, but not with, `until`. */
  history(name: StoredListName): readonly StoredVersion[];
  /** The damage, in sentences; none if every list of every snapshot is intact. */
  problems(): readonly string[];
  close(): void;
}

/** A record, and the ids of the snapshots that have it; those at both ends may have been removed since. */
interface StoredVersion {
  readonly record: string;
  readonly since: number;
  /** Null: the newest snapshot has it. */
  readonly until: number | null;
}

/** Opens the file of a chain for reading. Throws SnapshotError. */
export function openSnapshots(path: string): Snapshots {
  const database = openDatabase(path, { readOnly: true });
  try {
    const chainId = withSnapshotErrors(path, () => {
      checkSchema(database, path);
      return readText(database.prepare('SELECT chain_id FROM chain').get() ?? {}, 'chain_id');
    });
    return createSnapshotReader(database, path, chainId);
  } catch (error) {
    database.close();
    throw error;
  }
}

export function createSnapshotReader(database: DatabaseSync, path: string, chainId: string): Snapshots {
  const one = (where: string, ...values: readonly number[]): SnapshotInfo | undefined =>
    inReadTransaction(database, path, () => {
      const row = database.prepare(`SELECT * FROM snapshot ${where}`).get(...values);
      return row === undefined ? undefined : snapshotInfo(row, readFigures(database, readNumber(row, 'id')));
    });
  return {
    path,
    chainId,
    all: () => inReadTransaction(database, path, () => readAllSnapshots(database)),
    withId: id => one('WHERE id = ?', id),
    newest: () => one('ORDER BY id DESC LIMIT 1'),
    // Ids rise even when the clock is set back, so the newest of those that fit is the right one.
    at: timeMs => one('WHERE taken_ms <= ? ORDER BY id DESC LIMIT 1', Math.floor(timeMs)),
    before: id => one('WHERE id < ? ORDER BY id DESC LIMIT 1', id),
    after: id => one('WHERE id > ? ORDER BY id LIMIT 1', id),
    // Unchanged lists continue past a removed snapshot.
    lists: id =>
      inReadTransaction(database, path, () => (hasSnapshot(database, id) ? readListNames(database, id) : [])),
    list: (id, name) =>
      inReadTransaction(database, path, () =>
        hasSnapshot(database, id) ? readStoredList(database, id, name) : undefined,
      ),
    history: name => inReadTransaction(database, path, () => readRecordHistory(database, name)),
    problems: () => inReadTransaction(database, path, () => checkDatabase(database)),
    close: () => database.close(),
  };
}

const hasSnapshot = (database: DatabaseSync, id: number): boolean =>
  database.prepare('SELECT 1 FROM snapshot WHERE id = ?').get(id) !== undefined;

/** Rows that hold at a snapshot. */
const HOLDS_AT_SNAPSHOT = 'since <= ? AND (until IS NULL OR until > ?)';

interface ListFigures {
  records: number;
  listsRead: number;
  listsUnread: number;
}

const NO_FIGURES: ListFigures = { records: 0, listsRead: 0, listsUnread: 0 };

function readFigures(database: DatabaseSync, id: number): ListFigures {
  const figures = { ...NO_FIGURES };
  for (const row of database.prepare(`SELECT problem, records FROM reading WHERE ${HOLDS_AT_SNAPSHOT}`).iterate(id, id))
    addToFigures(figures, row, 1);
  return figures;
}

/** In one pass over the changes, as there may be many snapshots. */
function readAllSnapshots(database: DatabaseSync): readonly SnapshotInfo[] {
  const changes = database
    .prepare(
      'SELECT since AS at, 1 AS sign, problem, records FROM reading UNION ALL SELECT until, -1, problem, records FROM reading WHERE until IS NOT NULL ORDER BY at',
    )
    .all();
  const figures = { ...NO_FIGURES };
  let next = 0;
  return database
    .prepare('SELECT * FROM snapshot ORDER BY id')
    .all()
    .map(row => {
      const id = readNumber(row, 'id');
      for (; next < changes.length; next++) {
        const change = changes[next] ?? {};
        if (readNumber(change, 'at') > id) break;
        addToFigures(figures, change, readNumber(change, 'sign'));
      }
      return snapshotInfo(row, { ...figures });
    });
}

function addToFigures(figures: ListFigures, reading: StoredRow, sign: number): void {
  if (reading.problem === null) {
    figures.listsRead += sign;
    figures.records += sign * readNumber(reading, 'records');
  } else figures.listsUnread += sign;
}

const snapshotInfo = (row: StoredRow, figures: ListFigures): SnapshotInfo => ({
  id: readNumber(row, 'id'),
  takenMs: readNumber(row, 'taken_ms'),
  endedMs: readNumber(row, 'ended_ms'),
  node: readText(row, 'node'),
  blockHeight: readNullableText(row, 'height'),
  blockTimeNs: readNullableText(row, 'block_time_ns'),
  genesisTime: readNullableText(row, 'genesis'),
  changed: readNumber(row, 'changed'),
  ...figures,
});

const readListNames = (database: DatabaseSync, id: number): readonly StoredListName[] =>
  database
    .prepare(
      `SELECT list, scope FROM reading JOIN part ON part.id = reading.part WHERE ${HOLDS_AT_SNAPSHOT} ORDER BY list, scope`,
    )
    .all(id, id)
    .map(row => ({ list: readText(row, 'list'), scope: readText(row, 'scope') }));

function readStoredList(database: DatabaseSync, id: number, { list, scope }: StoredListName): StoredList | undefined {
  const part = findPart(database, { list, scope });
  if (part === undefined) return undefined;
  const readingBy = (column: string): StoredRow | undefined =>
    database
      .prepare(`SELECT problem, records, digest FROM reading WHERE ${column} = ? AND ${HOLDS_AT_SNAPSHOT}`)
      .get(part, id, id);
  const reading = readingBy('part') ?? readingBy('+part');
  if (reading === undefined) return undefined;
  const problem = readNullableText(reading, 'problem');
  if (problem !== null) return { list, scope, kind: 'unread', problem };
  const expected = readNumber(reading, 'records');
  const { records, isWhole } = readMembers(database, selectMembers(database, part, id), expected);
  // The digest detects both a lost row and a changed byte.
  if (isWhole && Buffer.compare(listDigest(records.map(recordHash)), readBytes(reading, 'digest')) === 0)
    return { list, scope, kind: 'read', records };
  return { list, scope, kind: 'damaged', records, expected };
}

/** The id of a list. Where an index is damaged, the table still has it: a `+` makes SQLite read that. */
function findPart(database: DatabaseSync, { list, scope }: StoredListName): number | undefined {
  const partBy = (condition: string): StoredRow | undefined =>
    database.prepare(`SELECT id FROM part WHERE ${condition}`).get(list, scope);
  const part = partBy('list = ? AND scope = ?') ?? partBy('+list = ? AND +scope = ?');
  return part === undefined ? undefined : readNumber(part, 'id');
}

function readRecordHistory(database: DatabaseSync, { list, scope }: StoredListName): readonly StoredVersion[] {
  const part = findPart(database, { list, scope });
  if (part === undefined) return [];
  const packWith = createPackReader(database);
  return database
    .prepare('SELECT record, since, until FROM member WHERE part = ? ORDER BY since, id')
    .all(part)
    .flatMap(row => {
      const place = readNumber(row, 'record');
      const record = packWith(packNumber(place))[indexInPack(place)];
      const until = row.until === null ? null : readNumber(row, 'until');
      return record === undefined ? [] : [{ record, since: readNumber(row, 'since'), until }];
    });
}

/** Unpacks each pack once. */
function createPackReader(database: DatabaseSync): (number: number) => readonly string[] {
  const packs = new Map<number, readonly string[]>();
  const body = database.prepare('SELECT body FROM pack WHERE id = ?');
  return number => {
    const known = packs.get(number) ?? readPack(() => body.get(number));
    packs.set(number, known);
    return known;
  };
}

function readMembers(database: DatabaseSync, members: readonly StoredRow[], expected: number) {
  const packWith = createPackReader(database);
  const records: string[] = [];
  let isWhole = true;
  for (const member of members) {
    const place = readNumber(member, 'record');
    const record = packWith(packNumber(place))[indexInPack(place)];
    // A damaged row may ask for any number of copies.
    const copies = Math.min(readNumber(member, 'copies'), expected - records.length);
    if (record === undefined || copies <= 0) isWhole = false;
    else for (let copy = 0; copy < copies; copy++) records.push(record);
  }
  return { records, isWhole };
}

const selectMembers = (database: DatabaseSync, part: number, id: number): readonly StoredRow[] =>
  database
    .prepare(`SELECT record, copies FROM member WHERE part = ? AND ${HOLDS_AT_SNAPSHOT} ORDER BY id`)
    .all(part, id, id);
