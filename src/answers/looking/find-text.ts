import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import { sqlName, sqlText } from '../engine/sql-text.ts';
import { type FilePlace, type FileRows, placeAmong, type Stretch, stretchesOf } from './file-rows.ts';
import { isNative, isNumberText, type LookColumn, type TableLook, textSql, whereSql } from './look.ts';
import type { LookedRow, SourceTable } from './looked-rows.ts';
import type { SortedHits } from './sorted-hits.ts';

export interface TextQuestion {
  readonly text: string;
  readonly from: number;
  readonly direction: 1 | -1;
}

/** Rows that are looked through at once, before it is told how far it is. */
const AT_ONCE = 262_144;

/** What is looked through, and how. */
export interface Haystack {
  readonly table: SourceTable;
  readonly look: TableLook;
  readonly files: readonly FileRows[];
  /** Of the rows of the look; null where they are all, in the order of the files. */
  readonly places: string | null;
  /** Of sorted looks, what was found last. */
  readonly hits: SortedHits;
  readonly signal: AbortSignal;
  /** Rows of the table that were looked through, be they of the look or not. */
  readonly onProgress: (rows: number) => void;
}

/** The place of the next row that holds a text in any value, as it is in the files or in words; null where none does. */
export async function findText(database: Database, haystack: Haystack, question: TextQuestion): Promise<number | null> {
  const { table, look, places, files } = haystack;
  const holds = table.columns.flatMap(column => holdsSql(column, question.text)).join(' OR ');
  if (holds === '') return null;
  const filters = whereSql(look, table.columns).replace(/^ WHERE /, '');
  const conditions = [`(${holds})`, ...(filters === '' ? [] : [filters])].join(' AND ');
  if (places !== null && look.sort !== null)
    return await findSorted(database, { ...haystack, places }, question, conditions);
  const from = places === null ? question.from : await inFiles(database, { ...haystack, places }, question.from);
  const found = await findInFiles(database, haystack, { ...question, from, conditions });
  if (found === null || places === null) return found === null ? null : placeAmong(files, found);
  const { rows } = await database.all(
    `SELECT rowid FROM ${places} WHERE p = ${found.part} AND f = ${found.file} AND r = ${found.row}`,
    haystack.signal,
  );
  return Number(rows[0]?.[0] ?? 0);
}

/** The place among all rows of one of the look. */
async function inFiles(
  database: Database,
  { files, places, signal }: Haystack & { readonly places: string },
  from: number,
): Promise<number> {
  const { rows } = await database.all(`SELECT p, f, r FROM ${places} WHERE rowid = ${from}`, signal);
  const [part, file, row] = (rows[0] ?? []).map(Number);
  return placeAmong(files, { part: part ?? 0, file: file ?? 0, row: row ?? 0 });
}

interface Wanted extends TextQuestion {
  readonly conditions: string;
}

/** From where it begins to the end, and from the other end back to there. */
async function findInFiles(
  database: Database,
  { table, files, signal, onProgress }: Haystack,
  { from, direction, conditions }: Wanted,
): Promise<FilePlace | null> {
  const sides =
    direction === 1
      ? [...stretches(files, from, table.rows), ...stretches(files, 0, from)]
      : [...stretches(files, 0, from + 1).toReversed(), ...stretches(files, from + 1, table.rows).toReversed()];
  const order = ['_part', '_file', '_row'].map(name => (direction === 1 ? name : `${name} DESC`)).join(', ');
  let done = 0;
  for (const { where, rows } of sides) {
    const { rows: found } = await database.all(
      `SELECT _part, _file, _row FROM ${sqlName(placedView(table.name))} WHERE ${where} AND ${conditions} ORDER BY ${order} LIMIT 1`,
      signal,
    );
    const [place] = found;
    if (place !== undefined) {
      const [part = 0, file = 0, row = 0] = place.map(Number);
      return { part, file, row };
    }
    done += rows;
    onProgress(done);
  }
  return null;
}

const stretches = (files: readonly FileRows[], from: number, until: number): readonly Stretch[] =>
  stretchesOf(files, { from, until }, AT_ONCE);

