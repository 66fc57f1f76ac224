import { EXPORTED_TABLES } from '../../tables/exported-tables.ts';

/** A table that can be exported (export-behaviour.md section 3). */
export interface ExportTable {
  /** As in file names: `ledger`. */
  readonly id: string;
  /** As in requests: `TABLE_LEDGER`. */
  readonly name: string;
  /** A short description. */
  readonly about: string;
}

/** The tables that nodes export. */
export const EXPORT_TABLES: readonly ExportTable[] = Object.entries(EXPORTED_TABLES).map(([id, { about }]) => ({
  id,
  name: `TABLE_${id.toUpperCase()}`,
  about,
}));

/** Finds a table by `ledger`, `LEDGER` or `TABLE_LEDGER`; undefined when there is none. */
export function findExportTable(text: string): ExportTable | undefined {
  const id = text
    .trim()
    .toLowerCase()
    .replace(/^table_/, '');
  return EXPORT_TABLES.find(table => table.id === id);
}
