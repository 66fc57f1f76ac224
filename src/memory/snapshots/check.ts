import type { DatabaseSync } from 'node:sqlite';
import { digestOf, hashOf, packOf, placeIn, recordsOf } from './pack.ts';
import { bytesIn, numberIn, type StoredRow, textIn } from './sqlite.ts';

/** Looks at the structure of the file, and at each list wherever it changed; what is damaged, in sentences. */
export function problemsIn(database: DatabaseSync): readonly string[] {
  const broken = database
    .prepare(`PRAGMA integrity_check(${MOST_PROBLEMS})`)
    .all()
    .map(row => textIn(row, 'integrity_check'))
    .filter(verdict => verdict !== 'ok');
  const hashes = hashesIn(database);
  const parts = database.prepare('SELECT id, list, scope FROM part ORDER BY list, scope').all();
  return [...broken, ...parts.flatMap(part => damageOf(database, part, hashes))];
}

const MOST_PROBLEMS = 20;

/** The hash of every record that can be read, by its place. */
function hashesIn(database: DatabaseSync): ReadonlyMap<number, Buffer> {
  const hashes = new Map<number, Buffer>();
  const body = database.prepare('SELECT body FROM pack WHERE id = ?');
  for (const { place } of database.prepare('SELECT DISTINCT record AS place FROM member ORDER BY record').all()) {
    if (typeof place !== 'number' || hashes.has(place)) continue;
    const pack = packOf(place);
    for (const [index, record] of recordsOf(() => body.get(pack)).entries())
      hashes.set(placeIn(pack, index), hashOf(record));
  }
  return hashes;
}

/** Follows a part from change to change: looking each up would read all that came before again. */
function damageOf(database: DatabaseSync, part: StoredRow, hashes: ReadonlyMap<number, Buffer>): readonly string[] {
  const id = numberIn(part, 'id');
  const rows = (sql: string): readonly StoredRow[] => database.prepare(sql).all(id);
  const readings = rows('SELECT * FROM reading WHERE part = ? AND problem IS NULL ORDER BY since');
  const starts = rows('SELECT * FROM member WHERE part = ? ORDER BY since');
  const ends = rows('SELECT id, until FROM member WHERE part = ? AND until IS NOT NULL ORDER BY until');
  const members = new Map<number, StoredRow>();
  let [start, end] = [0, 0];
  return readings.flatMap(reading => {
    const since = numberIn(reading, 'since');
    for (; isUpTo(starts[start], 'since', since); start++) {
      const member = starts[start] ?? {};
      members.set(numberIn(member, 'id'), member);
    }
    for (; isUpTo(ends[end], 'until', since); end++) members.delete(numberIn(ends[end] ?? {}, 'id'));
    const expected = numberIn(reading, 'records');
    const there = [...members.values()].flatMap(member => copiesOf(member, hashes, expected));
    if (there.length === expected && Buffer.compare(digestOf(there), bytesIn(reading, 'digest')) === 0) return [];
    const scope = textIn(part, 'scope') === '' ? '' : ` ${textIn(part, 'scope')}`;
    const range = reading.until === null ? 'on' : `to ${numberIn(reading, 'until') - 1}`;
    return [
      `${textIn(part, 'list')}${scope} from snapshot ${since} ${range}: ${there.length} of ${expected} records can be read`,
    ];
  });
}

const isUpTo = (row: StoredRow | undefined, column: string, most: number): boolean =>
  row !== undefined && numberIn(row, column) <= most;

/** A damaged row may ask for any number of copies. */
function copiesOf(member: StoredRow, hashes: ReadonlyMap<number, Buffer>, most: number): readonly Buffer[] {
  const hash = hashes.get(numberIn(member, 'record'));
  if (hash === undefined) return [];
  return Array.from({ length: Math.max(0, Math.min(numberIn(member, 'copies'), most)) }, () => hash);
}
