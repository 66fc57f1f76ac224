import { quoted } from '../text/csv-field.ts';
import { markdownRow, markdownRule, tsvRecord } from '../text/delimited.ts';
import type { TableForm } from './model/taking.ts';
import type { ViewedCell, ViewedRow } from './model/viewed-table.ts';

/** Rows below their heading, in pieces: each value to the digit. NULL is told from an empty text wherever the form can. */
export async function* viewedPieces(
  form: TableForm,
  head: readonly string[],
  parts: AsyncIterable<readonly ViewedRow[]> | Iterable<readonly ViewedRow[]>,
): AsyncGenerator<string> {
  switch (form) {
    case 'csv':
      yield csvLine(head);
      for await (const rows of parts) yield rows.map(csvLine).join('');
      return;
    case 'tsv':
      yield tsvRecord(head);
      for await (const rows of parts) yield rows.map(row => tsvRecord(row.map(cell => cell ?? ''))).join('');
      return;
    case 'md':
      yield `${markdownRow(head)}${markdownRule(head.map(() => 'left'))}`;
      for await (const rows of parts) yield rows.map(row => markdownRow(row.map(cell => cell ?? 'NULL'))).join('');
      return;
    case 'ndjson':
      for await (const rows of parts) yield rows.map(row => `${jsonOf(head, row)}\n`).join('');
      return;
    case 'json': {
      let before = '[\n';
      for await (const rows of parts) {
        if (rows.length === 0) continue;
        yield `${before}${rows.map(row => jsonOf(head, row)).join(',\n')}`;
        before = ',\n';
      }
      yield before === '[\n' ? '[]\n' : '\n]\n';
    }
  }
}

/** NULL is nothing, the empty text a pair of quotes. */
const csvLine = (row: readonly ViewedCell[]): string =>
  `${row.map(cell => (cell === null ? '' : cell === '' ? '""' : quoted(cell))).join(',')}\r\n`;

/** Values are texts, numbers too: none of them loses a digit by being read. */
const jsonOf = (head: readonly string[], row: ViewedRow): string =>
  JSON.stringify(Object.fromEntries(head.map((name, index) => [name, row[index] ?? null])));
