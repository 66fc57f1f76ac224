import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AnswerError } from '../engine/answer-error.ts';
import type { Database } from '../engine/database.ts';
import { sqlName, sqlText } from '../engine/sql-text.ts';
import { differenceOf, type Stats, statsOf } from './file-stats.ts';
import { bothNeeds, digitsNeed, type Need, TEXT } from './need.ts';
import type { CsvPart } from './part-files.ts';
import { MOST_ROW_BYTES } from './row-trouble.ts';
import { exactValue, needsQuery, type TableColumn, typeOf } from './table-column.ts';

/** A Parquet file that has no name yet. */
export interface StagedFile {
  readonly stagedPath: string;
  /** UTC day of its blocks; null where rows have none. */
  readonly date: string | null;
  readonly csv: number;
  readonly part: number;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly sums: Readonly<Record<string, string>>;
}

/** What a table is made with. */
export interface PartTarget {
  readonly database: Database;
  /** Folder for files that have no name yet. */
  readonly folder: string;
  readonly columns: readonly TableColumn[];
  /** What a column of a CSV is called today. */
  readonly nameOf: (csvColumn: string) => string;
  /** Texts for the metadata of each file. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** A hook behind each file that is written, before it is read back. */
  readonly onWritten?: ((path: string) => Promise<void>) | undefined;
}

/** Needs of columns whose values did not fit, by name; none when all did. */
export type Needs = ReadonlyMap<string, Need>;

export type PartOutcome =
  | { readonly kind: 'files'; readonly files: readonly StagedFile[] }
  | { readonly kind: 'misfit'; readonly needs: Needs };

