import { clickhouseTable } from './clickhouse.ts';
import { duckdbTable } from './duckdb.ts';
import { commentLines, type ExternalTable, type TableDdl } from './external-table.ts';
import { sparkTable } from './spark.ts';
import { trinoTable } from './trino.ts';

/** Engines that can read a Parquet folder, and their SQL. */
export const DIALECTS: { readonly [engine: string]: (table: ExternalTable) => TableDdl } = {
  duckdb: duckdbTable,
  spark: sparkTable,
  trino: trinoTable,
  clickhouse: clickhouseTable,
};

/** The SQL for an engine, one statement per table. */
export function externalTablesSql(engine: string, tables: readonly ExternalTable[]): string {
  const dialect = Object.hasOwn(DIALECTS, engine) ? DIALECTS[engine] : undefined;
  if (dialect === undefined) throw new RangeError(engine);
  return tables
    .map(table => {
      const { notes, sql } = dialect(table);
      const columns = table.columns.flatMap(({ name, note }) => (note === '' ? [] : [`${name}: ${note}`]));
      return `${commentLines([...table.notes, ...columns, ...notes])}${sql}\n`;
    })
    .join('\n');
}
