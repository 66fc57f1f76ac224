import type { ReadyAnswer } from '../answers/index.ts';
import { joinSafe, type SafeText, safeJson, sanitize } from '../text/safe-text.ts';
import { widthCells } from '../text/width.ts';
import { type Format, writeCsv } from './output.ts';
import { rowBlock } from './query/row-block.ts';
import type { Sink } from './sink.ts';
import { smallTable } from './small-table.ts';

/** An answer before people in names and units, for programs with ids and smallest units beside them. */
export async function printAnswer(answer: ReadyAnswer, format: Format, stdout: Sink): Promise<void> {
  const { columns, rows } = partOf(answer, format === 'table' ? 'table' : 'data');
  const titles = columns.map(({ title }) => title.toUpperCase());
  const ids = columns.map(({ id }) => id);
  const record = (row: readonly (string | null)[]) => Object.fromEntries(ids.map((id, at) => [id, row[at] ?? null]));
  switch (format) {
    case 'table': {
      const cells = rows.map(row => row.map(cell => cell ?? ''));
      const aligns = columns.map(({ align }) => align);
      const table = smallTable(titles, cells, aligns);
      const room = stdout.isTerminal ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
      return stdout.safe(rows.length > 0 && isWider(table, room) ? blocks(titles, cells, room) : table);
    }
    case 'csv':
      return writeCsv([ids, ...rows.map(row => row.map(cell => cell ?? ''))], stdout);
    case 'json':
      return stdout.data(`${JSON.stringify(rows.map(record), null, 2)}\n`, safeJson);
    case 'ndjson':
      return stdout.data(rows.map(row => `${JSON.stringify(record(row))}\n`).join(''), safeJson);
  }
}

/** A line that the terminal breaks is no line of a table any more. */
const isWider = (table: SafeText, room: number): boolean =>
  table.split('\n').some(line => widthCells(sanitize(line)) > room);

const blocks = (titles: readonly string[], rows: readonly (readonly string[])[], room: number): SafeText =>
  joinSafe(rows.map((row, index) => rowBlock(titles.map(sanitize), row.map(sanitize), { number: index + 1, room })));

function partOf({ columns, rows }: ReadyAnswer, part: 'table' | 'data'): Pick<ReadyAnswer, 'columns' | 'rows'> {
  const at = columns.flatMap((column, index) => (column.in === part || column.in === 'both' ? [index] : []));
  const only = <Cell>(cells: readonly Cell[]): readonly Cell[] => cells.filter((_, index) => at.includes(index));
  return { columns: only(columns), rows: rows.map(only) };
}
