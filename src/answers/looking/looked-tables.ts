import { availableParallelism } from 'node:os';
import { meantExports } from '../dataset/meant-exports.ts';
import { type Dataset, type DatasetOptions, type DatasetTable, openDataset } from '../dataset/open-dataset.ts';
import type { Database } from '../engine/database.ts';
import { sqlName } from '../engine/sql-text.ts';
import { questionNamed } from '../questions/questions.ts';
import { type AskedQuestion, answeredTable } from './answered-table.ts';
import { columnHolding, findText, type TextQuestion } from './find-text.ts';
import { orderSql, type TableLook, textSql, whereSql } from './look.ts';
import { type LookedRow, LookedRows, type SourceTable } from './looked-rows.ts';
import { type OverTimeQuestion, overTime, type TimePoint } from './over-time.ts';
import { SortedHits } from './sorted-hits.ts';
import { type Counts, valueCounts } from './value-counts.ts';

/** Rows of a look, by its table's name. */
export interface LookedAt {
  readonly table: string;
  readonly look: TableLook;
}

/** Tables that are looked at: any rows of them, and what is asked of all. An abort ends what runs. */
export interface LookedTables {
  /** The statement that made them, where they are an answer. */
  readonly sql: string | null;
  readonly tables: readonly DatasetTable[];
  readonly notes: readonly string[];
  readonly rows: (
    asked: LookedAt & { readonly from: number; readonly rows: number },
    signal: AbortSignal,
  ) => Promise<readonly LookedRow[]>;
  readonly arrange: (asked: LookedAt, signal: AbortSignal) => Promise<number>;
  readonly find: (
    asked: LookedAt & TextQuestion,
    onProgress: (rows: number) => void,
    signal: AbortSignal,
  ) => Promise<{ readonly row: number; readonly column: string } | null>;
  readonly count: (asked: LookedAt & { readonly column: string }, signal: AbortSignal) => Promise<Counts>;
  readonly chart: (
    asked: LookedAt & Pick<OverTimeQuestion, 'measure' | 'stepMs'> & { readonly column: string },
    signal: AbortSignal,
  ) => Promise<readonly TimePoint[]>;
  readonly stream: (asked: LookedAt, signal: AbortSignal) => AsyncIterable<readonly LookedRow[]>;
  readonly close: () => Promise<void>;
}

/** Of the 512 MiB that looking at a table may take, the rest is the program's. */
const MEMORY_MIB = 192;

/**
 * One processor is left to the keys. Each has memory of its own to sort in: with four of them the engine ran
 * out of it over 12 million rows, with two it does not.
 */
export const threadsFor = (processors: number): number => Math.max(1, Math.min(2, processors - 1));

/** Throws AnswerError as a dataset does. */
export async function openLookedTables(options: LookedOptions): Promise<LookedTables> {
  const threads = threadsFor(availableParallelism());
  const { question = null, ...files } = options;
  const tables = question === null ? undefined : questionNamed(question.name).tables;
  const { paths, isSearched } = await meantExports(files.paths, { tables });
  const dataset = await openDataset({ ...files, paths, hasPlaces: true, limits: { memoryMiB: MEMORY_MIB, threads } });
  const notes = isSearched ? [`this is of ${paths.join(', ')}`, ...dataset.notes] : dataset.notes;
  if (question === null) return lookedTables({ ...dataset, notes }, null);
  try {
    const { table, answer } = await answeredTable(dataset, { ...question, paths }, options.signal);
    // What was answered is held, whatever becomes of the files.
    const unchanged = async (): Promise<void> => {};
    return lookedTables({ ...dataset, tables: [table], notes: answer.notes, unchanged }, answer.sql);
  } catch (error) {
    await dataset.close();
    throw error;
  }
}

interface LookedOptions extends Omit<DatasetOptions, 'limits' | 'hasPlaces'> {
  /** Then its answer is what is looked at. */
  readonly question?: AskedQuestion | null;
}

function lookedTables(dataset: Dataset, sql: string | null): LookedTables {
  const { database, notes, unchanged } = dataset;
  // The day is in the time already.
  const tables = dataset.tables.map(table => ({
    ...table,
    columns: table.columns.filter(({ name, type }) => name !== 'date' || type !== 'DATE'),
  }));
  const looked = new LookedRows(
    database,
    tables.map(({ name, rows, columns }) => ({ name, rows: Number(rows), columns })),
  );
  const hits = new SortedHits();
  const running = new Set<Promise<unknown>>();
  const during = <T>(work: Promise<T>): Promise<T> => {
    // Rows of another file are not those that were opened, and why they cannot be read is told by the file.
    const checked = work.finally(unchanged);
    const ended: Promise<unknown> = checked.catch(() => {}).finally(() => running.delete(ended));
    running.add(ended);
    return checked;
  };
  const beside = <T>(work: (other: Database) => Promise<T>): Promise<T> => during(withOther(database, work));
  return {
    tables,
    notes,
    sql,
    rows: ({ table, look, ...span }, signal) => during(looked.rows(table, look, span, signal)),
    arrange: ({ table, look }, signal) => during(looked.arrange(table, look, signal)).then(({ count }) => count),
    find: async ({ table: name, look, ...question }, onProgress, signal) => {
      const table = looked.table(name);
      const { places } = await during(looked.arrange(name, look, signal));
      const files = await during(looked.files(name, signal));
      const haystack = { table, look, files, places, hits, signal, onProgress };
      const row = await beside(other => findText(other, haystack, question));
      if (row === null) return null;
      const [cells = []] = await during(looked.rows(name, look, { from: row, rows: 1 }, signal));
      return { row, column: columnHolding(table.columns, cells, question.text) };
    },
    count: ({ table, look, column }, signal) => {
      const source = looked.table(table);
      return beside(other => valueCounts(other, { ...source, look, column: columnOf(source, column) }, signal));
    },
    chart: ({ table, look, column, measure, stepMs }, signal) => {
      const source = looked.table(table);
      const question = { look, column: columnOf(source, column), measure, stepMs };
      return beside(other => overTime(other, source, question, signal));
    },
    stream: async function* ({ table, look }, signal) {
      const ended = Promise.withResolvers<void>();
      void during(ended.promise);
      try {
        yield* streamed(database, looked.table(table), look, signal);
      } finally {
        ended.resolve();
        await unchanged();
      }
    },
    close: async () => {
      // What still runs ends with it.
      await dataset.close();
      await Promise.allSettled(running);
    },
  };
}

async function withOther<T>(database: Database, work: (other: Database) => Promise<T>): Promise<T> {
  const other = await database.beside();
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

async function* streamed(
  database: Database,
  { name, columns }: SourceTable,
  look: TableLook,
  signal: AbortSignal,
): AsyncGenerator<readonly LookedRow[]> {
  const other = await database.beside();
  try {
    const order = orderSql(look, columns).join(', ');
    const from = `FROM ${sqlName(name)}${whereSql(look, columns)}${order === '' ? '' : ` ORDER BY ${order}`}`;
    const { parts } = await other.stream(`SELECT ${columns.map(textSql).join(', ')} ${from}`, signal);
    yield* parts;
  } finally {
    await other.close();
  }
}

function columnOf({ columns, name: table }: SourceTable, name: string) {
  const column = columns.find(known => known.name === name);
  if (column === undefined) throw new Error(`${table} has no column ${name}`);
  return column;
}
