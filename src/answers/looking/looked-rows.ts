import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import type { ResultCell } from '../engine/result-cell.ts';
import { sqlName } from '../engine/sql-text.ts';
import { type FileRows, filesOf, stretchesOf } from './file-rows.ts';
import { type LookColumn, orderSql, type TableLook, textSql, whereSql } from './look.ts';
import { oneAtATime } from './one-at-a-time.ts';

export type LookedRow = readonly ResultCell[];

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

/** The rows of a look in their order, as they were worked out. */
interface Arranged {
  readonly key: string;
  readonly count: number;
  /** The table that has the place of each. */
  readonly places: string;
  /** The first of them, where they were sorted: they lie apart from each other, and are looked at most. */
  readonly head: readonly LookedRow[];
}

/** So many are kept: what is shown, and what was shown before. */
const KEPT = 2;

const HEAD_ROWS = 512;

/** Rows of tables by their places in a look: any of them is as quick as the first one. */
export class LookedRows {
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

  /** The files of a table; they are asked for once. */
  async files(name: string, signal: AbortSignal): Promise<readonly FileRows[]> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const files = await this.#inTurn(() => filesOf(this.#database, name, signal), signal);
    this.#files.set(name, files);
    return files;
  }

  /** How many rows a look has, and the table of their places; null where they are all, in the order of the files. */
  async arrange(
    name: string,
    look: TableLook,
    signal: AbortSignal,
  ): Promise<{ readonly count: number; readonly places: string | null }> {
    return isPlain(look) ? { count: this.table(name).rows, places: null } : await this.#arrangedFor(name, look, signal);
  }

  async rows(name: string, look: TableLook, span: RowSpan, signal: AbortSignal): Promise<readonly LookedRow[]> {
    if (isPlain(look)) return await this.#inOrder(name, span, signal);
    const { head, places } = await this.#arrangedFor(name, look, signal);
    const known = head.slice(span.from, span.from + span.rows);
    if (known.length === span.rows) return known;
    return await this.#inTurn(() => this.#placed(name, places, span, signal), signal);
  }

  async #inOrder(name: string, { from, rows: count }: RowSpan, signal: AbortSignal): Promise<readonly LookedRow[]> {
    const { columns } = this.table(name);
    const files = await this.files(name, signal);
    const found: LookedRow[] = [];
    for (const { where } of stretchesOf(files, { from, until: from + count }, count)) {
      const sql = `SELECT ${columns.map(textSql).join(', ')} FROM ${sqlName(placedView(name))} WHERE ${where}`;
      const { rows } = await this.#inTurn(() => this.#database.all(sql, signal), signal);
      found.push(...rows);
    }
    return found;
  }

  async #placed(name: string, places: string, span: RowSpan, signal: AbortSignal): Promise<readonly LookedRow[]> {
    const between = `rowid BETWEEN ${span.from} AND ${span.from + span.rows - 1}`;
    const sql = `SELECT p, f, r FROM ${places} WHERE ${between} ORDER BY rowid`;
    const { rows: wanted } = await this.#database.all(sql, signal);
    if (wanted.length === 0) return [];
    const among = (index: number): string => [...new Set(wanted.map(place => place[index]))].join(', ');
    const { columns } = this.table(name);
    // By lists the engine leaves out what it need not read; what they have in common beyond these rows is dropped here.
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
    // On a connection of its own: meanwhile rows are read as they were.
    const beside = await this.#database.beside();
    try {
      const made = { key, ...(await this.#arrange(beside, this.table(name), look, signal)) };
      const [kept, gone] = [[made, ...this.#arranged].slice(0, KEPT), this.#arranged.slice(KEPT - 1)];
      this.#arranged = kept;
      for (const { places } of gone) await beside.run(`DROP TABLE ${places}`);
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
