import { availableParallelism } from 'node:os';
import { isId } from '../../base/text/ids.ts';
import { type Dataset, type DatasetOptions, openDataset } from '../dataset/open-dataset.ts';
import { selectExports } from '../dataset/select-exports.ts';
import type { Database } from '../engine/database.ts';
import { sqlName } from '../engine/sql-text.ts';
import { type ExportNamesFound, readExportNames } from '../questions/export-names.ts';
import type { Question } from '../questions/question.ts';
import { answerableQuestions, findQuestion } from '../questions/questions.ts';
import { type AnswerSources, createAnswerTable, type QuestionRequest } from './answer-table.ts';
import { findColumnWithText, findText, SortedMatches } from './find-text.ts';
import { RowReader, type SourceTable } from './row-reader.ts';
import { orderSql, type TableLook, textSql, whereSql } from './table-look.ts';
import { type ValueCounts, valueCounts } from './value-counts.ts';
import {
  type FindRequest,
  type FoundText,
  type RowsRequest,
  type ViewerRow,
  type ViewerTable,
  viewerTable,
} from './viewer-table.ts';

/** The tables of a viewer: reads and queries their rows, without blocking the keys. An abort ends a query. */
export interface ViewerTables {
  readonly tables: readonly ViewerTable[];
  readonly notes: readonly string[];
  /** '' if the files do not give it. */
  readonly chainId: string;
  /** Names and decimals that were saved with the exports. */
  readonly names: ExportNamesFound['directory'];
  /** Parties that the tables name, if some have accounts. */
  readonly parties: readonly string[];
  /** The statement of an answer; null for exports. */
  readonly sql: string | null;
  /** The ready questions that these tables answer; none for an answer. */
  readonly questions: readonly ReadyQuestion[];
  readonly rows: (
    request: RowsRequest & { readonly from: number; readonly rows: number },
    signal: AbortSignal,
  ) => Promise<readonly ViewerRow[]>;
  /** Filters and sorts; resolves with the number of rows. */
  readonly arrange: (request: RowsRequest, signal: AbortSignal) => Promise<number>;
  /** Null if no row has the text. */
  readonly find: (
    request: FindRequest,
    onProgress: (rows: number) => void,
    signal: AbortSignal,
  ) => Promise<FoundText | null>;
  readonly count: (request: RowsRequest & { readonly column: string }, signal: AbortSignal) => Promise<ValueCounts>;
  /** All rows, in parts. */
  readonly stream: (request: RowsRequest, signal: AbortSignal) => AsyncIterable<readonly ViewerRow[]>;
  /** Ends running queries, closes the files and removes temporary ones. */
  readonly close: () => Promise<void>;
}

/** A ready-made question, by its name. */
export interface ReadyQuestion extends Pick<Question, 'title' | 'needsParty'> {
  readonly name: string;
}

/** The engine's share of the 512 MiB that a viewer may use. */
const MEMORY_MIB = 192;

/**
 * One processor is left for the keys. Each thread sorts in its own memory: with four threads the engine ran out of memory
 * on 12 million rows, with two it does not.
 */
export const threadsFor = (processors: number): number => Math.max(1, Math.min(2, processors - 1));

/** Throws AnswerError like `openDataset`. */
export async function openViewerTables(options: SourceOptions): Promise<ViewerTables> {
  const threads = threadsFor(availableParallelism());
  const { question = null, epochsOf, only, ...files } = options;
  const { tables, naming } = question === null ? { tables: only } : findQuestion(question.name);
  const selected = await selectExports(files.paths, { tables, naming, evenIncomplete: files.evenIncomplete ?? false });
  const { paths, without, history, isSearched } = selected;
  const dataset = await openDataset({
    ...files,
    paths,
    without,
    history,
    hasPlaces: true,
    limits: { memoryMiB: MEMORY_MIB, threads },
  });
  const found = isSearched ? [`read from ${paths.join(', ')}`] : [];
  const notes = [...found, ...selected.left.map(({ path, why }) => `not read: ${path} (${why})`), ...dataset.notes];
  const { directory: names, notes: aside } = readExportNames(selected, dataset.chainId);
  try {
    if (question === null) {
      const parties = await namedParties(dataset, options.signal);
      const questions = answerableQuestions(dataset.tables.map(({ name }) => name));
      return viewerTables({ ...dataset, notes: [...notes, ...aside] }, { sql: null, names, parties, questions });
    }
    const { table, answer } = await createAnswerTable(
      dataset,
      { ...question, selected, ...(epochsOf && { epochsOf }) },
      options.signal,
    );
    // The answer is in memory, so the files may change.
    const unchanged = async (): Promise<void> => {};
    return viewerTables(
      {
        ...dataset,
        tables: [table],
        notes: [...(answer.more === undefined ? [] : [answer.more]), ...answer.notes],
        unchanged,
      },
      { sql: answer.sql, names, parties: [], questions: [] },
    );
  } catch (error) {
    await dataset.close();
    throw error;
  }
}

