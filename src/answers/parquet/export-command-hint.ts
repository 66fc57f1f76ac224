import { TABLE_SCHEMAS } from '../../tables/columns.ts';

/** The command that fetches missing blocks, as the end of a sentence; '' for an unknown table. */
export const exportCommandHint = (table: string, from: bigint, to: bigint): string =>
  TABLE_SCHEMAS.has(table) ? `: blockglass export --table ${table} --from ${from} --to ${to}` : '';
