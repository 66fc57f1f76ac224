import { sqlText } from '../engine/sql-text.ts';
import { type DayTarget, type StagedFile, writeDays } from './day-files.ts';
import { bothNeeds, digitsNeed, type Need, TEXT } from './need.ts';
import type { CsvPart } from './part-files.ts';
import { MOST_ROW_BYTES } from './row-trouble.ts';
import { exactValue, needsQuery, plainBeside, type TableColumn, typeOf } from './table-column.ts';

/** How to convert a table. */
export interface PartTarget extends DayTarget {
  /** The current name of each CSV column. */
  readonly nameOf: (csvColumn: string) => string;
}

/** The needs of columns whose values did not fit, by name; empty if all fit. */
export type Needs = ReadonlyMap<string, Need>;

export type PartOutcome =
  | { readonly kind: 'files'; readonly files: readonly StagedFile[] }
  | { readonly kind: 'misfit'; readonly needs: Needs };

/** Converts rows of a CSV to Parquet, one file per day; each file is read back and compared. */
export async function convertPart(target: PartTarget, part: CsvPart): Promise<PartOutcome> {
  if (part.rows === 0) return { kind: 'files', files: [] };
  const { database, signal } = target;
  try {
    await database.run(
      `CREATE OR REPLACE TEMP TABLE part AS SELECT *, CAST(block_time AS DATE) AS block_day
       FROM (SELECT ${selection(target, part)} FROM ${textsOf(target, part)})`,
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    const needs = await needsOf(target, part);
    if (needs.size === 0) throw error;
    return { kind: 'misfit', needs };
  }
  try {
    return { kind: 'files', files: await writeDays(target, part) };
  } finally {
    await database.run('DROP TABLE IF EXISTS part');
  }
}

/** The needs of values that do not fit the current column types. */
export async function needsOf(target: PartTarget, part: CsvPart): Promise<Needs> {
  const { database, columns, nameOf, signal } = target;
  const looked = columns.flatMap(column => {
    const text = textOf(column, part, nameOf);
    return text === undefined || column.besides !== undefined || column.need.kind === 'text' ? [] : [{ column, text }];
  });
  const query = looked.map(({ column, text }) => needsQuery(column, text)).join(', ');
  const [row = []] = (await database.all(`SELECT ${query} FROM ${textsOf(target, part)}`, signal)).rows;
  const found = looked.flatMap(({ column }, index) => {
    const [misfits = 0, odd = 0, whole = 0, fraction = 0] = row.slice(index * 4, index * 4 + 4).map(Number);
    if (misfits === 0) return [];
    const need = odd > 0 ? TEXT : bothNeeds(column.need, digitsNeed(whole, fraction));
    // Text fits every value.
    const isHelped = need.kind === 'text' || typeOf({ ...column, need }) !== typeOf(column);
    return [[column.name, isHelped ? need : TEXT] as const];
  });
  return new Map(found);
}

/** The texts of a part, some with helper columns next to them. */
function textsOf({ columns, nameOf }: PartTarget, part: CsvPart): string {
  const plain = columns.flatMap(column => {
    const text = textOf(column, part, nameOf);
    return text === undefined ? [] : plainBeside(column, text);
  });
  return `(SELECT ${['*', ...plain].join(', ')} FROM ${csvOf(part)})`;
}

/** Columns are named by number, because the names in a CSV come from a node. */
function csvOf({ path, columns, hasHeader, rowEnds }: CsvPart): string {
  const types = columns.map((_, index) => `c${index}: 'VARCHAR'`).join(', ');
  return `read_csv(${sqlText(path)}, auto_detect = false, header = ${hasHeader}, delim = ',', quote = '"', escape = '"',
    new_line = ${sqlText(rowEnds === 'returns' ? '\\r\\n' : '\\n')}, nullstr = '', allow_quoted_nulls = false, max_line_size = ${MOST_ROW_BYTES}, buffer_size = ${BUFFER_BYTES}, columns = {${types}})`;
}

/** Several of these are in memory at the same time. */
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

/** Whether the column is a time that can name a folder. */
const isNamed = (time: string): string => `isfinite(${time}) AND year(${time}) BETWEEN 1 AND 9999`;
