import { existsSync } from 'node:fs';
import type { Dataset, DatasetColumn, DatasetTable } from '../answers/index.ts';
import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize, trimEndSafe } from '../base/text/safe-text.ts';
import { fitCells, widthCells, wrapWords } from '../base/text/width.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { TABLE_SCHEMAS } from '../tables/columns.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { FETCH_FLAG } from './fetch-first.ts';
import { CONNECTION_FLAGS, type ParsedFlags } from './flags.ts';
import { findExports, findSource, openExports } from './open-exports.ts';
import { FORMATS, type Format, printAll, printer, readFormat } from './output.ts';
import { resultForms } from './query/result-forms.ts';
import { BOUND_FLAGS, type BoundedWork, readWorkBounds, runWithinBounds } from './query/work-bounds.ts';
import { HISTORY_FLAGS } from './stored-history.ts';
import { UsageError } from './usage-error.ts';

export const query: Command = {
  group: 'Read exports',
  form: '<sql> [file or folder]...',
  about:
    'run a SQL query over the history on disk. Given exports are read instead: ZIP files, folders of slices or of Parquet. Each table is a view of its name; no other file is read',
  examples: [
    'query "SELECT epoch_id, sum(amount) AS paid FROM rewards GROUP BY ALL ORDER BY ALL" rewards.zip',
    'query --tables rewards.zip',
  ],
  flags: [
    { name: 'tables', kind: 'switch', about: 'list the tables and their columns' },
    FETCH_FLAG,
    ...HISTORY_FLAGS,
    ...BOUND_FLAGS,
    {
      name: 'threads',
      kind: 'number',
      group: 'Limits',
      least: 1,
      most: 256,
      value: 'N',
      about: 'number of threads (2)',
    },
    {
      name: 'even-incomplete',
      kind: 'switch',
      group: 'History on disk',
      about: 'also read incomplete exports, with a note',
    },
  ],
  uses: [...CONNECTION_FLAGS.filter(flag => flag !== 'timeout'), 'output'],
  run: async (given, context) => {
    const format = readFormat(given, FORMATS);
    const { sql, files } = readQuery(given, format);
    const bounds = readWorkBounds(given);
    const limits = { memoryMiB: bounds.memoryMiB, threads: given.number('threads') ?? 2 };
    const evenIncomplete = given.has('even-incomplete');
    return runWithinBounds(bounds, context, async bounded => {
      const named = tablesInSql(sql);
      const source = await findSource(files, { given, context, needs: named && { tables: named } });
      const tables = source.isHistory ? named : undefined;
      const selected = await findExports(source, context, { tables, evenIncomplete });
      const dataset = await openExports(selected, { evenIncomplete, limits, signal: bounded.signal }, context);
      try {
        for (const note of dataset.notes) await context.stderr.safe(safeLine(`note: ${note}`));
        if (sql === undefined) await printTables(dataset, format, context);
        else await printResult(dataset, sql, { format, bounded, context });
      } finally {
        await dataset.close();
      }
      return source.exitCode;
    });
  },
};

/** The tables that a query may read: those that it names anywhere. Others of a history need not be opened. */
function tablesInSql(sql: string | undefined): readonly string[] | undefined {
  const words = new Set(sql?.toLowerCase().match(/\w+/g));
  const named = [...TABLE_SCHEMAS.keys()].filter(table => words.has(table));
  return named.length === 0 ? undefined : named;
}

/** The SQL and the files; no SQL with --tables. */
function readQuery(
  given: ParsedFlags,
  format: Format,
): { readonly sql: string | undefined; readonly files: readonly string[] } {
  if (given.has('tables')) {
    if (format === 'csv') throw new UsageError('--tables cannot print csv. Use -o table, json or ndjson');
    return { sql: undefined, files: given.words };
  }
  const [sql = '', ...files] = given.words;
  if (sql.trim() === '')
    throw new UsageError(
      'missing argument <sql>. Usage: blockglass query "SELECT ..." [files]. --tables lists the tables.',
    );
  if (/^\S+$/.test(sql.trim()) && existsSync(sql))
    throw new UsageError(`${sql} is a file, not SQL. Put the SQL first and the file after it.`, [
      `blockglass query "SELECT ..." ${sql}`,
    ]);
  return { sql, files };
}