async function findSorted(
  database: Database,
  haystack: Haystack & { readonly places: string },
  { text, from, direction }: TextQuestion,
  conditions: string,
): Promise<number | null> {
  const { table, look, places, hits, signal } = haystack;
  const key = JSON.stringify([table.name, look, text]);
  const placesSql = async (): Promise<string> => {
    await gatherMatching(database, haystack, conditions);
    return `SELECT s.rowid::UINTEGER AS place FROM ${places} s
      JOIN matching m ON m.p = s.p AND m.f = s.f AND m.r = s.r`;
  };
  const found = await hits.of(database, key, placesSql, signal);
  const [nearest, side] = direction === 1 ? ['min', '>='] : ['max', '<='];
  const { rows } = await database.all(
    `SELECT ${nearest}(place) FILTER (place ${side} ${from}), ${nearest}(place) FROM ${found}`,
    signal,
  );
  const place = rows[0]?.[0] ?? rows[0]?.[1] ?? null;
  return place === null ? null : Number(place);
}

/** All rows that hold it, in the order of the files: put down first, as how many they are says how they are best looked up. */
async function gatherMatching(
  database: Database,
  { table, files, signal, onProgress }: Haystack,
  conditions: string,
): Promise<void> {
  await database.run('CREATE TEMP TABLE matching (p USMALLINT, f UINTEGER, r UINTEGER)', signal);
  let done = 0;
  for (const { where, rows } of stretches(files, 0, table.rows)) {
    await database.run(
      `INSERT INTO matching SELECT _part, _file, _row FROM ${sqlName(placedView(table.name))} WHERE ${where} AND ${conditions}`,
      signal,
    );
    done += rows;
    onProgress(done);
  }
}

/** Conditions under which a column holds the text; none where it cannot. */
function holdsSql(column: LookColumn, typed: string): readonly string[] {
  const text = typed.trim().toLowerCase();
  const contains = (value: string, wanted: string): string => `contains(${value}, ${sqlText(wanted)})`;
  if (column.type === 'BLOB') {
    const hex = text.replace(/^\\?0?x/, '');
    if (!/^[0-9a-f]+$/.test(hex)) return [];
    return hex.length === WHOLE_ID
      ? [`${sqlName(column.name)} = from_hex(${sqlText(hex)})`]
      : [`contains(hex(${sqlName(column.name)}), ${sqlText(hex.toUpperCase())})`];
  }
  if (isNative(column) || isNumberText(column)) {
    const digits = text.replaceAll(' ', '');
    return /^-?[\d.]+$/.test(digits) ? [contains(textSql(column), digits)] : [];
  }
  if (/^(?:TIMESTAMP|DATE)$/.test(column.type))
    return /^[-\d:. ]+$/.test(text) && !LONGER_THAN_MICROSECONDS.test(text) ? [contains(textSql(column), text)] : [];
  const values = Object.entries(column.values ?? {}).flatMap(([value, words]) =>
    words.toLowerCase().includes(text) ? [sqlText(value)] : [],
  );
  const meant = values.length === 0 ? [] : [`${textSql(column)} IN (${values.join(', ')})`];
  return [contains(`lower(${textSql(column)})`, text), ...meant];
}

const WHOLE_ID = 64;

/** In no time are so many digits beside each other. */
const LONGER_THAN_MICROSECONDS = /\d{7}/;

/** The column by which a row was found. */
export function columnHolding(columns: readonly LookColumn[], row: LookedRow, typed: string): string {
  const text = typed.trim().toLowerCase();
  const wanted = [text, text.replace(/^\\?0?x/, ''), text.replaceAll(' ', '')];
  const found = columns.find(({ values = {} }, index) => {
    const value = row[index] ?? null;
    if (value === null) return false;
    const word = Object.hasOwn(values, value) ? values[value] : undefined;
    return [value, word ?? ''].some(shown => wanted.some(part => part !== '' && shown.toLowerCase().includes(part)));
  });
  return found?.name ?? columns[0]?.name ?? '';
}
