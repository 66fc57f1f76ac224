import { join } from 'node:path';
import type { ExportResult } from '../../history/download/export-result.ts';

const ROWS = 3;

/** The first rows of each CSV, a column a line; NULL and the empty text look different. */
export async function previewExport(result: ExportResult): Promise<string> {
  const { readFirstRows } = await import('../../history/check/read-entries.ts');
  const parts: string[] = [];
  for (const { archive, name, byteOffset, columns } of exportedCsvs(result)) {
    parts.push(name);
    const rows = await readFirstRows(archive, { name, byteOffset }, ROWS);
    if (rows.length === 0) parts.push('  no rows', '');
    const width = Math.max(0, ...columns.map(column => column.length));
    for (const row of rows) {
      parts.push(...row.map((value, index) => `  ${(columns[index] ?? '').padEnd(width)}  ${shown(value)}`), '');
    }
  }
  return parts.join('\n');
}

// Quotes are put around what a reader could take for something else.
function shown(value: string | null): string {
  if (value === null) return 'NULL';
  return value === '' || value === 'NULL' ? `"${value}"` : value.replaceAll('\n', '\u240a');
}

function exportedCsvs(result: ExportResult) {
  switch (result.kind) {
    case 'saved':
      return result.verdict.entries.map(entry => ({ archive: result.path, ...entry }));
    case 'not-complete': {
      const { partPath: archive, verdict } = result;
      return archive === null ? [] : verdict.entries.map(entry => ({ archive, ...entry }));
    }
    case 'saved-slices':
      return result.manifest.slices
        .slice(0, 1)
        .flatMap(({ file, csvs }) => csvs.map(csv => ({ archive: join(result.folder, file), ...csv })));
    case 'failed':
    case 'stopped-slices':
    case 'cancelled':
      return [];
  }
}
