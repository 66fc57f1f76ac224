import type { Archive } from './archives.ts';
import type { ParquetManifest, ParquetSource, ParquetTable } from './parquet-manifest.ts';
import { columnRecord, type TableColumn } from './table-column.ts';

/** A table that is already in the folder. */
export const tableIn = ({ tables }: ParquetManifest, name: string): ParquetTable | undefined =>
  tables.find(table => table.name === name);

/** Whether its files have these columns, with the same types for the same reasons. */
export const hasColumns = (table: ParquetTable, columns: readonly TableColumn[]): boolean =>
  JSON.stringify(table.columns.map(({ name, type, note }) => [name, type, note])) ===
  JSON.stringify(columns.map(columnRecord).map(({ name, type, note }) => [name, type, note]));

export const isSameRange = (archive: Archive, source: ParquetSource): boolean =>
  archive.fromBlock === BigInt(source.fromBlock) && archive.toBlock === BigInt(source.toBlock);
