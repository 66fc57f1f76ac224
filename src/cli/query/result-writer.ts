import type { ResultColumn } from '../../answers/index.ts';
import { quoted } from '../../text/csv-field.ts';
import { joinSafe, type SafeText, safeJson, safeText, sanitize } from '../../text/safe-text.ts';
import type { Format } from '../output.ts';
import type { Sink } from '../sink.ts';
import type { ResultRow, ResultWriter } from './result-row.ts';
import { resultTable } from './result-table.ts';

export function resultWriter(format: Format, columns: readonly ResultColumn[], stdout: Sink): ResultWriter {
  switch (format) {
    case 'table':
      return resultTable(columns, stdout);
    case 'csv':
      return csv(columns, stdout);
    case 'ndjson': {
      const record = recordForm(columns);
      return {
        write: rows => stdout.data(rows.map(row => `${record(row)}\n`).join(''), safeJson),
        end: async () => {},
      };
    }
    case 'json':
      return jsonArray(columns, stdout);
  }
}

/** RFC 4180, in which NULL is nothing and an empty text is a pair of quotes. */
function csv(columns: readonly ResultColumn[], stdout: Sink): ResultWriter {
  const line = (row: ResultRow): string => `${row.map(field).join(',')}\r\n`;
  const shownLine = (row: ResultRow): SafeText =>
    safeText`${joinSafe(
      row.map(value => sanitize(field(value === null ? null : sanitize(value)))),
      safeText`,`,
    )}\r\n`;
  const write = (rows: readonly ResultRow[]): Promise<void> =>
    stdout.data(rows.map(line).join(''), () => joinSafe(rows.map(shownLine)));
  let head: readonly ResultRow[] = [columns.map(({ name }) => name)];
  return {
    write: async rows => {
      await write([...head, ...rows]);
      head = [];
    },
    end: () => write(head),
  };
}

const field = (value: string | null): string => (value === null ? '' : value === '' ? '""' : quoted(value));

function jsonArray(columns: readonly ResultColumn[], stdout: Sink): ResultWriter {
  const record = recordForm(columns);
  let separator = '[\n';
  return {
    write: async rows => {
      let text = '';
      for (const row of rows) {
        text += `${separator}${record(row)}`;
        separator = ',\n';
      }
      await stdout.data(text, safeJson);
    },
    end: () => stdout.safe(separator === '[\n' ? safeText`[]\n` : safeText`\n]\n`),
  };
}

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

/** Names that two columns have get a number, as members of a record that would hide each other. */
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
