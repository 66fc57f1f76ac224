import { AnswerError } from '../engine/answer-error.ts';
import type { Database } from '../engine/database.ts';
import { sqlName } from '../engine/sql-text.ts';
import { isSummed, type TableColumn, typeOf } from './table-column.ts';

/** Statistics of rows that do not depend on their order. */
export interface Stats {
  readonly rows: number;
  /** The sum of the hashes of all rows. */
  readonly hash: string;
  readonly sums: Readonly<Record<string, string>>;
}

/** Rows in SQL, and the expression that groups them. */
export interface StatsGround {
  readonly source: string;
  readonly by: string;
  readonly columns: readonly TableColumn[];
}

/** Counts, hashes and sums of the rows, by group. */
export async function statsBy(
  database: Database,
  { source, by, columns }: StatsGround,
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
    return groupsFrom(rows, summed, (text, column) => text ?? zeroOf(column));
  } catch (error) {
    if (!isOverflow(error)) throw error;
  }
  const { rows } = await database.all(query(summed.map(digitSum)), signal);
  return groupsFrom(rows, summed, (text, column) => withPoint(text ?? '0', scaleIn(column)));
}

/** Sums of 38-digit numbers do not fit the engine's usual types. */
const isOverflow = (error: unknown): boolean => error instanceof AnswerError && /overflow/i.test(error.message);

const digitSum = ({ name }: TableColumn): string =>
  `CAST(sum(CAST(replace(CAST(${sqlName(name)} AS VARCHAR), '.', '') AS BIGNUM)) AS VARCHAR)`;

function groupsFrom(
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
const scaleIn = (column: TableColumn): number => Number(/,(\d+)\)$/.exec(typeOf(column))?.[1] ?? 0);

const zeroOf = (column: TableColumn): string => withPoint('0', scaleIn(column));

function withPoint(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const isNegative = digits.startsWith('-');
  const padded = (isNegative ? digits.slice(1) : digits).padStart(scale + 1, '0');
  return `${isNegative ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** The difference in words; undefined if both sides agree. */
export function differenceOf(one: Stats, other: Stats): string | undefined {
  if (one.rows !== other.rows) return `${other.rows} rows instead of ${one.rows}`;
  const column = Object.keys(one.sums).find(name => one.sums[name] !== other.sums[name]);
  if (column !== undefined) return `${column} comes to ${other.sums[column]} instead of ${one.sums[column]}`;
  return one.hash === other.hash ? undefined : 'other values than were written';
}