async function printResult(
  { database, tables }: Dataset,
  sql: string,
  { format, bounded, context }: { readonly format: Format; readonly bounded: BoundedWork; readonly context: Context },
): Promise<void> {
  const note = quotedIdNote(sql, tables);
  if (note !== undefined) await context.stderr.safe(safeLine(`note: ${note}`));
  const { isStringTooLong, streamQuery, newRowTooLongError } = await import('../answers/index.ts');
  bounded.begin();
  const { columns, parts } = await streamQuery(database, sql, bounded.signal);
  const { write, end } = printer(format, resultForms(columns, context.stdout), context.stdout);
  let count = 0;
  try {
    for await (const rows of parts) {
      count += rows.length;
      await bounded.elsewhere(write(rows));
    }
  } catch (error) {
    throw isStringTooLong(error) ? newRowTooLongError() : error;
  }
  // Without rows the heading is printed all the same.
  if (count === 0) await bounded.elsewhere(write([]));
  await bounded.elsewhere(end());
  if (format === 'table') await context.stderr.safe(safeLine(countOf(count, 'row')));
}

function printTables({ tables }: Dataset, format: Format, { stdout }: Context): Promise<void> {
  const forms = {
    records: tables,
    head: () => [],
    cells: () => [],
    json: (table: DatasetTable) => JSON.stringify(tableJson(table)),
    table: () => tablesText(tables, stdout.isTerminal ? (stdout.columns ?? 80) : undefined),
  };
  return printAll(format, forms, stdout);
}

/** A note for a query that compares bytes with an id in quotes, which is not an error but finds nothing. */
function quotedIdNote(sql: string, tables: readonly DatasetTable[]): string | undefined {
  const hasBytes = tables.some(({ columns }) => columns.some(({ type }) => type === 'BLOB'));
  const id = ID_AS_TEXT.exec(sql)?.[1];
  if (!hasBytes || id === undefined || HEX_FUNCTION.test(sql)) return undefined;
  return `ids are bytes in these tables, so text never equals them. Write unhex('${id}')`;
}

/** Ids and hashes have 32 bytes. People paste them with or without a prefix. */
const ID_AS_TEXT = /'(?:\\x|0x)?([0-9a-f]{64})'/i;

/** A query with `unhex(...)` or `hex(...)` compares bytes already. */
const HEX_FUNCTION = /hex\s*\(/i;

/** The tables and their columns, for people; wrapped to `room` cells if given. */
const tablesText = (tables: readonly DatasetTable[], room: number | undefined): SafeText =>
  joinSafe(
    tables.flatMap((table, index) => [
      ...(index === 0 ? [] : [safeLine('')]),
      safeLine(tableHeading(table)),
      columnsText(table.columns, room),
    ]),
  );

function tableHeading({ name, rows, firstTime, lastTime, fromBlock, toBlock, isComplete }: DatasetTable): string {
  const facts = [
    countOf(rows, 'row'),
    ...(fromBlock === null || toBlock === null ? [] : [`blocks ${fromBlock} to ${toBlock}`]),
    ...(firstTime === null || lastTime === null ? [] : [`${firstTime} to ${lastTime}`]),
    ...(isComplete ? [] : ['not complete']),
  ];
  return `${name}: ${facts.join(', ')}`;
}

function columnsText(columns: readonly DatasetColumn[], room = Number.POSITIVE_INFINITY): SafeText {
  const rows = columns.map(({ name, type, about, unit }) => ({
    name: sanitize(name),
    type: sanitize(type),
    meaning: sanitize(unit === '' ? about : `${about} [${unit}]`),
  }));
  const nameCells = rows.reduce((widest, { name }) => Math.max(widest, widthCells(name)), 0);
  const typeCells = rows.reduce((widest, { type }) => Math.max(widest, widthCells(type)), 0);
  const meaningCells = Math.max(20, room - nameCells - typeCells - 6);
  const line = (name: SafeText, type: SafeText, meaning: SafeText): SafeText =>
    safeText`${trimEndSafe(safeText`  ${fitCells(name, nameCells)}  ${fitCells(type, typeCells)}  ${meaning}`)}\n`;
  return joinSafe(
    rows.flatMap(({ name, type, meaning }) =>
      wrapWords(meaning, meaningCells).map((words, index) =>
        index === 0 ? line(name, type, words) : line(EMPTY, EMPTY, words),
      ),
    ),
  );
}

/** The same for programs. Counts are text, like all numbers that may exceed 32 bits. */
const tableJson = ({ rows, ...rest }: DatasetTable) => ({ ...rest, rows: String(rows) });
