import type { Archive } from './archives.ts';
import type { ParquetManifest, ParquetSource, ParquetTable } from './parquet-manifest.ts';
import { columnRecord, type TableColumn } from './table-column.ts';

/** A table as the folder has it already. */
export const tableIn = ({ tables }: ParquetManifest, name: string): ParquetTable | undefined =>
  tables.find(table => table.name === name);

/** Whether its files have these columns, each of the same type and for the same reason. */
export const hasColumns = (table: ParquetTable, columns: readonly TableColumn[]): boolean =>
  JSON.stringify(table.columns.map(({ name, type, note }) => [name, type, note])) ===
  JSON.stringify(columns.map(columnRecord).map(({ name, type, note }) => [name, type, note]));

export const isSameRange = (archive: Archive, source: ParquetSource): boolean =>
  archive.fromBlock === BigInt(source.fromBlock) && archive.toBlock === BigInt(source.toBlock);