/**
 * Parties that the tables name, for the ids of their accounts: none without a table of accounts, and the largest tables are
 * left out.
 */
async function namedParties(
  { database, tables }: Pick<Dataset, 'database' | 'tables'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!tables.some(({ columns }) => columns.some(({ counted }) => counted === 'account'))) return [];
  const parties = new Set<string>();
  for (const { name, rows, columns } of tables) {
    if (rows > MAX_SEARCHED_ROWS) continue;
    for (const column of columns) {
      if (column.type !== 'BLOB' || !PARTY.test(column.name) || parties.size >= MAX_PARTIES) continue;
      const sql = `SELECT DISTINCT lower(hex(${sqlName(column.name)})) FROM ${sqlName(name)} LIMIT ${MAX_PARTIES}`;
      for (const [id] of (await database.all(sql, signal)).rows) if (id != null && isId(id)) parties.add(id);
    }
  }
  return [...parties].toSorted();
}

const PARTY = /^(?:party_id|buyer|seller)$/;
const MAX_SEARCHED_ROWS = 1_000_000n;
const MAX_PARTIES = 500;

interface SourceOptions extends Omit<DatasetOptions, 'limits' | 'hasPlaces'>, AnswerSources {
  /** Opens its answer instead of the exports. */
  readonly question?: QuestionRequest | null;
  /** Opens only the exports of these tables. */
  readonly only?: readonly string[] | undefined;
}

function viewerTables(
  dataset: Dataset,
  { sql, names, parties, questions }: Pick<ViewerTables, 'sql' | 'names' | 'parties' | 'questions'>,
): ViewerTables {
  const { database, notes, chainId, unchanged } = dataset;
  // Leave out the day, which the time has already.
  const tables = dataset.tables.map(table => ({
    ...table,
    columns: table.columns.filter(({ name, type }) => name !== 'date' || type !== 'DATE'),
  }));
  const reader = new RowReader(
    database,
    tables.map(({ name, rows, columns }) => ({ name, rows: Number(rows), columns })),
  );
  const hits = new SortedMatches();
  const running = new Set<Promise<unknown>>();
  const during = <T>(work: Promise<T>): Promise<T> => {
    // If the files have changed, report that rather than the failed query or the wrong rows.
    const checked = work.finally(unchanged);
    const ended: Promise<unknown> = checked.catch(() => {}).finally(() => running.delete(ended));
    running.add(ended);
    return checked;
  };
  const beside = <T>(work: (other: Database) => Promise<T>): Promise<T> => during(withOtherDatabase(database, work));
  return {
    tables: tables.map(table => viewerTable(table, sql !== null)),
    notes,
    chainId,
    names,
    parties,
    sql,
    questions: questions.map(({ name, title, needsParty }) => ({ name, title, needsParty })),
    rows: ({ table, look, ...span }, signal) => during(reader.rows(table, look, span, signal)),
    arrange: ({ table, look }, signal) => during(reader.arrange(table, look, signal)).then(({ count }) => count),
    find: async ({ table: name, look, ...query }, onProgress, signal) => {
      const table = reader.table(name);
      const { places } = await during(reader.arrange(name, look, signal));
      const files = await during(reader.files(name, signal));
      const haystack = { table, look, files, places, hits, signal, onProgress };
      const row = await beside(other => findText(other, haystack, query));
      if (row === null) return null;
      const [cells = []] = await during(reader.rows(name, look, { from: row, rows: 1 }, signal));
      return { row, column: findColumnWithText(table.columns, cells, query.text) };
    },
    count: ({ table, look, column }, signal) => {
      const source = reader.table(table);
      return beside(other => valueCounts(other, { ...source, look, column: requireColumn(source, column) }, signal));
    },
    stream: async function* ({ table, look }, signal) {
      const ended = Promise.withResolvers<void>();
      void during(ended.promise);
      try {
        yield* streamRows(database, reader.table(table), look, signal);
      } finally {
        ended.resolve();
        await unchanged();
      }
    },
    close: async () => {
      // This ends running queries.
      await dataset.close();
      await Promise.allSettled(running);
    },
  };
}

async function withOtherDatabase<T>(database: Database, work: (other: Database) => Promise<T>): Promise<T> {
  const other = await database.beside();
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

async function* streamRows(
  database: Database,
  { name, columns }: SourceTable,
  look: TableLook,
  signal: AbortSignal,
): AsyncGenerator<readonly ViewerRow[]> {
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

function requireColumn({ columns, name: table }: SourceTable, name: string) {
  const column = columns.find(known => known.name === name);
  if (column === undefined) throw new Error(`${table} has no column ${name}`);
  return column;
}
