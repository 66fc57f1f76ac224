import { type CsvRow, CsvRows } from './csv-rows.ts';
import { type EntryPlace, entryContent } from './entry-content.ts';

/**
 * Up to `count` rows after the header of one CSV in an archive, for a preview: null is NULL, '' an empty text. None
 * when the entry does not stand where the check found it. What is cut or broken behind those rows does not matter here.
 */
export async function firstRows(path: string, place: EntryPlace, count: number): Promise<readonly CsvRow[]> {
  const chunks = count < 1 ? undefined : await entryContent(path, place);
  return chunks === undefined ? [] : rowsOf(chunks, count);
}

/** More than any screen shows; a row may have 100 MB. */
const LIMITS = { valueCharacters: 4096, values: 200 };

async function rowsOf(chunks: AsyncIterable<Buffer>, count: number): Promise<readonly CsvRow[]> {
  const decoder = new TextDecoder();
  const reader = new CsvRows(LIMITS);
  const rows: CsvRow[] = [];
  try {
    for await (const chunk of chunks) {
      rows.push(...reader.push(decoder.decode(chunk, { stream: true })));
      if (rows.length > count) break;
    }
  } catch (error) {
    // Broken data: the check has said so; the rows before it can be shown.
    if (rows.length === 0) throw error;
  }
  return rows.slice(1, count + 1);
}
