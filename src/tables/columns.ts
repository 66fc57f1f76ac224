import { EXPORTED_TABLES } from './exported-tables.ts';
import { type DatabaseType, type DescribedColumn, type ExportedTable, STORED_TYPES } from './table.ts';

const TABLES: ReadonlyMap<string, ExportedTable> = new Map(Object.entries(EXPORTED_TABLES));

/** Columns of `table` at `schemaVersion`, in file order; undefined when the table is not known. */
export function columnsAtVersion(table: string, schemaVersion: number): readonly string[] | undefined {
  return TABLES.get(table)
    ?.columns.filter(({ since = 1 }) => since <= schemaVersion)
    .map(({ name, formerly }) => (formerly !== undefined && schemaVersion < formerly.until ? formerly.name : name));
}

/** The schema versions at which the columns of `table` changed, oldest first, from 1. */
export function columnVersions(table: string): readonly number[] {
  const columns = TABLES.get(table)?.columns ?? [];
  const versions = columns.flatMap(({ since = 1, formerly }) => [since, formerly?.until ?? since]);
  return [...new Set(versions)].sort((one, other) => one - other);
}

/** The current name of a column, which older schemas may call otherwise. */
export const currentColumnName = (table: string, column: string): string =>
  TABLES.get(table)?.columns.find(({ formerly }) => formerly?.name === column)?.name ?? column;

export interface ColumnStorage {
  readonly stored: DatabaseType;
  /** Whether a number below 0 has a meaning in it. */
  readonly mayBeNegative: boolean;
}

export interface ColumnSchema extends Omit<DescribedColumn, 'type'>, ColumnStorage {
  /** False: the database of a node does not accept NULL in it, so no node writes an empty field there. */
  readonly mayBeNull: boolean;
}

/** The columns of the tables that nodes export, by names as in files: at schema 93 (v0.74.10), in file order. */
export const TABLE_SCHEMAS: ReadonlyMap<string, readonly ColumnSchema[]> = new Map(
  [...TABLES].map(([table, { columns }]) => [table, columns.flatMap(column => columnSchemas(column))]),
);

function columnSchemas(column: ExportedTable['columns'][number]): readonly ColumnSchema[] {
  if (column.type === undefined) return [];
  const { type, ...described } = column;
  const stored = STORED_TYPES.find(name => name === type.replace(/[+?]*$/, ''));
  return stored === undefined
    ? []
    : [{ ...described, stored, mayBeNegative: !type.includes('+'), mayBeNull: type.endsWith('?') }];
}

/**
 * The schema of a column by any current or former name; undefined for an unknown column or table, such as a newer one.
 */
export function columnSchema(table: string, column: string): ColumnSchema | undefined {
  const name = currentColumnName(table, column);
  return TABLE_SCHEMAS.get(table)?.find(known => known.name === name);
}
