import { dialectType, type TypeNames } from './column-type.ts';
import { type ExternalTable, type TableDdl, tableFolder } from './external-table.ts';

const NAMES: TypeNames = {
  blob: 'BYTES',
  text: 'STRING',
  timestamp: 'DATETIME',
  bigint: 'INT64',
  integer: 'INT64',
  smallint: 'INT64',
  boolean: 'BOOL',
  double: 'FLOAT64',
  date: 'DATE',
  decimal: decimalType,
  list: of => `ARRAY<${of}>`,
};

/** NUMERIC has 29 digits before the point and 9 after it, BIGNUMERIC 38 and 38, enough for every DECIMAL(38). */
function decimalType(precision: number, scale: number): string {
  return precision - scale <= 29 && scale <= 9 ? 'NUMERIC' : 'BIGNUMERIC';
}

/** BigQuery reads the columns from the files; the comments give the types it will use. */
export function bigqueryTable(table: ExternalTable): TableDdl {
  const folder = tableFolder(table, 'gs');
  const isAway = table.where.kind === 'folder';
  const place = isAway ? `gs://BUCKET/PREFIX/table=${table.name}` : folder;
  return {
    notes: [
      'BigQuery reads Cloud Storage: the folder must be there, under gs:// (s3:// is for its Omni regions, with a connection).',
      ...(isAway ? [`Here it is ${folder}: copy the folder above it and replace BUCKET/PREFIX.`] : []),
      'It takes the columns from the files. A decimal gets the first of the types allowed below that can hold it:',
      'NUMERIC has 29 digits before the point and 9 after it, BIGNUMERIC 38 and 38. Times are UTC without a zone, so DATETIME:',
      'check this before comparing them with a TIMESTAMP. The expected types:',
      ...table.columns.map(({ name, type }) => `  ${name} ${dialectType(NAMES, type)}`),
      'It follows https://cloud.google.com/bigquery/docs/hive-partitioned-queries and',
      'https://cloud.google.com/bigquery/docs/loading-data-cloud-storage-parquet; it was not run here.',
    ],
    sql: [
      `CREATE EXTERNAL TABLE IF NOT EXISTS \`DATASET.${table.name}\``,
      'WITH PARTITION COLUMNS (`date` DATE)',
      'OPTIONS (',
      "  format = 'PARQUET',",
      `  uris = [${bigqueryText(`${place}/*`)}],`,
      `  hive_partition_uri_prefix = ${bigqueryText(place)},`,
      "  decimal_target_types = ['NUMERIC', 'BIGNUMERIC', 'STRING']",
      ');',
    ].join('\n'),
  };
}

const bigqueryText = (text: string): string => `'${text.replace(/[\\']/g, mark => `\\${mark}`)}'`;
