import type { DatabaseSync } from 'node:sqlite';
import { problemsIn } from './check.ts';
import { digestOf, hashOf, indexOf, packOf, recordsOf } from './pack.ts';
import { checkFile } from './schema.ts';
import type { SnapshotInfo, StoredList, StoredListName } from './snapshot.ts';
import {
  atOneMoment,
  bytesIn,
  guarded,
  nullableText,
  numberIn,
  openDatabase,
  type StoredRow,
  textIn,
} from './sqlite.ts';

/** The stored snapshots of a chain, while another process may be adding some. Every call throws SnapshotError. */
export interface Snapshots {
  readonly path: string;
  readonly chainId: string;
  /** All of them, oldest first. */
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
  /** What is damaged, in sentences; none if every list of every snapshot is as it was stored. */
  problems(): readonly string[];
  close(): void;
}

/** A record, and the ids of the snapshots that have it; those at both ends may have been removed since. */
export interface StoredVersion {
  readonly record: string;
  readonly since: number;
  /** Null: the newest snapshot has it. */
  readonly until: number | null;
}

/** Opens the file of a chain for reading. Throws SnapshotError. */
export function openSnapshots(path: string): Snapshots {
  const database = openDatabase(path, { readOnly: true });
  try {
    const chainId = guarded(path, () => {
      checkFile(database, path);
      return textIn(database.prepare('SELECT chain_id FROM chain').get() ?? {}, 'chain_id');
    });
    return snapshotsIn(database, path, chainId);
  } catch (error) {
    database.close();
    throw error;
  }
}

export function snapshotsIn(database: DatabaseSync, path: string, chainId: string): Snapshots {
  const one = (where: string, ...values: readonly number[]): SnapshotInfo | undefined =>
    atOneMoment(database, path, () => {
      const row = database.prepare(`SELECT * FROM snapshot ${where}`).get(...values);
      return row === undefined ? undefined : infoOf(row, figuresOf(database, numberIn(row, 'id')));
    });
  return {
    path,
    chainId,
    all: () => atOneMoment(database, path, () => allIn(database)),
    withId: id => one('WHERE id = ?', id),
    newest: () => one('ORDER BY id DESC LIMIT 1'),
    // Ids rise even when the clock is set back, so the newest of those that fit is the right one.
    at: timeMs => one('WHERE taken_ms <= ? ORDER BY id DESC LIMIT 1', Math.floor(timeMs)),
    before: id => one('WHERE id < ? ORDER BY id DESC LIMIT 1', id),
    after: id => one('WHERE id > ? ORDER BY id LIMIT 1', id),
    // Lists that have not changed go on behind a snapshot that was removed.
    lists: id => atOneMoment(database, path, () => (isThere(database, id) ? listsIn(database, id) : [])),
    list: (id, name) =>
      atOneMoment(database, path, () => (isThere(database, id) ? listIn(database, id, name) : undefined)),
    history: name => atOneMoment(database, path, () => historyOf(database, name)),
    problems: () => atOneMoment(database, path, () => problemsIn(database)),
    close: () => database.close(),
  };
}

const isThere = (database: DatabaseSync, id: number): boolean =>
  database.prepare('SELECT 1 FROM snapshot WHERE id = ?').get(id) !== undefined;

/** Rows that hold at a snapshot. */
const AT = 'since <= ? AND (until IS NULL OR until > ?)';

interface Figures {
  records: number;
  listsRead: number;
  listsUnread: number;
}

const NO_FIGURES: Figures = { records: 0, listsRead: 0, listsUnread: 0 };

function figuresOf(database: DatabaseSync, id: number): Figures {
  const figures = { ...NO_FIGURES };
  for (const row of database.prepare(`SELECT problem, records FROM reading WHERE ${AT}`).iterate(id, id))
    addReading(figures, row, 1);
  return figures;
}

/** In one pass over the changes, as there may be many snapshots. */
function allIn(database: DatabaseSync): readonly SnapshotInfo[] {
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
      const id = numberIn(row, 'id');
      for (; next < changes.length; next++) {
        const change = changes[next] ?? {};
        if (numberIn(change, 'at') > id) break;
        addReading(figures, change, numberIn(change, 'sign'));
      }
      return infoOf(row, { ...figures });
    });
}

