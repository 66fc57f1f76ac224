import type { Database } from '../engine/database.ts';
import { sqlName } from '../engine/sql-text.ts';
import type { SourceTable } from './row-reader.ts';
import { type LookColumn, orderSql, type TableLook, textSql, whereSql } from './table-look.ts';
import { trimZeros, withSums } from './value-counts.ts';
import type { Measure } from './viewer-table.ts';

interface OverTimeQuery {
  readonly look: TableLook;
  readonly column: LookColumn;
  readonly measure: Measure;
  readonly stepMs: number;
}

/** The rows of a time step. */
export interface ChartPoint {
  readonly fromMs: number;
  /** Exact; null if none of its rows has a number. */
  readonly value: string | null;
}

/** The column with the time of a row. */
export const timeColumn = (columns: readonly LookColumn[]): LookColumn | undefined =>
  columns.find(({ name }) => name === 'vega_time') ??
  columns.find(({ type }) => type === 'TIMESTAMP') ??
  columns.find(({ type }) => type === 'DATE');

/** The measure of the rows in each time step; steps without rows are left out. */
export async function readChartPoints(
  database: Database,
  table: SourceTable,
  { look, column, measure, stepMs }: OverTimeQuery,
  signal: AbortSignal,
): Promise<readonly ChartPoint[]> {
  const time = timeColumn(table.columns);
  if (time === undefined) return [];
  const from = `FROM ${sqlName(table.name)}${whereSql(look, table.columns)}`;
  const step = `epoch_ms(${sqlName(time.name)}) // ${Math.round(stepMs)}`;
  const points = async (selected: readonly string[], read: (cells: readonly (string | null)[]) => string | null) => {
    const { rows } = await database.all(
      `SELECT (${step})::VARCHAR AS _step, ${selected.join(', ')} ${from} GROUP BY _step`,
      signal,
    );
    return rows.flatMap(([at, ...cells]) =>
      at === null || at === undefined ? [] : [{ fromMs: Number(at) * stepMs, value: read(cells) }],
    );
  };
  if (measure === 'sum')
    return await withSums(database, column, { from, signal }, method => points(method.selected, method.sumOf));
  return await points([measureSql(measure, { column, time, columns: table.columns })], ([value = null]) =>
    value === null ? null : trimZeros(value),
  );
}

function measureSql(
  measure: Exclude<Measure, 'sum'>,
  {
    column,
    time,
    columns,
  }: { readonly column: LookColumn; readonly time: LookColumn; readonly columns: readonly LookColumn[] },
): string {
  const order = (isDescending: boolean): string =>
    orderSql({ filters: [], sort: { column: column.name, isDescending } }, columns).join(', ');
  const isThere = `FILTER (${sqlName(column.name)} IS NOT NULL)`;
  switch (measure) {
    case 'rows':
      return 'count(*)::VARCHAR';
    case 'last':
      return `last(${textSql(column)} ORDER BY ${sqlName(time.name)}) ${isThere}`;
    case 'largest':
      return `first(${textSql(column)} ORDER BY ${order(true)}) ${isThere}`;
    case 'least':
      return `first(${textSql(column)} ORDER BY ${order(false)}) ${isThere}`;
  }
}
