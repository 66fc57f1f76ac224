import { dialectType, type TypeNames } from './column-type.ts';
import { type ExternalTable, type TableDdl, tableFolder } from './external-table.ts';

const NAMES: TypeNames = {
  blob: 'BINARY',
  text: 'STRING',
  timestamp: 'TIMESTAMP_NTZ',
  bigint: 'BIGINT',
  integer: 'INT',
  smallint: 'SMALLINT',
  boolean: 'BOOLEAN',
  double: 'DOUBLE',
  date: 'DATE',
  decimal: (precision, scale) => `DECIMAL(${precision},${scale})`,
  list: of => `ARRAY<${of}>`,
};

export function sparkTable(table: ExternalTable): TableDdl {
  const folder = tableFolder(table, 's3a');
  const place = table.where.kind === 'folder' ? `file://${folder}` : folder;
  const columns = table.columns.map(({ name, type }) => `  \`${name}\` ${dialectType(NAMES, type)}`);
  return {
    notes: [
      'Times are UTC without a zone, TIMESTAMP_NTZ of Spark 3.4 and newer. Hadoop calls a bucket s3a://, EMR s3://.',
      'Folders of days become partitions only with REPAIR TABLE: run it again after adding more. It follows',
      'https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-table-datasource.html and',
      'https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-repair-table.html; it was run with Spark 4.0.1.',
    ],
    sql: [
      `CREATE TABLE IF NOT EXISTS \`${table.name}\` (`,
      [...columns, '  `date` DATE'].join(',\n'),
      `) USING PARQUET PARTITIONED BY (\`date\`) LOCATION ${sparkText(place)};`,
      `MSCK REPAIR TABLE \`${table.name}\`;`,
    ].join('\n'),
  };
}

const sparkText = (text: string): string => `'${text.replace(/[\\']/g, mark => `\\${mark}`)}'`;
