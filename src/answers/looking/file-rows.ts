import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import { sqlName } from '../engine/sql-text.ts';

/** A file of a table: which rows of all of them it has. */
export interface FileRows {
  readonly part: number;
  readonly file: number;
  /** Rows of the files before it. */
  readonly before: number;
  readonly rows: number;
}

/** Where a row lies. */
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

/** Rows of files that follow each other, as the engine is asked for them. */
export interface Stretch {
  /** Condition of the places of its rows: whole files are read by their names, parts of one by their rows. */
  readonly where: string;
  readonly rows: number;
}

/** The rows between two places of all, in stretches of about so many rows. */
export function stretchesOf(
  files: readonly FileRows[],
  { from, until }: { readonly from: number; readonly until: number },
  most: number,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let whole: FileRows[] = [];
  const close = (): void => {
    const [first, last] = [whole[0], whole.at(-1)];
    if (first === undefined || last === undefined) return;
    const where = `_part = ${first.part} AND _file BETWEEN ${first.file} AND ${last.file}`;
    stretches.push({ where, rows: whole.reduce((sum, { rows }) => sum + rows, 0) });
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
      stretches.push(...inFile(file, { begin, end }, most));
    }
  }
  close();
  return stretches;
}

const inFile = (
  { part, file }: FileRows,
  { begin, end }: { readonly begin: number; readonly end: number },
  most: number,
): readonly Stretch[] =>
  Array.from({ length: Math.ceil((end - begin) / most) }, (_, index) => {
    const first = begin + index * most;
    const last = Math.min(end, first + most) - 1;
    const where = `_part = ${part} AND _file = ${file} AND _row BETWEEN ${first} AND ${last}`;
    return { where, rows: last - first + 1 };
  });

/** The place of a row among all. */
export const placeAmong = (files: readonly FileRows[], { part, file, row }: FilePlace): number =>
  (files.find(known => known.part === part && known.file === file)?.before ?? 0) + row;
