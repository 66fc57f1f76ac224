import { sqlName, sqlText } from '../engine/sql-text.ts';
import { dialectType, type TypeNames } from './column-type.ts';
import { type ExternalTable, type TableDdl, tableFolder } from './external-table.ts';

const NAMES: TypeNames = {
  blob: 'VARBINARY',
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP(6)',
  bigint: 'BIGINT',
  integer: 'INTEGER',
  smallint: 'SMALLINT',
  boolean: 'BOOLEAN',
  double: 'DOUBLE',
  date: 'DATE',
  decimal: (precision, scale) => `DECIMAL(${precision},${scale})`,
  list: of => `ARRAY(${of})`,
};

export function trinoTable(table: ExternalTable): TableDdl {
  const columns = table.columns.map(({ name, type }) => `  ${sqlName(name)} ${dialectType(NAMES, type)}`);
  const isAway = table.where.kind === 'folder';
  const folder = tableFolder(table, 's3');
  const place = isAway ? `s3://BUCKET/PREFIX/table=${table.name}` : folder;
  return {
    notes: [
      ...(isAway
        ? [`Trino reads object storage. Here it is ${folder}: copy the folder above it and replace BUCKET/PREFIX.`]
        : []),
      'For a catalog named hive of the Hive connector, in its schema default. Times have microseconds: set',
      'hive.timestamp-precision=MICROSECONDS in the catalog, because its default, MILLISECONDS, would cut them.',
      'Partition columns come last. sync_partition_metadata finds the folders of days: run it again after adding more.',
      'It follows https://trino.io/docs/current/connector/hive.html; it was run with Trino 380.',
    ],
    sql: [
      `CREATE TABLE IF NOT EXISTS hive.default.${sqlName(table.name)} (`,
      [...columns, '  "date" DATE'].join(',\n'),
      `) WITH (format = 'PARQUET', external_location = ${sqlText(place)}, partitioned_by = ARRAY['date']);`,
      `CALL hive.system.sync_partition_metadata('default', ${sqlText(table.name)}, 'FULL');`,
    ].join('\n'),
  };
}
