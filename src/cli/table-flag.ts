import { didYouMean } from '../base/text/nearest.ts';
import { type ExportTable, TABLES, tableNamed } from '../history/plan/tables.ts';
import type { Given } from './options.ts';
import { UsageError } from './usage-error.ts';

export const TABLE_NAMES = TABLES.map(({ id }) => id).join(', ');

/** The table that --table names; undefined without the flag. */
export function tableFrom(given: Given): ExportTable | undefined {
  const text = given.text('table');
  if (text === undefined) return undefined;
  const table = tableNamed(text);
  if (table === undefined)
    throw new UsageError(
      `unknown table "${text}". Tables: ${TABLE_NAMES}${didYouMean(
        text,
        TABLES.map(({ id }) => id),
      )}`,
    );
  return table;
}
