import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AnswerError } from '../engine/answer-error.ts';
import type { Database } from '../engine/database.ts';
import { sqlList, sqlName, sqlText } from '../engine/sql-text.ts';
import type { CsvPart } from './part-files.ts';
import type { TableColumn } from './table-column.ts';
import { duckdbType, isSummed } from './table-column.ts';

/** A Parquet file with a temporary name. */
export interface StagedFile {
  readonly stagedPath: string;
  /** UTC day of its blocks; null if the rows have no time. */
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

export interface DayTarget {
  readonly database: Database;
  /** Folder for files with temporary names. */
  readonly folder: string;
  readonly columns: readonly TableColumn[];
  /** Metadata for each file. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called after each file is written, before it is read back; for tests. */
  readonly onWritten?: ((path: string) => Promise<void>) | undefined;
}

type Day = Pick<StagedFile, 'date' | 'firstTime' | 'lastTime'>;

interface WrittenDay extends Day {
  readonly stagedPath: string;
}

/**
 * Writes the rows of the table `part`, one file per day; each file is read back and compared. Statements cover all days
 * where possible: each takes milliseconds, and an export may have a thousand days.
 */
export async function writeDays(target: DayTarget, part: CsvPart): Promise<readonly StagedFile[]> {
  const { database, columns, signal } = target;
  const days = await readDays(target, part);
  const group = unusedColumnName(columns);
  const source = `(SELECT ${namedValues(columns)}, ${DAY_SQL} AS ${sqlName(group)} FROM part)`;
  const sums = await readStats(database, { source, by: sqlName(group), columns }, signal);
  const files: StagedFile[] = [];
  for (let from = 0; from < days.length; from += MAX_OPEN_FILES) {
    const written: WrittenDay[] = [];
    for (const [index, day] of days.slice(from, from + MAX_OPEN_FILES).entries())
      written.push({
        ...day,
        stagedPath: await writeDay(target, day.date, `${part.csv}-${part.number}-${from + index}`),
      });
    const read = await readBack(
      written.map(({ stagedPath }) => stagedPath),
      target,
    );
    for (const file of written) {
      const stats = sameStats(sums.get(file.date), read.get(file.stagedPath));
      const facts = await fileFacts(file.stagedPath);
      files.push({ ...file, csv: part.csv, part: part.number, rows: stats.rows, sums: stats.sums, ...facts });
    }
  }
  return files;
}

/** Files open at the same time when they are read back. */
const MAX_OPEN_FILES = 100;

/** The UTC day of a row, from the time of its block. */
const DAY_SQL = "strftime(block_day, '%Y-%m-%d')";

const blockTimeSql = (which: 'min' | 'max'): string => `strftime(${which}(block_time), '%Y-%m-%dT%H:%M:%S.%fZ')`;

async function readDays({ database, signal }: DayTarget, part: CsvPart): Promise<readonly Day[]> {
  const days = `SELECT ${DAY_SQL}, count(*), ${blockTimeSql('min')}, ${blockTimeSql('max')} FROM part GROUP BY 1 ORDER BY 1`;
  const { rows } = await database.all(days, signal);
  const counted = rows.reduce((sum, [, count]) => sum + Number(count), 0);
  if (counted !== part.rows)
    throw new AnswerError(
      `DuckDB read ${counted} rows of a CSV, but the check counted ${part.rows}`,
      'this is a bug in blockglass: please report it',
      'untrusted',
    );
  return rows.map(([date = null, , firstTime = null, lastTime = null]) => ({ date, firstTime, lastTime }));
}

/** A name too long to be a column. */
const unusedColumnName = (columns: readonly TableColumn[]): string =>
  '_'.repeat(1 + Math.max(...columns.map(({ name }) => name.length)));

const namedValues = (columns: readonly TableColumn[]): string =>
  columns.map(({ name }, index) => `p${index} AS ${sqlName(name)}`).join(', ');

// With bloom filters on bytes the engine (1.5.5 and 1.5.6) misses rows: `id = unhex(...)` found none.
const FORMAT = 'FORMAT parquet, COMPRESSION zstd, WRITE_BLOOM_FILTER false';

async function writeDay(
  { database, folder, columns, metadata, signal, onWritten }: DayTarget,
  date: string | null,
  name: string,
): Promise<string> {
  const path = join(folder, `${name}.parquet`);
  const texts = Object.entries(metadata).map(([key, text]) => `${sqlName(key)}: ${sqlText(text)}`);
  const only = date === null ? 'block_day IS NULL' : `block_day = DATE ${sqlText(date)}`;
  const rows = `(SELECT ${namedValues(columns)} FROM part WHERE ${only})`;
  await database.run(`COPY ${rows} TO ${sqlText(path)} (${FORMAT}, KV_METADATA {${texts.join(', ')}})`, signal);
  await onWritten?.(path);
  return path;
}

/** The statistics of files, by path. */
async function readBack(
  paths: readonly string[],
  { database, columns, signal }: DayTarget,
): Promise<ReadonlyMap<string | null, Stats>> {
  const file = unusedColumnName(columns);
  const source = `read_parquet(${sqlList(paths.map(sqlText))}, hive_partitioning = false, filename = ${sqlText(file)})`;
  try {
    return await readStats(database, { source, by: sqlName(file), columns }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AnswerError && error.message.startsWith('Out of Memory')) throw error;
    throw fileDiffersError(error instanceof Error ? error.message : String(error));
  }
}

function sameStats(written: Stats | undefined, read: Stats | undefined): Stats {
  if (written === undefined || read === undefined) throw fileDiffersError('it has no rows');
  const difference = describeDifference(written, read);
  if (difference !== undefined) throw fileDiffersError(difference);
  return written;
}

const fileDiffersError = (why: string): AnswerError =>
  new AnswerError(
    `a Parquet file differs from the written values: ${why}`,
    'the disk or memory may be faulty: try again, or choose another folder',
    'untrusted',
  );

/** Length and SHA-256 of a file. The file is on disk (fsync) when this resolves. */
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

/** Statistics of rows that do not depend on their order. */
interface Stats {
  readonly rows: number;
  /** The sum of the hashes of all rows. */
  readonly hash: string;
  readonly sums: Readonly<Record<string, string>>;
}

/** Rows in SQL, and the expression that groups them. */
interface StatsInput {
  readonly source: string;
  readonly by: string;
  readonly columns: readonly TableColumn[];
}

/** Counts, hashes and sums of the rows, by group. */
async function readStats(
  database: Database,
  { source, by, columns }: StatsInput,
  signal: AbortSignal,
): Promise<ReadonlyMap<string | null, Stats>> {
  const summed = columns.filter(isSummed);
  const query = (sums: readonly string[]) => {
    const hash = `sum(hash(${columns.map(({ name }) => sqlName(name)).join(', ')}))`;
    return `SELECT ${[by, 'count(*)', hash, ...sums].join(', ')} FROM ${source} GROUP BY 1`;
  };
  const plain = query(summed.map(({ name }) => `sum(${sqlName(name)})`));
  try {
    const { rows } = await database.all(plain, signal);
    return readGroups(rows, summed, (text, column) => text ?? zeroText(column));
  } catch (error) {
    if (!isOverflow(error)) throw error;
  }
  const { rows } = await database.all(query(summed.map(digitSum)), signal);
  return readGroups(rows, summed, (text, column) => insertPoint(text ?? '0', columnScale(column)));
}

/** Sums of 38-digit numbers do not fit the engine's usual types. */
const isOverflow = (error: unknown): boolean => error instanceof AnswerError && /overflow/i.test(error.message);

const digitSum = ({ name }: TableColumn): string =>
  `CAST(sum(CAST(replace(CAST(${sqlName(name)} AS VARCHAR), '.', '') AS BIGNUM)) AS VARCHAR)`;

function readGroups(
  rows: readonly (readonly (string | null)[])[],
  summed: readonly TableColumn[],
  textOf: (text: string | null, column: TableColumn) => string,
): ReadonlyMap<string | null, Stats> {
  return new Map(
    rows.map(([group = null, count, hash, ...sums]) => [
      group,
      {
        rows: Number(count ?? 0),
        hash: hash ?? '0',
        sums: Object.fromEntries(summed.map((column, index) => [column.name, textOf(sums[index] ?? null, column)])),
      },
    ]),
  );
}
const columnScale = (column: TableColumn): number => Number(/,(\d+)\)$/.exec(duckdbType(column))?.[1] ?? 0);

const zeroText = (column: TableColumn): string => insertPoint('0', columnScale(column));

function insertPoint(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const isNegative = digits.startsWith('-');
  const padded = (isNegative ? digits.slice(1) : digits).padStart(scale + 1, '0');
  return `${isNegative ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** The difference in words; undefined if both sides agree. */
function describeDifference(one: Stats, other: Stats): string | undefined {
  if (one.rows !== other.rows) return `${other.rows} rows instead of ${one.rows}`;
  const column = Object.keys(one.sums).find(name => one.sums[name] !== other.sums[name]);
  if (column !== undefined) return `the sum of ${column} is ${other.sums[column]} instead of ${one.sums[column]}`;
  return one.hash === other.hash ? undefined : 'some values differ';
}
