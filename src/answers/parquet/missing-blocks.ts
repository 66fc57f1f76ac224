import { SCHEMAS } from '../tables/tables.ts';

/** The command that fetches blocks which no export has, as the end of a sentence; nothing of a table that is not known. */
export const fetchedBy = (table: string, from: bigint, to: bigint): string =>
  SCHEMAS.has(table) ? `: blockglass export --table ${table} --from ${from} --to ${to}` : '';
