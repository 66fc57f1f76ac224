import type { DatabaseSync } from 'node:sqlite';
import { setAsideIfDamaged } from './damaged-file.ts';
import { makeSnapshotFolder, snapshotFilePath } from './files.ts';
import { listDigest, packRecords, RECORDS_PER_PACK, recordHash, recordPlace, splitIntoPacks } from './pack.ts';
import { createSnapshotReader, type Snapshots } from './reader.ts';
import { createTables } from './schema.ts';
import type { NewSnapshot, ReadList, UnreadList } from './snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';
import { BUSY_MS, inTransaction, openDatabase, readNumber, readText, withSnapshotErrors } from './sqlite.ts';
import { lockForWriting, recordWriter } from './writer-lock.ts';

export interface RecorderOptions {
  /** The folder of all chains. */
  readonly folder: string;
  readonly chainId: string;
  readonly nowMs: () => number;
  /** Largest size of the file in pages, for tests of a full disk. */
  readonly mostPages?: number;
}

/** The one writer of a chain's snapshots. Every call throws SnapshotError. */
export interface Recorder extends Snapshots {
  /** Where a damaged file that was found here is now; null if there was none. */
  readonly setAside: string | null;
  /** Stores a snapshot as a whole, or not at all; returns its id. */
  add(snapshot: NewSnapshot): number;
  /** Removes the snapshots taken more than `keepMs` (0 or more) before the newest; the newest stays. Returns how many. */
  prune(keepMs: number): number;
}

const MAX_LOG_BYTES = 1024 * 1024;

/** A longer name is not the name of a chain. */
const MAX_CHAIN_ID_LENGTH = 200;

