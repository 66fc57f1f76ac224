import type { ResultColumn } from '../../answers/index.ts';
import { joinSafe, type SafeText, safeLines, safeText, sanitize } from '../../base/text/safe-text.ts';
import type { CellText } from '../../base/text/serialise.ts';
import { textTable } from '../../base/text/text-table.ts';
import type { PrintedForms } from '../output.ts';
import type { Sink } from '../sink.ts';

/** A row of a result, each value as exact text. */
type ResultRow = readonly CellText[];

/** How the rows of a result are printed. */
export function resultForms(columns: readonly ResultColumn[], stdout: Sink): PrintedForms<ResultRow> {
  const record = recordForm(columns);
  return {
    head: () => columns.map(({ name }) => name),
    cells: row => [row],
    hasNulls: true,
    json: record,
    table: resultTable(columns, stdout),
  };
}

/**
 * A terminal cuts ids and texts if the columns do not fit, or else prints each row as a block of lines. Numbers are never
 * cut, and nothing is cut in a pipe.
 */
function resultTable(columns: readonly ResultColumn[], { isTerminal, columns: room = 80 }: Sink) {
  if (columns[0]?.name === 'explain_key' && columns.length === 2) return planText;
  const textColumns = columns.map(({ name, type }) => {
    const shape = shapeOfType(type);
    const title = sanitize(name);
    if (shape === 'number') return { title, align: 'right' } as const;
    if (!isTerminal) return { title };
    return {
      title,
      cut: shape === 'bytes' ? 'middle' : 'end',
      leastCells: MIN_CELLS[shape],
      isWidenedLast: shape === 'time',
    } as const;
  });
  const table = textTable(textColumns, isTerminal ? room : undefined);
  return (rows: readonly ResultRow[]): SafeText =>
    table.lines(rows.map(row => row.map(value => (value === null ? NULL : sanitize(value)))));
}

/** A query plan, which the engine draws in lines. */
const planText = (rows: readonly ResultRow[]): SafeText =>
  joinSafe(rows.map(([, drawing]) => safeLines(drawing ?? '')));

const NULL = safeText`NULL`;

type Shape = 'number' | 'time' | 'bytes' | 'text';

function shapeOfType(type: string): Shape {
  if (/^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL|DOUBLE|FLOAT|BIGNUM)\b(?!.*\])/.test(type)) return 'number';
  if (/^(?:TIMESTAMP|DATE|TIME)\b(?!.*\])/.test(type)) return 'time';
  return type === 'BLOB' ? 'bytes' : 'text';
}

/** Enough to compare both ends of an id, and to see the seconds of a time. */
const MIN_CELLS: { readonly [shape in Exclude<Shape, 'number'>]: number } = {
  time: '2026-10-01 00:00:00'.length + 1,
  bytes: 10,
  text: 8,
};

/** A row as JSON. What a number of JSON may not hold exactly is text, decided by the column's type: no column is mixed. */
function recordForm(columns: readonly ResultColumn[]): (row: ResultRow) => string {
  const names = distinct(columns.map(({ name }) => name)).map(name => JSON.stringify(name));
  const forms = columns.map(({ type }) => jsonForm(type));
  return row => `{${names.map((name, index) => `${name}:${jsonCell(row[index] ?? null, forms[index])}`).join(',')}}`;
}

function jsonCell(value: string | null, form: JsonForm | undefined): string {
  if (value === null) return 'null';
  const isAsItIs = form === 'json' || (form === 'number' && /^-?\d/.test(value));
  return isAsItIs ? value : JSON.stringify(value);
}

type JsonForm = 'text' | 'number' | 'json';

function jsonForm(type: string): JsonForm {
  if (/^(?:BOOLEAN|STRUCT|MAP|UNION)\b|\[\d*\]$/.test(type)) return 'json';
  if (/^U?(?:TINYINT|SMALLINT|INTEGER)$|^(?:FLOAT|DOUBLE)$/.test(type)) return 'number';
  return 'text';
}

/** Numbers equal column names: as members of one record they would hide each other. */
function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map(name => {
    let own = name;
    for (let count = 1; seen.has(own); count++) if (!taken.has(`${name}_${count}`)) own = `${name}_${count}`;
    taken.add(own);
    seen.add(own);
    return own;
  });
}
