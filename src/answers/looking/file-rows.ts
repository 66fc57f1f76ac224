import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import { sqlName } from '../engine/sql-text.ts';

/** A file of a table, and which rows of the table it has. */
export interface FileRows {
  readonly part: number;
  readonly file: number;
  /** Rows in the files before it. */
  readonly before: number;
  readonly rows: number;
}

/** The place of a row. */
export interface FilePlace {
  readonly part: number;
  readonly file: number;
  readonly row: number;
}

export async function filesOf(database: Database, table: string, signal: AbortSignal): Promise<readonly FileRows[]> {
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
export function batchesOf(
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
export const positionOf = (files: readonly FileRows[], { part, file, row }: FilePlace): number =>
  (files.find(known => known.part === part && known.file === file)?.before ?? 0) + row;
