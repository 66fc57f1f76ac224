import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import { sqlName, sqlText } from '../engine/sql-text.ts';
import {
  type FileRows,
  type RowBatch,
  type RowInFile,
  rowPosition,
  type SourceTable,
  splitIntoBatches,
} from './row-reader.ts';
import { isNative, isNumberText, type LookColumn, type TableLook, textSql, whereSql } from './table-look.ts';
import type { FindRequest, ViewerRow } from './viewer-table.ts';

type TextQuery = Pick<FindRequest, 'text' | 'from' | 'direction'>;

/** Rows searched between two progress reports. */
const AT_ONCE = 262_144;

/** The rows to search. */
interface SearchedRows {
  readonly table: SourceTable;
  readonly look: TableLook;
  readonly files: readonly FileRows[];
  /** The table with the places of the rows; null for all rows in file order. */
  readonly places: string | null;
  /** The last results in sorted rows. */
  readonly hits: SortedMatches;
  readonly signal: AbortSignal;
  /** Called with the number of rows searched so far. */
  readonly onProgress: (rows: number) => void;
}

/** The position of the next row with a text in any value or its meaning; null if there is none. */
export async function findText(database: Database, haystack: SearchedRows, query: TextQuery): Promise<number | null> {
  const { table, look, places, files } = haystack;
  const holds = table.columns.flatMap(column => holdsSql(column, query.text)).join(' OR ');
  if (holds === '') return null;
  const filters = whereSql(look, table.columns).replace(/^ WHERE /, '');
  const conditions = [`(${holds})`, ...(filters === '' ? [] : [filters])].join(' AND ');
  if (places !== null && look.sort !== null)
    return await findSorted(database, { ...haystack, places }, query, conditions);
  const from = places === null ? query.from : await toTablePosition(database, { ...haystack, places }, query.from);
  const found = await findInFiles(database, haystack, { ...query, from, conditions });
  if (found === null || places === null) return found === null ? null : rowPosition(files, found);
  const { rows } = await database.all(
    `SELECT rowid FROM ${places} WHERE p = ${found.part} AND f = ${found.file} AND r = ${found.row}`,
    haystack.signal,
  );
  return Number(rows[0]?.[0] ?? 0);
}

/** Converts a position in the filtered rows to a position in the table. */
async function toTablePosition(
  database: Database,
  { files, places, signal }: SearchedRows & { readonly places: string },
  from: number,
): Promise<number> {
  const { rows } = await database.all(`SELECT p, f, r FROM ${places} WHERE rowid = ${from}`, signal);
  const [part, file, row] = (rows[0] ?? []).map(Number);
  return rowPosition(files, { part: part ?? 0, file: file ?? 0, row: row ?? 0 });
}

interface FilteredTextQuery extends TextQuery {
  readonly conditions: string;
}

/** Searches from the start position to the end, then wraps around to the start position. */
async function findInFiles(
  database: Database,
  { table, files, signal, onProgress }: SearchedRows,
  { from, direction, conditions }: FilteredTextQuery,
): Promise<RowInFile | null> {
  const sides =
    direction === 1
      ? [...batches(files, from, table.rows), ...batches(files, 0, from)]
      : [...batches(files, 0, from + 1).toReversed(), ...batches(files, from + 1, table.rows).toReversed()];
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

const batches = (files: readonly FileRows[], from: number, until: number): readonly RowBatch[] =>
  splitIntoBatches(files, { from, until }, AT_ONCE);

async function findSorted(
  database: Database,
  haystack: SearchedRows & { readonly places: string },
  { text, from, direction }: TextQuery,
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

/** Collects all matching rows in file order in a table, so that the engine knows their number and can plan the join. */
async function gatherMatching(
  database: Database,
  { table, files, signal, onProgress }: SearchedRows,
  conditions: string,
): Promise<void> {
  await database.run('CREATE TEMP TABLE matching (p USMALLINT, f UINTEGER, r UINTEGER)', signal);
  let done = 0;
  for (const { where, rows } of batches(files, 0, table.rows)) {
    await database.run(
      `INSERT INTO matching SELECT _part, _file, _row FROM ${sqlName(placedView(table.name))} WHERE ${where} AND ${conditions}`,
      signal,
    );
    done += rows;
    onProgress(done);
  }
}

/** Conditions for a column to contain the text; [] if it cannot. */
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

/** No time has this many consecutive digits. */
const LONGER_THAN_MICROSECONDS = /\d{7}/;

/** The column that contains the text. */
export function findColumnWithText(columns: readonly LookColumn[], row: ViewerRow, typed: string): string {
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

/**
 * The positions of matching rows in a sorted table. The last result is cached, because it took a search of all files and
 * the next match is usually wanted soon.
 */
export class SortedMatches {
  #cached: { readonly key: string; readonly table: string } | null = null;
  #made = 0;

  /** A table with their positions as `place`; `placesSql` finds them if they are not cached. */
  async of(database: Database, key: string, placesSql: () => Promise<string>, signal: AbortSignal): Promise<string> {
    if (this.#cached?.key === key) return this.#cached.table;
    const table = `hits_${++this.#made}`;
    await database.run(`CREATE TABLE ${table} AS ${await placesSql()}`, signal);
    const dropped = this.#cached;
    this.#cached = { key, table };
    if (dropped !== null) await database.run(`DROP TABLE ${dropped.table}`);
    return table;
  }
}
