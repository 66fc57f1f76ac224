import { sqlName, sqlText } from '../engine/sql-text.ts';
import { type ExternalTable, type TableDdl, tableFolder } from './external-table.ts';

/** A view, because DuckDB has no external tables; it takes the types from the files. */
export function duckdbTable(table: ExternalTable): TableDdl {
  const files = `${inGlob(tableFolder(table, 's3'))}/date=*/*.parquet`;
  const columns = [...table.columns.map(({ name }) => `  ${sqlName(name)}`), '  "date"'].join(',\n');
  return {
    notes: [
      ...(table.where.kind === 'bucket'
        ? [
            'Reading a bucket needs the httpfs extension and a secret with the keys (CREATE SECRET ... (TYPE s3, ...)):',
            'https://duckdb.org/docs/current/core_extensions/httpfs/s3api',
          ]
        : []),
      'date comes from the folder of the day: https://duckdb.org/docs/current/data/partitioning/hive_partitioning',
    ],
    sql: [
      `CREATE OR REPLACE VIEW ${sqlName(table.name)} AS SELECT`,
      columns,
      `FROM read_parquet(${sqlText(files)}, hive_partitioning = true, hive_types = {'date': DATE});`,
    ].join('\n'),
  };
}

/** Escapes `*`, `?` and `[` in a path. */
const inGlob = (path: string): string => path.replace(/[*?[]/g, mark => `[${mark}]`);
