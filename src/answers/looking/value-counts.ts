import type { Database } from '../engine/database.ts';
import type { ResultCell } from '../engine/result-cell.ts';
import { sqlName } from '../engine/sql-text.ts';
import { isNative, isNumberText, type LookColumn, orderSql, type TableLook, textSql, whereSql } from './look.ts';
import type { SourceTable } from './looked-rows.ts';
import { isTooLarge, lengthsSql, nativeSum, type SumMethod, sumInParts, withoutZeros } from './number-sums.ts';

export interface Counts {
  readonly rows: number;
  readonly distinct: number;
  readonly values: readonly { readonly value: ResultCell; readonly count: number }[];
  readonly sums: {
    readonly sum: string;
    readonly least: string;
    readonly largest: string;
    readonly count: number;
  } | null;
}

/** More values than anyone reads. */
const MOST_VALUES = 1000;

/** How often each value of a column occurs; for numbers also the exact sum, the least and the largest. */
export async function valueCounts(
  database: Database,
  table: SourceTable & { readonly look: TableLook; readonly column: LookColumn },
  signal: AbortSignal,
): Promise<Counts> {
  const { column, look, columns } = table;
  const from = `FROM ${sqlName(table.name)}${whereSql(look, columns)}`;
  const name = sqlName(column.name);
  // Counted twice rather than stored, because there may be as many values as rows.
  const counted = `(SELECT ${name}, count(*) AS _count ${from} GROUP BY 1)`;
  const all = await database.all(`SELECT count(*), sum(_count)::VARCHAR FROM ${counted}`, signal);
  const first = await database.all(
    `SELECT ${textSql(column)}, _count FROM ${counted} ORDER BY _count DESC, ${name} NULLS LAST LIMIT ${MOST_VALUES}`,
    signal,
  );
  const [distinct, rows] = all.rows[0] ?? [];
  const values = first.rows.map(([value = null, count]) => ({ value, count: Number(count) }));
  const isNumber = isNative(column) || isNumberText(column);
  const sums = isNumber ? await sumsOf(database, table, { from, signal }) : null;
  return { rows: Number(rows ?? 0), distinct: Number(distinct ?? 0), values, sums };
}

interface RowSource {
  /** `FROM` and `WHERE`. */
  readonly from: string;
  readonly signal: AbortSignal;
}

async function sumsOf(
  database: Database,
  { column, columns }: SourceTable & { readonly column: LookColumn },
  { from, signal }: RowSource,
): Promise<Counts['sums']> {
  const name = sqlName(column.name);
  const end = async (isDescending: boolean): Promise<string | null> => {
    const order = orderSql({ filters: [], sort: { column: column.name, isDescending } }, columns).join(', ');
    const native = `SELECT ${isDescending ? 'max' : 'min'}(${name})::VARCHAR ${from}`;
    const sorted = `SELECT ${textSql(column)} FROM (SELECT * ${from}) WHERE ${name} IS NOT NULL ORDER BY ${order} LIMIT 1`;
    const { rows } = await database.all(isNative(column) ? native : sorted, signal);
    return rows[0]?.[0] ?? null;
  };
  const summed = await withSums(database, column, { from, signal }, async method => {
    const { rows } = await database.all(`SELECT count(${name}), ${method.selected.join(', ')} ${from}`, signal);
    const [count, ...cells] = rows[0] ?? [];
    return { count: Number(count ?? 0), sum: method.sumOf(cells) };
  });
  const [least, largest] = [await end(false), await end(true)];
  if (summed.sum === null || least === null || largest === null) return null;
  return { sum: summed.sum, count: summed.count, least: withoutZeros(least), largest: withoutZeros(largest) };
}

/** Runs a query with the sum of a column, computed by a method that is exact. */
export async function withSums<T>(
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
