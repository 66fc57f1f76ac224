import type { ReadyAnswer } from '../answers/index.ts';
import { safeJson } from '../text/safe-text.ts';
import { type Format, writeCsv } from './output.ts';
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
      return stdout.safe(smallTable(titles, cells, aligns));
    }
    case 'csv':
      return writeCsv([ids, ...rows.map(row => row.map(cell => cell ?? ''))], stdout);
    case 'json':
      return stdout.data(`${JSON.stringify(rows.map(record), null, 2)}\n`, safeJson);
    case 'ndjson':
      return stdout.data(rows.map(row => `${JSON.stringify(record(row))}\n`).join(''), safeJson);
  }
}

function partOf({ columns, rows }: ReadyAnswer, part: 'table' | 'data'): Pick<ReadyAnswer, 'columns' | 'rows'> {
  const at = columns.flatMap((column, index) => (column.in === part || column.in === 'both' ? [index] : []));
  const only = <Cell>(cells: readonly Cell[]): readonly Cell[] => cells.filter((_, index) => at.includes(index));
  return { columns: only(columns), rows: rows.map(only) };
}
