import { didYouMean } from '../base/text/nearest-word.ts';
import { EXPORT_TABLES, type ExportTable, findExportTable } from '../history/plan/export-tables.ts';
import type { ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const TABLE_NAMES = EXPORT_TABLES.map(({ id }) => id).join(', ');

/** The table that --table names; undefined without the flag. */
export function readTableFlag(given: ParsedFlags): ExportTable | undefined {
  const text = given.text('table');
  if (text === undefined) return undefined;
  const table = findExportTable(text);
  if (table === undefined)
    throw new UsageError(
      `unknown table "${text}". Tables: ${TABLE_NAMES}${didYouMean(
        text,
        EXPORT_TABLES.map(({ id }) => id),
      )}`,
    );
  return table;
}