function addReading(figures: Figures, reading: StoredRow, sign: number): void {
  if (reading.problem === null) {
    figures.listsRead += sign;
    figures.records += sign * numberIn(reading, 'records');
  } else figures.listsUnread += sign;
}

const infoOf = (row: StoredRow, figures: Figures): SnapshotInfo => ({
  id: numberIn(row, 'id'),
  takenMs: numberIn(row, 'taken_ms'),
  endedMs: numberIn(row, 'ended_ms'),
  node: textIn(row, 'node'),
  blockHeight: nullableText(row, 'height'),
  blockTimeNs: nullableText(row, 'block_time_ns'),
  genesisTime: nullableText(row, 'genesis'),
  changed: numberIn(row, 'changed'),
  ...figures,
});

const listsIn = (database: DatabaseSync, id: number): readonly StoredListName[] =>
  database
    .prepare(`SELECT list, scope FROM reading JOIN part ON part.id = reading.part WHERE ${AT} ORDER BY list, scope`)
    .all(id, id)
    .map(row => ({ list: textIn(row, 'list'), scope: textIn(row, 'scope') }));

function listIn(database: DatabaseSync, id: number, { list, scope }: StoredListName): StoredList | undefined {
  const part = partOf(database, { list, scope });
  if (part === undefined) return undefined;
  const readingBy = (column: string): StoredRow | undefined =>
    database.prepare(`SELECT problem, records, digest FROM reading WHERE ${column} = ? AND ${AT}`).get(part, id, id);
  const reading = readingBy('part') ?? readingBy('+part');
  if (reading === undefined) return undefined;
  const problem = nullableText(reading, 'problem');
  if (problem !== null) return { list, scope, kind: 'unread', problem };
  const expected = numberIn(reading, 'records');
  const { records, isWhole } = recordsAt(database, membersAt(database, part, id), expected);
  // The digest notices a lost row and a changed byte alike.
  if (isWhole && Buffer.compare(digestOf(records.map(hashOf)), bytesIn(reading, 'digest')) === 0)
    return { list, scope, kind: 'read', records };
  return { list, scope, kind: 'damaged', records, expected };
}

/** The id of a list. Where an index is damaged, the table still has it: a `+` makes SQLite read that. */
function partOf(database: DatabaseSync, { list, scope }: StoredListName): number | undefined {
  const partBy = (condition: string): StoredRow | undefined =>
    database.prepare(`SELECT id FROM part WHERE ${condition}`).get(list, scope);
  const part = partBy('list = ? AND scope = ?') ?? partBy('+list = ? AND +scope = ?');
  return part === undefined ? undefined : numberIn(part, 'id');
}

function historyOf(database: DatabaseSync, { list, scope }: StoredListName): readonly StoredVersion[] {
  const part = partOf(database, { list, scope });
  if (part === undefined) return [];
  const packWith = packReader(database);
  return database
    .prepare('SELECT record, since, until FROM member WHERE part = ? ORDER BY since, id')
    .all(part)
    .flatMap(row => {
      const place = numberIn(row, 'record');
      const record = packWith(packOf(place))[indexOf(place)];
      const until = row.until === null ? null : numberIn(row, 'until');
      return record === undefined ? [] : [{ record, since: numberIn(row, 'since'), until }];
    });
}

/** Unpacks each pack once. */
function packReader(database: DatabaseSync): (number: number) => readonly string[] {
  const packs = new Map<number, readonly string[]>();
  const body = database.prepare('SELECT body FROM pack WHERE id = ?');
  return number => {
    const known = packs.get(number) ?? recordsOf(() => body.get(number));
    packs.set(number, known);
    return known;
  };
}

function recordsAt(database: DatabaseSync, members: readonly StoredRow[], expected: number) {
  const packWith = packReader(database);
  const records: string[] = [];
  let isWhole = true;
  for (const member of members) {
    const place = numberIn(member, 'record');
    const record = packWith(packOf(place))[indexOf(place)];
    // A damaged row may ask for any number of copies.
    const copies = Math.min(numberIn(member, 'copies'), expected - records.length);
    if (record === undefined || copies <= 0) isWhole = false;
    else for (let copy = 0; copy < copies; copy++) records.push(record);
  }
  return { records, isWhole };
}

const membersAt = (database: DatabaseSync, part: number, id: number): readonly StoredRow[] =>
  database.prepare(`SELECT record, copies FROM member WHERE part = ? AND ${AT} ORDER BY id`).all(part, id, id);
