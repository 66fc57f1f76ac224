import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import type { ResultCell } from '../engine/result-cell.ts';
import { sqlName } from '../engine/sql-text.ts';
import { batchesOf, type FileRows, filesOf } from './file-rows.ts';
import { type LookColumn, orderSql, type TableLook, textSql, whereSql } from './look.ts';
import { oneAtATime } from './one-at-a-time.ts';

export type SourceRow = readonly ResultCell[];

/** A table of a dataset and its columns. */
export interface SourceTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly LookColumn[];
}

export interface RowSpan {
  readonly from: number;
  readonly rows: number;
}

/** The filtered and sorted rows of a table. */
interface Arranged {
  readonly key: string;
  readonly count: number;
  /** The table with their places. */
  readonly places: string;
  /** The first sorted rows: they are scattered over the files, and shown most. */
  readonly head: readonly SourceRow[];
}

/** How many to cache: the current and the previous one. */
const CACHED = 2;

const HEAD_ROWS = 512;

/** Reads rows by position, any of them as fast as the first. */
export class RowReader {
  readonly #database: Database;
  readonly #tables: ReadonlyMap<string, SourceTable>;
  readonly #files = new Map<string, readonly FileRows[]>();
  readonly #inTurn = oneAtATime();
  #arranged: readonly Arranged[] = [];
  #made = 0;

  constructor(database: Database, tables: readonly SourceTable[]) {
    this.#database = database;
    this.#tables = new Map(tables.map(table => [table.name, table]));
  }

  table(name: string): SourceTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    return table;
  }

  /** The files of a table; queried once. */
  async files(name: string, signal: AbortSignal): Promise<readonly FileRows[]> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const files = await this.#inTurn(() => filesOf(this.#database, name, signal), signal);
    this.#files.set(name, files);
    return files;
  }

  /** The number of rows, and the table with their places; null for all rows in file order. */
  async arrange(
    name: string,
    look: TableLook,
    signal: AbortSignal,
  ): Promise<{ readonly count: number; readonly places: string | null }> {
    return isPlain(look) ? { count: this.table(name).rows, places: null } : await this.#arrangedFor(name, look, signal);
  }

  async rows(name: string, look: TableLook, span: RowSpan, signal: AbortSignal): Promise<readonly SourceRow[]> {
    if (isPlain(look)) return await this.#inOrder(name, span, signal);
    const { head, places } = await this.#arrangedFor(name, look, signal);
    const known = head.slice(span.from, span.from + span.rows);
    if (known.length === span.rows) return known;
    return await this.#inTurn(() => this.#placed(name, places, span, signal), signal);
  }

  async #inOrder(name: string, { from, rows: count }: RowSpan, signal: AbortSignal): Promise<readonly SourceRow[]> {
    const { columns } = this.table(name);
    const files = await this.files(name, signal);
    const found: SourceRow[] = [];
    for (const { where } of batchesOf(files, { from, until: from + count }, count)) {
      const sql = `SELECT ${columns.map(textSql).join(', ')} FROM ${sqlName(placedView(name))} WHERE ${where}`;
      const { rows } = await this.#inTurn(() => this.#database.all(sql, signal), signal);
      found.push(...rows);
    }
    return found;
  }

  async #placed(name: string, places: string, span: RowSpan, signal: AbortSignal): Promise<readonly SourceRow[]> {
    const between = `rowid BETWEEN ${span.from} AND ${span.from + span.rows - 1}`;
    const sql = `SELECT p, f, r FROM ${places} WHERE ${between} ORDER BY rowid`;
    const { rows: wanted } = await this.#database.all(sql, signal);
    if (wanted.length === 0) return [];
    const among = (index: number): string => [...new Set(wanted.map(place => place[index]))].join(', ');
    const { columns } = this.table(name);
    // With lists the engine skips what it need not read; combinations that are not wanted are dropped here.
    const found = await this.#database.all(
      `SELECT _part, _file, _row, ${columns.map(textSql).join(', ')} FROM ${sqlName(placedView(name))}
      WHERE _part IN (${among(0)}) AND _file IN (${among(1)}) AND _row IN (${among(2)})`,
      signal,
    );
    const byPlace = new Map(found.rows.map(([part, file, row, ...cells]) => [`${part} ${file} ${row}`, cells]));
    return wanted.map(place => byPlace.get(place.join(' ')) ?? []);
  }

  async #arrangedFor(name: string, look: TableLook, signal: AbortSignal): Promise<Arranged> {
    const key = JSON.stringify([name, look]);
    const known = this.#arranged.find(arranged => arranged.key === key);
    if (known !== undefined) return known;
    // On a second connection, so that the current rows can be read in the meantime.
    const beside = await this.#database.beside();
    try {
      const made = { key, ...(await this.#arrange(beside, this.table(name), look, signal)) };
      const dropped = this.#arranged.slice(CACHED - 1);
      this.#arranged = [made, ...this.#arranged].slice(0, CACHED);
      for (const { places } of dropped) await beside.run(`DROP TABLE ${places}`);
      return made;
    } finally {
      await beside.close();
    }
  }

  async #arrange(
    beside: Database,
    { name, columns }: SourceTable,
    look: TableLook,
    signal: AbortSignal,
  ): Promise<Omit<Arranged, 'key'>> {
    const places = `places_${++this.#made}`;
    const from = `FROM ${sqlName(placedView(name))}${whereSql(look, columns)}`;
    const order = orderSql(look, columns);
    const inFiles = ['_part', '_file', '_row'];
    const values = '_part::USMALLINT AS p, _file::UINTEGER AS f, _row::UINTEGER AS r';
    const ordered = `ORDER BY ${[...order, ...inFiles].join(', ')}`;
    await beside.run(`CREATE TABLE ${places} AS SELECT ${values} ${from} ${order.length === 0 ? '' : ordered}`, signal);
    const { rows } = await beside.all(`SELECT count(*) FROM ${places}`, signal);
    const texts = columns.map(textSql).join(', ');
    const first = `SELECT ${texts} FROM (SELECT * ${from} ${ordered} LIMIT ${HEAD_ROWS})`;
    const head = order.length === 0 ? [] : (await beside.all(first, signal)).rows;
    return { count: Number(rows[0]?.[0] ?? 0), places, head };
  }
}

const isPlain = ({ filters, sort }: TableLook): boolean => filters.length === 0 && sort === null;
