import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { readParquet } from 'parquet-wasm';
import type { Database } from '../../../src/answers/engine/database.ts';
import { sqlName, sqlText } from '../../../src/answers/engine/sql-text.ts';
import type { ParquetTable } from '../../../src/answers/parquet/parquet-manifest.ts';
import { arrowColumns } from './arrow-ipc.ts';

/** A value to the digit: bytes in hexadecimal, decimals and times as whole numbers of their smallest unit. */
export type Cell = string | null;
export type Rows = readonly (readonly Cell[])[];

type Columns = ParquetTable['columns'];

const scaleOf = (type: string): number => Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0);

/** What the engine that wrote the files reads in them. */
export async function readByDuckDb(database: Database, out: string, { columns, files }: ParquetTable): Promise<Rows> {
  const cells = columns.map(({ name, type }) => {
    if (type === 'TIMESTAMP') return `epoch_us(${sqlName(name)})::VARCHAR`;
    return type === 'BLOB' ? `lower(hex(${sqlName(name)}))` : `${sqlName(name)}::VARCHAR`;
  });
  const rows: (readonly Cell[])[] = [];
  for (const { path } of files) {
    const sql = `SELECT ${cells.join(', ')} FROM read_parquet(${sqlText(join(out, path))}, hive_partitioning = false)`;
    rows.push(...(await database.all(sql)).rows);
  }
  return rows.map(row => row.map((cell, index) => unscaled(cell, columns[index]?.type ?? '')));
}

function unscaled(cell: Cell, type: string): Cell {
  return cell === null || !type.startsWith('DECIMAL') ? cell : String(BigInt(cell.replace('.', '')));
}

/** What a reader in plain JavaScript finds: it has to return the bytes, since it turns each decimal into a number. */
export async function readByHyparquet(out: string, { columns, files }: ParquetTable): Promise<Rows> {
  const rows: (readonly Cell[])[] = [];
  for (const { path } of files) {
    const file = await asyncBufferFromFile(join(out, path));
    const metadata = await parquetMetadataAsync(file);
    expectTypes(metadata, columns);
    const found = await parquetReadObjects({
      file,
      metadata: { ...metadata, schema: metadata.schema.map(withoutMeaning) },
      utf8: false,
      compressors: { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) },
    });
    rows.push(...found.map(row => columns.map(({ name, type }) => rawCell(row[name], type))));
  }
  return rows;
}

const withoutMeaning = (element: FileMetaData['schema'][number]): FileMetaData['schema'][number] => {
  const { converted_type: _, logical_type: __, ...physical } = element;
  return physical;
};

/** The logical type that a file gives each column. */
function expectTypes({ schema }: FileMetaData, columns: Columns): void {
  for (const { name, type } of columns) {
    const element = schema.find(found => found.name === name);
    const said = [element?.type, element?.converted_type, element?.precision, element?.scale].join();
    const expected: { readonly [type: string]: string } = {
      BLOB: 'BYTE_ARRAY,,,',
      VARCHAR: 'BYTE_ARRAY,UTF8,,',
      TIMESTAMP: 'INT64,TIMESTAMP_MICROS,,',
      BIGINT: 'INT64,INT_64,,',
      INTEGER: 'INT32,INT_32,,',
      SMALLINT: 'INT32,INT_16,,',
      BOOLEAN: 'BOOLEAN,,,',
      DOUBLE: 'DOUBLE,,,',
    };
    const wanted = expected[type] ?? `FIXED_LEN_BYTE_ARRAY,DECIMAL,38,${scaleOf(type)}`;
    if (said !== wanted) throw new Error(`${name} (${type}) is ${said} in the file, not ${wanted}`);
  }
}

function rawCell(value: unknown, type: string): Cell {
  if (value === null || value === undefined) return null;
  if (!(value instanceof Uint8Array)) return String(value);
  const bytes = Buffer.from(value);
  if (type === 'VARCHAR') return bytes.toString('utf8');
  if (type === 'BLOB') return bytes.toString('hex');
  return String(BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`)));
}

/** What the Rust crate finds, by way of Arrow. */
export async function readByRust(out: string, { columns, files }: ParquetTable): Promise<Rows> {
  const rows: (readonly Cell[])[] = [];
  for (const { path } of files) {
    const found = arrowColumns(readParquet(await readFile(join(out, path))).intoIPCStream());
    const inOrder = columns.map(({ name, type }) => {
      const column = found.find(candidate => candidate.name === name);
      if (column?.type !== arrowType(type)) throw new Error(`${name} (${type}) is ${column?.type} in Arrow`);
      return column.values;
    });
    for (let row = 0; row < (inOrder[0]?.length ?? 0); row++) rows.push(inOrder.map(values => values[row] ?? null));
  }
  return rows;
}

function arrowType(type: string): string {
  const names: { readonly [type: string]: string } = {
    BLOB: 'Binary',
    VARCHAR: 'Utf8',
    TIMESTAMP: 'Timestamp(2)',
    BIGINT: 'Int(64)',
    INTEGER: 'Int(32)',
    SMALLINT: 'Int(16)',
    BOOLEAN: 'Bool',
    DOUBLE: 'Float',
  };
  return names[type] ?? `Decimal(38,${scaleOf(type)})`;
}
