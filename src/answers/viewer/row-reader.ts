import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import { sqlName } from '../engine/sql-text.ts';
import { type LookColumn, orderSql, type TableLook, textSql, whereSql } from './table-look.ts';
import type { ViewerRow } from './viewer-table.ts';

/** A table of a dataset and its columns. */
export interface SourceTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly LookColumn[];
}

interface RowSpan {
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
  readonly head: readonly ViewerRow[];
}

/** How many to cache: the current and the previous one. */
const CACHED = 2;

const HEAD_ROWS = 512;

/** Reads rows by position; each position takes the same time. */
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
    if (table === undefined) throw new Error(`table ${name} not found`);
    return table;
  }

  /** The files of a table; queried once. */
  async files(name: string, signal: AbortSignal): Promise<readonly FileRows[]> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const files = await this.#inTurn(() => readFileRows(this.#database, name, signal), signal);
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

  async rows(name: string, look: TableLook, span: RowSpan, signal: AbortSignal): Promise<readonly ViewerRow[]> {
    if (isPlain(look)) return await this.#inOrder(name, span, signal);
    const { head, places } = await this.#arrangedFor(name, look, signal);
    const known = head.slice(span.from, span.from + span.rows);
    if (known.length === span.rows) return known;
    return await this.#inTurn(() => this.#placed(name, places, span, signal), signal);
  }

  async #inOrder(name: string, { from, rows: count }: RowSpan, signal: AbortSignal): Promise<readonly ViewerRow[]> {
    const { columns } = this.table(name);
    const files = await this.files(name, signal);
    const found: ViewerRow[] = [];
    for (const { where } of splitIntoBatches(files, { from, until: from + count }, count)) {
      const sql = `SELECT ${columns.map(textSql).join(', ')} FROM ${sqlName(placedView(name))} WHERE ${where}`;
      const { rows } = await this.#inTurn(() => this.#database.all(sql, signal), signal);
      found.push(...rows);
    }
    return found;
  }

  async #placed(name: string, places: string, span: RowSpan, signal: AbortSignal): Promise<readonly ViewerRow[]> {
    const between = `rowid BETWEEN ${span.from} AND ${span.from + span.rows - 1}`;
    const sql = `SELECT p, f, r FROM ${places} WHERE ${between} ORDER BY rowid`;
    const { rows: wanted } = await this.#database.all(sql, signal);
    if (wanted.length === 0) return [];
    const among = (index: number): string => [...new Set(wanted.map(place => place[index]))].join(', ');
    const { columns } = this.table(name);
    // With lists the engine skips files and rows that it need not read; other combinations are dropped here.
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

/** Runs tasks one after another. A task that is aborted while it waits does not run. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const next = last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    last = next.catch(() => {});
    return next;
  };
}

/** A file of a table, and which rows of the table it has. */
export interface FileRows {
  readonly part: number;
  readonly file: number;
  /** Rows in the files before it. */
  readonly before: number;
  readonly rows: number;
}

/** The place of a row. */
export interface RowInFile {
  readonly part: number;
  readonly file: number;
  readonly row: number;
}

async function readFileRows(database: Database, table: string, signal: AbortSignal): Promise<readonly FileRows[]> {
  const { rows } = await database.all(
    `SELECT _part, _file, count(*) FROM ${sqlName(placedView(table))} GROUP BY ALL ORDER BY ALL`,
    signal,
  );
  let before = 0;
  return rows.map(([part, file, count]) => {
    const known = { part: Number(part), file: Number(file), before, rows: Number(count) };
    before += known.rows;
    return known;
  });
}

/** Consecutive rows that one query reads. */
export interface RowBatch {
  /** A condition on the place of a row: whole files by number, parts of a file by row. */
  readonly where: string;
  readonly rows: number;
}

/** Splits the rows between two positions into batches of about `most` rows. */
export function splitIntoBatches(
  files: readonly FileRows[],
  { from, until }: { readonly from: number; readonly until: number },
  most: number,
): readonly RowBatch[] {
  const batches: RowBatch[] = [];
  let whole: FileRows[] = [];
  const close = (): void => {
    const [first, last] = [whole[0], whole.at(-1)];
    if (first === undefined || last === undefined) return;
    const where = `_part = ${first.part} AND _file BETWEEN ${first.file} AND ${last.file}`;
    batches.push({ where, rows: whole.reduce((sum, { rows }) => sum + rows, 0) });
    whole = [];
  };
  for (const file of files) {
    const begin = Math.max(0, from - file.before);
    const end = Math.min(file.rows, until - file.before);
    if (begin >= end) continue;
    const gathered = whole.reduce((sum, { rows }) => sum + rows, 0);
    if (whole[0]?.part !== file.part || gathered + file.rows > most) close();
    if (begin === 0 && end === file.rows && file.rows <= most) whole = [...whole, file];
    else {
      close();
      batches.push(...inFile(file, { begin, end }, most));
    }
  }
  close();
  return batches;
}

const inFile = (
  { part, file }: FileRows,
  { begin, end }: { readonly begin: number; readonly end: number },
  most: number,
): readonly RowBatch[] =>
  Array.from({ length: Math.ceil((end - begin) / most) }, (_, index) => {
    const first = begin + index * most;
    const last = Math.min(end, first + most) - 1;
    const where = `_part = ${part} AND _file = ${file} AND _row BETWEEN ${first} AND ${last}`;
    return { where, rows: last - first + 1 };
  });

/** The position of a row among all rows of the table. */
export const rowPosition = (files: readonly FileRows[], { part, file, row }: RowInFile): number =>
  (files.find(known => known.part === part && known.file === file)?.before ?? 0) + row;
