import { mayBeAdded } from '../../tables/table.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { Database } from '../engine/database.ts';
import type { ResultCell } from '../engine/result-cell.ts';
import { sqlName } from '../engine/sql-text.ts';
import type { SourceTable } from './row-reader.ts';
import { isNative, isNumberText, type LookColumn, orderSql, type TableLook, textSql, whereSql } from './table-look.ts';

/** How often the values of a column occur. */
export interface ValueCounts {
  readonly rows: number;
  /** The number of values, including those that `values` leaves out. */
  readonly distinct: number;
  /** The most frequent first. */
  readonly values: readonly { readonly value: ResultCell; readonly count: number }[];
  /** For a column of numbers that may be added, exact. */
  readonly sums: {
    readonly sum: string;
    readonly least: string;
    readonly largest: string;
    /** Rows that have a number. */
    readonly count: number;
  } | null;
}

/** More values than anyone reads. */
const MAX_VALUES = 1000;

/** How often each value of a column occurs; for numbers that may be added also the exact sum, the least and the largest. */
export async function valueCounts(
  database: Database,
  table: SourceTable & { readonly look: TableLook; readonly column: LookColumn },
  signal: AbortSignal,
): Promise<ValueCounts> {
  const { column, look, columns } = table;
  const from = `FROM ${sqlName(table.name)}${whereSql(look, columns)}`;
  const name = sqlName(column.name);
  // Counted twice rather than stored, because there may be as many values as rows.
  const counted = `(SELECT ${name}, count(*) AS _count ${from} GROUP BY 1)`;
  const all = await database.all(`SELECT count(*), sum(_count)::VARCHAR FROM ${counted}`, signal);
  const first = await database.all(
    `SELECT ${textSql(column)}, _count FROM ${counted} ORDER BY _count DESC, ${name} NULLS LAST LIMIT ${MAX_VALUES}`,
    signal,
  );
  const [distinct, rows] = all.rows[0] ?? [];
  const values = first.rows.map(([value = null, count]) => ({ value, count: Number(count) }));
  const isNumberSql = isNative(column) || isNumberText(column);
  const sums = isNumberSql && mayBeAdded(column.kind) ? await columnSums(database, table, { from, signal }) : null;
  return { rows: Number(rows ?? 0), distinct: Number(distinct ?? 0), values, sums };
}

interface RowSource {
  /** `FROM` and `WHERE`. */
  readonly from: string;
  readonly signal: AbortSignal;
}

async function columnSums(
  database: Database,
  { column, columns }: SourceTable & { readonly column: LookColumn },
  { from, signal }: RowSource,
): Promise<ValueCounts['sums']> {
  const name = sqlName(column.name);
  const end = async (isDescending: boolean): Promise<string | null> => {
    const order = orderSql({ filters: [], sort: { column: column.name, isDescending } }, columns).join(', ');
    const native = `SELECT ${isDescending ? 'max' : 'min'}(${name})::VARCHAR ${from}`;
    const sorted = `SELECT ${textSql(column)} FROM (SELECT * ${from}) WHERE ${name} IS NOT NULL ORDER BY ${order} LIMIT 1`;
    const { rows } = await database.all(isNative(column) ? native : sorted, signal);
    return rows[0]?.[0] ?? null;
  };
  const sumBy = async (method: SumMethod) => {
    const { rows } = await database.all(`SELECT count(${name}), ${method.selected.join(', ')} ${from}`, signal);
    const [count, ...cells] = rows[0] ?? [];
    return { count: Number(count ?? 0), sum: method.sumOf(cells) };
  };
  const summed = await exactSum(database, column, { from, signal }, sumBy);
  const [least, largest] = [await end(false), await end(true)];
  if (summed.sum === null || least === null || largest === null) return null;
  return { sum: summed.sum, count: summed.count, least: trimZeros(least), largest: trimZeros(largest) };
}

/** The sum of a column, computed by a method that is exact. */
async function exactSum<T>(
  database: Database,
  column: LookColumn,
  { from, signal }: RowSource,
  run: (method: SumMethod) => Promise<T>,
): Promise<T> {
  if (isNative(column)) {
    try {
      return await run(nativeSum(column));
    } catch (error) {
      signal.throwIfAborted();
      if (!isTooLarge(error)) throw error;
    }
  }
  const { rows } = await database.all(`SELECT ${lengthsSql(column)} ${from}`, signal);
  const [places, digits] = rows[0] ?? [];
  return await run(sumInParts(column, { places: Number(places ?? 0), digits: Number(digits ?? 0) }));
}

/** How to compute a sum: the SQL to select, and the sum of its cells; null if no row has a number. */
interface SumMethod {
  readonly selected: readonly string[];
  readonly sumOf: (cells: readonly ResultCell[]) => string | null;
}

/** The engine's own sum, which fails if it has too many digits. */
const nativeSum = ({ name }: LookColumn): SumMethod => ({
  selected: [`sum(${sqlName(name)})::VARCHAR`],
  sumOf: ([sum]) => (sum === undefined || sum === null ? null : trimZeros(sum)),
});

const DIGITS = 18;

/** A sum of numbers of any length: the engine sums groups of digits, which are combined here. */
function sumInParts(column: LookColumn, { places, digits }: NumberLengths): SumMethod {
  const name = sqlName(column.name);
  const text = isNative(column) ? `${name}::VARCHAR` : name;
  const parts = Math.max(1, Math.ceil((digits + places) / DIGITS));
  const size = `replace(split_part(${text}, '.', 1), '-', '') || rpad(split_part(${text}, '.', 2), ${places}, '0')`;
  const all = `lpad(${size}, ${parts * DIGITS}, '0')`;
  const sign = `CASE WHEN ${text} LIKE '-%' THEN -1 ELSE 1 END`;
  const selected = Array.from({ length: parts }, (_, part) => {
    const digitsOf = `substring(${all}, ${part * DIGITS + 1}, ${DIGITS})::BIGINT::HUGEINT`;
    return `(sum(${sign} * ${digitsOf}) FILTER (${isNumberSql(text)}))::VARCHAR`;
  });
  const sumOf = (cells: readonly ResultCell[]): string | null => {
    const sums = cells.slice(0, parts);
    if (sums.every(sum => sum === null)) return null;
    const whole = sums.reduce((sum, part) => sum * 10n ** BigInt(DIGITS) + BigInt(part ?? '0'), 0n);
    return trimZeros(insertPoint(whole, places));
  };
  return { selected, sumOf };
}

interface NumberLengths {
  /** Most digits after the point. */
  readonly places: number;
  /** Most digits before the point. */
  readonly digits: number;
}

/** SQL for the lengths of the numbers in a column. */
function lengthsSql(column: LookColumn): string {
  const text = isNative(column) ? `${sqlName(column.name)}::VARCHAR` : sqlName(column.name);
  const of = (part: number): string =>
    `coalesce(max(length(split_part(replace(${text}, '-', ''), '.', ${part}))) FILTER (${isNumberSql(text)}), 0)`;
  return `${of(2)}, ${of(1)}`;
}

const isNumberSql = (text: string): string => `regexp_full_match(${text}, '-?\\d+(\\.\\d+)?')`;

/** Whether the engine failed because a sum is too large. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof AnswerError && /overflow|out of range|could not cast|conversion/i.test(error.message);

function insertPoint(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const point = digits.length - places;
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${places === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** `1.500` is `1.5`. */
const trimZeros = (text: string): string =>
  /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '').replace(/^-0$/, '0') : text;
