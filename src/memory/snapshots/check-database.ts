import type { DatabaseSync } from 'node:sqlite';
import { listDigest, packNumber, readPack, recordHash, recordPlace } from './pack.ts';
import { readBytes, readNumber, readText, type StoredRow } from './sqlite.ts';

/**
 * Checks the structure of the file, and each list at every snapshot where it changed; returns the damage, in sentences.
 */
export function checkDatabase(database: DatabaseSync): readonly string[] {
  const broken = database
    .prepare(`PRAGMA integrity_check(${MAX_PROBLEMS})`)
    .all()
    .map(row => readText(row, 'integrity_check'))
    .filter(verdict => verdict !== 'ok');
  const hashes = readHashes(database);
  const parts = database.prepare('SELECT id, list, scope FROM part ORDER BY list, scope').all();
  return [...broken, ...parts.flatMap(part => partDamage(database, part, hashes))];
}

const MAX_PROBLEMS = 20;

/** The hash of every record that can be read, by its place. */
function readHashes(database: DatabaseSync): ReadonlyMap<number, Buffer> {
  const hashes = new Map<number, Buffer>();
  const body = database.prepare('SELECT body FROM pack WHERE id = ?');
  for (const { place } of database.prepare('SELECT DISTINCT record AS place FROM member ORDER BY record').all()) {
    if (typeof place !== 'number' || hashes.has(place)) continue;
    const pack = packNumber(place);
    for (const [index, record] of readPack(() => body.get(pack)).entries())
      hashes.set(recordPlace(pack, index), recordHash(record));
  }
  return hashes;
}

/** Follows a part from change to change: looking each up would read all that came before again. */
function partDamage(database: DatabaseSync, part: StoredRow, hashes: ReadonlyMap<number, Buffer>): readonly string[] {
  const id = readNumber(part, 'id');
  const rows = (sql: string): readonly StoredRow[] => database.prepare(sql).all(id);
  const readings = rows('SELECT * FROM reading WHERE part = ? AND problem IS NULL ORDER BY since');
  const starts = rows('SELECT * FROM member WHERE part = ? ORDER BY since');
  const ends = rows('SELECT id, until FROM member WHERE part = ? AND until IS NOT NULL ORDER BY until');
  const members = new Map<number, StoredRow>();
  let [start, end] = [0, 0];
  return readings.flatMap(reading => {
    const since = readNumber(reading, 'since');
    for (; isAtMost(starts[start], 'since', since); start++) {
      const member = starts[start] ?? {};
      members.set(readNumber(member, 'id'), member);
    }
    for (; isAtMost(ends[end], 'until', since); end++) members.delete(readNumber(ends[end] ?? {}, 'id'));
    const expected = readNumber(reading, 'records');
    const there = [...members.values()].flatMap(member => repeatHash(member, hashes, expected));
    if (there.length === expected && Buffer.compare(listDigest(there), readBytes(reading, 'digest')) === 0) return [];
    const scope = readText(part, 'scope') === '' ? '' : ` ${readText(part, 'scope')}`;
    const range = reading.until === null ? 'on' : `to ${readNumber(reading, 'until') - 1}`;
    return [
      `${readText(part, 'list')}${scope} from snapshot ${since} ${range}: ${there.length} of ${expected} records can be read`,
    ];
  });
}

const isAtMost = (row: StoredRow | undefined, column: string, most: number): boolean =>
  row !== undefined && readNumber(row, column) <= most;

/** A damaged row may ask for any number of copies. */
function repeatHash(member: StoredRow, hashes: ReadonlyMap<number, Buffer>, most: number): readonly Buffer[] {
  const hash = hashes.get(readNumber(member, 'record'));
  if (hash === undefined) return [];
  return Array.from({ length: Math.max(0, Math.min(readNumber(member, 'copies'), most)) }, () => hash);
}