/** Opens the file of a chain for writing and creates it if needed. Throws SnapshotError, also if another process has it. */
export function openRecorder({ folder, chainId, nowMs, mostPages }: RecorderOptions): Recorder {
  if (chainId === '' || chainId.length > MAX_CHAIN_ID_LENGTH)
    throw new SnapshotError('the node does not report a chain id', { because: 'usage', hint: 'use another node' });
  makeSnapshotFolder(folder);
  const path = snapshotFilePath(folder, chainId);
  const lock = lockForWriting(path);
  try {
    const setAside = setAsideIfDamaged(path, nowMs());
    const database = openDatabase(path);
    try {
      createTables(database, path, chainId);
      withSnapshotErrors(path, () => {
        if (mostPages !== undefined) database.exec(`PRAGMA max_page_count = ${mostPages}`);
        // The file is synced when the log is merged into it, after each snapshot.
        database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${MAX_LOG_BYTES}`);
        recordWriter(database, nowMs());
      });
      return createRecorder({ database, lock, path, chainId, setAside, nowMs });
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.close();
    throw error;
  }
}

interface Parts {
  readonly database: DatabaseSync;
  readonly lock: DatabaseSync;
  readonly path: string;
  readonly chainId: string;
  readonly setAside: string | null;
  readonly nowMs: () => number;
}

function createRecorder({ database, lock, path, chainId, setAside, nowMs }: Parts): Recorder {
  const snapshots = createSnapshotReader(database, path, chainId);
  return {
    ...snapshots,
    setAside,
    add: snapshot => {
      try {
        return inTransaction(database, path, () => new SnapshotAddition(database).add(snapshot));
      } finally {
        // A full disk leaves much in the log.
        mergeLog(database);
      }
    },
    prune: keepMs => {
      const pruned = inTransaction(database, path, () => removeOldSnapshots(database, nowMs(), keepMs));
      if (pruned > 0) withSnapshotErrors(path, () => database.prepare('PRAGMA incremental_vacuum').all());
      mergeLog(database);
      return pruned;
    },
    close: () => {
      database.close();
      lock.close();
    },
  };
}

/**
 * Merges the write-ahead log into the file, so that it does not grow. A reader may delay part of the merge until next
 * time.
 */
function mergeLog(database: DatabaseSync): void {
  try {
    // Without waiting for a reader.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The content of the log is stored; the next snapshot tries again.
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/** How a list was read, as stored. */
interface Reading {
  readonly problem: string | null;
  readonly records: number;
  readonly digest: Buffer | null;
}

/** The addition of one snapshot. */
class SnapshotAddition {
  readonly #database: DatabaseSync;
  /** Places of records stored by this addition, by their hash. */
  readonly #fresh = new Map<string, number>();
  #id = 0;
  #changed = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(snapshot: NewSnapshot): number {
    this.#id = this.#insertSnapshot(snapshot);
    const parts = new Set(snapshot.lists.map(list => this.#addList(list)));
    this.#closeOthers(parts);
    this.#insertHashes();
    this.#database.prepare('UPDATE snapshot SET changed = ? WHERE id = ?').run(this.#changed, this.#id);
    return this.#id;
  }

  #insertSnapshot({ takenMs, endedMs, node, blockHeight, blockTimeNs, genesisTime }: NewSnapshot): number {
    const { lastInsertRowid } = this.#database
      .prepare(
        'INSERT INTO snapshot (taken_ms, ended_ms, node, height, block_time_ns, genesis, changed) VALUES (?, ?, ?, ?, ?, ?, 0)',
      )
      .run(Math.floor(takenMs), Math.floor(endedMs), node.toWellFormed(), blockHeight, blockTimeNs, genesisTime);
    return Number(lastInsertRowid);
  }

  /** The id of its part. */
  #addList(list: ReadList | UnreadList): number {
    const part = this.#part(list);
    if (list.kind === 'unread') this.#setReading(part, { problem: list.problem, records: 0, digest: null });
    else this.#addRecords(part, list);
    return part;
  }

  #part({ list, scope }: ReadList | UnreadList): number {
    this.#database.prepare('INSERT OR IGNORE INTO part (list, scope) VALUES (?, ?)').run(list, scope);
    return readNumber(
      this.#database.prepare('SELECT id FROM part WHERE list = ? AND scope = ?').get(list, scope) ?? {},
      'id',
    );
  }

  #addRecords(part: number, { records, isOfTheMoment }: ReadList): void {
    const broken = records.find(record => record.includes('\n'));
    if (broken !== undefined) throw new Error('a record must be on one line');
    const hashes = records.map(recordHash);
    const isChanged = this.#setReading(part, { problem: null, records: records.length, digest: listDigest(hashes) });
    if (!isChanged) return;
    const changed = this.#setMembers(part, this.#placesOf(records, hashes));
    if (isOfTheMoment !== true) this.#changed += changed;
  }

  /** False if the list was read with the same result before. */
  #setReading(part: number, { problem, records, digest }: Reading): boolean {
    const open = this.#database
      .prepare('SELECT id, problem, digest FROM reading WHERE part = ? AND until IS NULL')
      .all(part);
    const isSame = open.some(
      before =>
        before.problem === problem &&
        (digest === null
          ? before.digest === null
          : before.digest instanceof Uint8Array && Buffer.compare(before.digest, digest) === 0),
    );
    if (isSame) return false;
    this.#closeReadings(part);
    this.#database
      .prepare('INSERT INTO reading (part, since, problem, records, digest) VALUES (?, ?, ?, ?, ?)')
      .run(part, this.#id, problem, records, digest);
    return true;
  }

  #closeReadings(part: number): void {
    this.#database.prepare('UPDATE reading SET until = ? WHERE part = ? AND until IS NULL').run(this.#id, part);
  }

  /** Where each record is stored, and how often the list has it. New records are stored. */
  #placesOf(records: readonly string[], hashes: readonly Buffer[]): ReadonlyMap<number, number> {
    const find = this.#database.prepare('SELECT place FROM record WHERE hash = ?');
    const places = new Map<string, number>();
    const fresh = new Map<string, string>();
    for (const [index, hash] of hashes.entries()) {
      const key = hash.toString('latin1');
      if (places.has(key) || fresh.has(key)) continue;
      const place = this.#fresh.get(key) ?? find.get(hash)?.place;
      if (typeof place === 'number') places.set(key, place);
      else fresh.set(key, records[index] ?? '');
    }
    for (const [key, place] of this.#store(fresh)) places.set(key, place);
    const copies = new Map<number, number>();
    for (const hash of hashes) {
      const place = places.get(hash.toString('latin1'));
      if (place !== undefined) copies.set(place, (copies.get(place) ?? 0) + 1);
    }
    return copies;
  }

  /** Packs these records, given by their hash. */
  *#store(fresh: ReadonlyMap<string, string>): Generator<readonly [string, number]> {
    const insert = this.#database.prepare('INSERT INTO pack (body) VALUES (?)');
    const keys = [...fresh.keys()];
    let next = 0;
    for (const records of splitIntoPacks([...fresh.values()])) {
      const pack = Number(insert.run(packRecords(records)).lastInsertRowid);
      for (let index = 0; index < records.length; index++) {
        const key = keys[next++] ?? '';
        const place = recordPlace(pack, index);
        this.#fresh.set(key, place);
        yield [key, place];
      }
    }
  }

  /** How many records changed. */
  #setMembers(part: number, wanted: ReadonlyMap<number, number>): number {
    const close = this.#database.prepare('UPDATE member SET until = ? WHERE id = ?');
    const insert = this.#database.prepare('INSERT INTO member (part, record, copies, since) VALUES (?, ?, ?, ?)');
    const there = new Set<number>();
    let removed = 0;
    for (const row of this.#database
      .prepare('SELECT id, record, copies FROM member WHERE part = ? AND until IS NULL')
      .all(part)) {
      const record = readNumber(row, 'record');
      if (wanted.get(record) === readNumber(row, 'copies') && !there.has(record)) there.add(record);
      else {
        close.run(this.#id, readNumber(row, 'id'));
        removed++;
      }
    }
    let added = 0;
    for (const [record, copies] of wanted) {
      if (there.has(record)) continue;
      insert.run(part, record, copies, this.#id);
      added++;
    }
    // A record that was replaced is one change.
    return Math.max(added, removed);
  }

  /** Lists that this snapshot does not have, such as the provisions of a settled market. */
  #closeOthers(parts: ReadonlySet<number>): void {
    for (const row of this.#database.prepare('SELECT DISTINCT part FROM reading WHERE until IS NULL').all()) {
      const part = readNumber(row, 'part');
      if (parts.has(part)) continue;
      this.#closeReadings(part);
      this.#changed += this.#setMembers(part, new Map());
    }
  }

  /** In their own order, which fills the pages of the index. */
  #insertHashes(): void {
    const insert = this.#database.prepare('INSERT OR IGNORE INTO record (hash, place) VALUES (?, ?)');
    const hashes = [...this.#fresh].map(([key, place]) => ({ hash: Buffer.from(key, 'latin1'), place }));
    for (const { hash, place } of hashes.toSorted((one, other) => Buffer.compare(one.hash, other.hash)))
      insert.run(hash, place);
  }
}

/** Returns how many snapshots were removed. */
function removeOldSnapshots(database: DatabaseSync, nowMs: number, keepMs: number): number {
  const newest = database.prepare('SELECT * FROM snapshot ORDER BY id DESC LIMIT 1').get();
  if (newest === undefined) return 0;
  // A clock that is wrong by years must not remove everything: the chain knows the time as well.
  const chainMs =
    newest.block_time_ns === null ? Number.POSITIVE_INFINITY : Number(readText(newest, 'block_time_ns')) / 1e6;
  const until = Math.min(nowMs, readNumber(newest, 'taken_ms'), chainMs) - keepMs;
  // The newest is never older than itself.
  const { changes } = database.prepare('DELETE FROM snapshot WHERE taken_ms < ?').run(Math.floor(until));
  if (changes === 0) return 0;
  for (const table of ['reading', 'member'])
    database.exec(
      `DELETE FROM ${table} WHERE until IS NOT NULL AND NOT EXISTS (SELECT 1 FROM snapshot WHERE id >= since AND id < until)`,
    );
  database.exec('DELETE FROM part WHERE id NOT IN (SELECT part FROM reading) AND id NOT IN (SELECT part FROM member)');
  database.exec(`
    DELETE FROM pack WHERE id NOT IN (SELECT record / ${RECORDS_PER_PACK} FROM member);
    DELETE FROM record WHERE place / ${RECORDS_PER_PACK} NOT IN (SELECT id FROM pack)`);
  return Number(changes);
}
