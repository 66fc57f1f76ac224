import { dialectType, type TypeNames } from './column-type.ts';
import { type ExternalColumn, type ExternalTable, type TableDdl, tableFolder } from './external-table.ts';

const NAMES: TypeNames = {
  blob: 'String',
  text: 'String',
  timestamp: "DateTime64(6, 'UTC')",
  bigint: 'Int64',
  integer: 'Int32',
  smallint: 'Int16',
  boolean: 'Bool',
  double: 'Float64',
  date: 'Date32',
  decimal: (precision, scale) => `Decimal(${precision}, ${scale})`,
  list: of => `Array(Nullable(${of}))`,
};

/** A view over a table function: it stores no data and only supports SELECT. */
export function clickhouseTable(table: ExternalTable): TableDdl {
  const structure = clickhouseText(table.columns.map(columnStructure).join(', '));
  const { where } = table;
  const source =
    where.kind === 'folder'
      ? `file(${clickhouseText(`${tableFolder(table, '')}/date=*/*.parquet`)}, 'Parquet', ${structure})`
      : `s3(${clickhouseText(`${bucketUrl(table)}/date=*/*.parquet`)}, 'Parquet', ${structure})`;
  return {
    notes: [
      ...(where.kind === 'folder'
        ? ['A server only reads files below its user_files_path: link the folder there, or use clickhouse-local.']
        : [
            'Replace the host with that of your region or store. Without keys after the address, the server uses those in its',
            'configuration: https://clickhouse.com/docs/engines/table-engines/integrations/s3',
          ]),
      ...(/[*?{}]/.test(tableFolder(table, ''))
        ? ['The path has a wildcard character (* ? { }): choose another folder.']
        : []),
      'date is the day of the folder: with a condition on it only the files of those days are read. DateTime64 holds 1900',
      'to 2299: an earlier time (market_data has zero times of the year 1754) is not preserved. Types follow',
      'https://clickhouse.com/docs/interfaces/formats/Parquet; it was run with ClickHouse 26.9.',
    ],
    sql: [
      `CREATE VIEW IF NOT EXISTS \`${table.name}\` AS SELECT`,
      [...table.columns.map(({ name }) => `  \`${name}\``), '  toDate32(`date`) AS `date`'].join(',\n'),
      `FROM ${source}`,
      'SETTINGS use_hive_partitioning = 1;',
    ].join('\n'),
  };
}

const columnStructure = ({ name, type }: ExternalColumn): string =>
  `\`${name}\` ${type.kind === 'list' ? dialectType(NAMES, type) : `Nullable(${dialectType(NAMES, type)})`}`;

function bucketUrl({ where, name }: ExternalTable): string {
  if (where.kind === 'folder') return where.path;
  const path = [where.prefix, `table=${name}`].filter(part => part !== '').join('/');
  const key = encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  return `https://${where.bucket}.s3.amazonaws.com/${key}`;
}

const clickhouseText = (text: string): string => `'${text.replace(/[\\']/g, mark => `\\${mark}`)}'`;
