import type { DatasetTable } from '../../answers/index.ts';

/** What has to be said where a question compares bytes with an id in quotes, which is no error and finds nothing. */
export function idAsText(sql: string, tables: readonly DatasetTable[]): string | undefined {
  const hasBytes = tables.some(({ columns }) => columns.some(({ type }) => type === 'BLOB'));
  const id = ID_AS_TEXT.exec(sql)?.[1];
  if (!hasBytes || id === undefined || HEX_FUNCTION.test(sql)) return undefined;
  return `ids are bytes in these tables, and no text is equal to them: write unhex('${id}')`;
}

/** Any id and hash of the chain has 32 bytes; people copy them as they are written here and elsewhere. */
const ID_AS_TEXT = /'(?:\\x|0x)?([0-9a-f]{64})'/i;

/** A query with `unhex(...)` or `hex(...)` compares bytes already. */
const HEX_FUNCTION = /hex\s*\(/i;
