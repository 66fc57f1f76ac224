import { type Json, printJson } from '../api/json.ts';
import { lookOf, shortText } from '../insight/kind.ts';
import type { Column, Row } from '../resources/resource.ts';
import { joinSafe, type SafeText, safeJson, safeText, sanitize, trimEndSafe } from '../text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells } from '../text/width.ts';
import type { Given } from './options.ts';
import type { Sink } from './sink.ts';
import { UsageError } from './usage-error.ts';

export type Format = 'table' | 'json' | 'ndjson' | 'csv';

const FORMATS: readonly Format[] = ['table', 'json', 'ndjson', 'csv'];

export function formatOf(given: Given): Format {
  const wanted = given.text('output') ?? 'table';
  const format = FORMATS.find(name => name === wanted);
  if (format === undefined) throw new UsageError(`--output wants one of ${FORMATS.join(', ')}, not "${wanted}"`);
  return format;
}

/** Writes rows as they come, in one format, holding none of them. */
export interface RowWriter {
  readonly write: (rows: readonly Row[], nowMs: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

export function rowWriter(format: Format, columns: readonly Column[], stdout: Sink): RowWriter {
  switch (format) {
    case 'ndjson':
      return {
        write: rows => stdout.data(rows.map(row => `${printJson(row)}\n`).join(''), safeJson),
        end: async () => {},
      };
    case 'json':
      return jsonArray(stdout);
    case 'csv':
      return csv(columns, stdout);
    case 'table':
      return table(columns, stdout);
  }
}

export const printValue = (value: Json, format: Format): string =>
  `${printJson(value, format === 'json' ? 2 : undefined)}\n`;

function jsonArray(stdout: Sink): RowWriter {
  let separator = '[\n';
  return {
    write: async rows => {
      let text = '';
      for (const row of rows) {
        text += `${separator}${printJson(row)}`;
        separator = ',\n';
      }
      await stdout.data(text, safeJson);
    },
    end: () => stdout.safe(separator === '[\n' ? safeText`[]\n` : safeText`\n]\n`),
  };
}

function csv(columns: readonly Column[], stdout: Sink): RowWriter {
  let head = [columns.map(({ id }) => id)];
  return {
    write: async rows => {
      await writeCsv([...head, ...rows.map(row => columns.map(column => column.value(row)))], stdout);
      head = [];
    },
    end: () => writeCsv(head, stdout),
  };
}

/** RFC 4180: CRLF, quotes where needed; values as the node sent them, on a terminal made harmless. */
export const writeCsv = (records: readonly (readonly string[])[], stdout: Sink): Promise<void> =>
  stdout.data(records.map(values => `${values.map(quoted).join(',')}\r\n`).join(''), () =>
    joinSafe(records.map(values => safeText`${joinSafe(values.map(shownField), safeText`,`)}\r\n`)),
  );

export const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

const shownField = (value: string): SafeText => sanitize(quoted(sanitize(value)));

const TABLE_CELL = 66;

/** Columns as wide as the first page needs; on a terminal cut to its width, otherwise whole. */
function table(columns: readonly Column[], stdout: Sink): RowWriter {
  let widths: readonly number[] | undefined;
  const { isTerminal } = stdout;
  return {
    write: async (rows, nowMs) => {
      const cells = rows.map(row => columns.map(column => shortText(column.kind, column.value(row), nowMs)));
      const lines: SafeText[] = [];
      if (widths === undefined) {
        const most = isTerminal ? ENOUGH_ON_TERMINAL : TABLE_CELL;
        widths = columns.map(({ title, kind }, index) => {
          const widest = Math.max(title.length, ...cells.map(row => widthCells(row[index] ?? sanitize(''))));
          return Math.min(
            widest,
            lookOf(kind).cut === 'middle' && isTerminal ? Math.max(title.length, lookOf(kind).enough) : most,
          );
        });
        lines.push(
          tableLine(
            columns.map(({ title }) => sanitize(title)),
            columns,
            widths,
          ),
        );
      }
      for (const row of cells) lines.push(tableLine(row, columns, widths));
      await stdout.safe(joinSafe(lines));
    },
    end: async () => {},
  };
}

const ENOUGH_ON_TERMINAL = 40;

function tableLine(cells: readonly SafeText[], columns: readonly Column[], widths: readonly number[]): SafeText {
  const fitted = cells.map((text, index) => {
    const look = lookOf(columns[index]?.kind ?? 'text');
    const width = widths[index] ?? 0;
    const cut = look.cut === 'middle' ? truncateMiddle(text, width) : truncateEnd(text, width);
    return fitCells(cut, width, look.align);
  });
  return safeText`${trimEndSafe(joinSafe(fitted, safeText`  `))}\n`;
}