/** Rows of a CSV as Parquet, a file for each day, each read back and found to be the same. */
export async function convertPart(target: PartTarget, part: CsvPart): Promise<PartOutcome> {
  if (part.rows === 0) return { kind: 'files', files: [] };
  const { database, signal } = target;
  try {
    await database.run(
      `CREATE OR REPLACE TEMP TABLE part AS SELECT ${selection(target, part)} FROM ${csvOf(part)}`,
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    const needs = await needsOf(target, part);
    if (needs.size === 0) throw error;
    return { kind: 'misfit', needs };
  }
  try {
    return { kind: 'files', files: await filesOf(target, part) };
  } finally {
    await database.run('DROP TABLE IF EXISTS part');
  }
}

/** What the values of a part ask for beyond the types that its columns have so far. */
export async function needsOf({ database, columns, nameOf, signal }: PartTarget, part: CsvPart): Promise<Needs> {
  const looked = columns.flatMap(column => {
    const text = textOf(column, part, nameOf);
    return text === undefined || column.besides !== undefined || column.need.kind === 'text' ? [] : [{ column, text }];
  });
  const query = looked.map(({ column, text }) => needsQuery(column, text)).join(', ');
  const [row = []] = (await database.all(`SELECT ${query} FROM ${csvOf(part)}`, signal)).rows;
  const found = looked.flatMap(({ column }, index) => {
    const [misfits = 0, odd = 0, whole = 0, fraction = 0] = row.slice(index * 4, index * 4 + 4).map(Number);
    if (misfits === 0) return [];
    const need = odd > 0 ? TEXT : bothNeeds(column.need, digitsNeed(whole, fraction));
    // Whatever it is that does not fit, text does.
    const isHelped = need.kind === 'text' || typeOf({ ...column, need }) !== typeOf(column);
    return [[column.name, isHelped ? need : TEXT] as const];
  });
  return new Map(found);
}

/** Columns have their numbers for names there: those of a CSV are a node's. */
function csvOf({ path, columns, hasHeader, rowEnds }: CsvPart): string {
  const types = columns.map((_, index) => `c${index}: 'VARCHAR'`).join(', ');
  return `read_csv(${sqlText(path)}, auto_detect = false, header = ${hasHeader}, delim = ',', quote = '"', escape = '"',
    new_line = ${sqlText(rowEnds === 'returns' ? '\\r\\n' : '\\n')}, nullstr = '', allow_quoted_nulls = false, max_line_size = ${MOST_ROW_BYTES}, buffer_size = ${BUFFER_BYTES}, columns = {${types}})`;
}

/** Several of them are in memory at once. */
const BUFFER_BYTES = 8 * 1024 * 1024;

function textOf(column: TableColumn, { columns }: CsvPart, nameOf: PartTarget['nameOf']): string | undefined {
  const index = columns.findIndex(name => nameOf(name) === (column.besides ?? column.name));
  return index < 0 ? undefined : `c${index}`;
}

function selection({ columns, nameOf }: PartTarget, part: CsvPart): string {
  const values = columns.map((column, index) => {
    const text = textOf(column, part, nameOf);
    return `${text === undefined ? `CAST(NULL AS ${typeOf(column)})` : exactValue(column, text)} AS p${index}`;
  });
  const time = part.columns.indexOf('vega_time');
  const blockTime = time < 0 ? 'CAST(NULL AS TIMESTAMP)' : `TRY_CAST(c${time} AS TIMESTAMP)`;
  return [...values, `CASE WHEN ${isNamed(blockTime)} THEN ${blockTime} END AS block_time`].join(', ');
}

async function filesOf(target: PartTarget, part: CsvPart): Promise<readonly StagedFile[]> {
  const { database, signal } = target;
  const days = `SELECT ${DAY}, count(*), ${isoTime('min')}, ${isoTime('max')} FROM part GROUP BY 1 ORDER BY 1`;
  const { rows } = await database.all(days, signal);
  const counted = rows.reduce((sum, [, count]) => sum + Number(count), 0);
  if (counted !== part.rows)
    throw new AnswerError(
      `DuckDB reads ${counted} rows of a CSV in which the check counted ${part.rows}`,
      'this is a fault of blockglass: please report it',
      'untrusted',
    );
  const files: StagedFile[] = [];
  for (const [date = null, , firstTime = null, lastTime = null] of rows) {
    const only =
      rows.length === 1 ? '' : ` WHERE ${DAY} IS NOT DISTINCT FROM ${date === null ? 'NULL' : sqlText(date)}`;
    const names = target.columns.map(({ name }, index) => `p${index} AS ${sqlName(name)}`).join(', ');
    const staged = await writeFile(
      target,
      `(SELECT ${names} FROM part${only})`,
      `${part.csv}-${part.number}-${files.length}`,
    );
    files.push({ ...staged, date, csv: part.csv, part: part.number, firstTime, lastTime });
  }
  return files;
}

/** Whether a folder can be named after a time. */
const isNamed = (time: string): string => `isfinite(${time}) AND year(${time}) BETWEEN 1 AND 9999`;

/** The UTC day of a row's block. */
const DAY = `strftime(block_time, '%Y-%m-%d')`;

const isoTime = (which: 'min' | 'max'): string => `strftime(${which}(block_time), '%Y-%m-%dT%H:%M:%S.%fZ')`;

// By its bloom filters of bytes the engine (1.5.5 and 1.5.6) finds nothing where there is something: `id = unhex(...)` had no rows.
const FORMAT = 'FORMAT parquet, COMPRESSION zstd, WRITE_BLOOM_FILTER false';

async function writeFile(
  { database, folder, columns, metadata, signal, onWritten }: PartTarget,
  rows: string,
  name: string,
): Promise<Omit<StagedFile, 'date' | 'csv' | 'part' | 'firstTime' | 'lastTime'>> {
  const stagedPath = join(folder, `${name}.parquet`);
  const texts = Object.entries(metadata).map(([key, text]) => `${sqlName(key)}: ${sqlText(text)}`);
  const written = await statsOf(database, rows, columns, signal);
  await database.run(`COPY ${rows} TO ${sqlText(stagedPath)} (${FORMAT}, KV_METADATA {${texts.join(', ')}})`, signal);
  await onWritten?.(stagedPath);
  const read = await readBack(stagedPath, { database, columns, signal });
  const difference = differenceOf(written, read);
  if (difference !== undefined) throw notAsWritten(difference);
  return { stagedPath, rows: written.rows, sums: written.sums, ...(await fileFacts(stagedPath)) };
}

async function readBack(
  path: string,
  { database, columns, signal }: Pick<PartTarget, 'database' | 'columns' | 'signal'>,
): Promise<Stats> {
  try {
    return await statsOf(database, `read_parquet(${sqlText(path)}, hive_partitioning = false)`, columns, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AnswerError && error.message.startsWith('Out of Memory')) throw error;
    throw notAsWritten(error instanceof Error ? error.message : String(error));
  }
}

const notAsWritten = (why: string): AnswerError =>
  new AnswerError(
    `a Parquet file, read back, is not what was written: ${why}`,
    'the disk or the memory of this machine may be at fault: try again, or choose another folder',
    'untrusted',
  );

/** Length and SHA-256 of a file, which is on the disk when they are there. */
async function fileFacts(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 })) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}
