import { once } from 'node:events';
import { type Json, printJson } from '../api/json.ts';
import { lookOf, shortText } from '../insight/kind.ts';
import type { Column, Row } from '../resources/resource.ts';
import { sanitize } from '../text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells } from '../text/width.ts';
import type { Context } from './context.ts';
import type { Given } from './options.ts';
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

export function rowWriter(format: Format, columns: readonly Column[], stdout: Context['stdout']): RowWriter {
  switch (format) {
    case 'ndjson':
      return {
        write: rows => writeText(stdout, rows.map(row => `${jsonFor(row, stdout)}\n`).join('')),
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

/** Resolves when the stream can take more, so that a slow reader slows the node down and not the memory up. */
export async function writeText(stdout: Context['stdout'], text: string): Promise<void> {
  if (text !== '' && !stdout.write(text)) await once(stdout, 'drain');
}

export const printValue = (value: Json, format: Format): string =>
  `${printJson(value, format === 'json' ? 2 : undefined)}\n`;

/** JSON of the same value; on a terminal nothing in it can be taken for a control sequence. */
function jsonFor(row: Row, { isTTY }: Context['stdout']): string {
  const text = printJson(row);
  return isTTY === true ? text.replace(UNSAFE_IN_JSON, escaped) : text;
}

// JSON escapes what is below U+0020 itself.
const UNSAFE_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

function jsonArray(stdout: Context['stdout']): RowWriter {
  let separator = '[\n';
  return {
    write: async rows => {
      let text = '';
      for (const row of rows) {
        text += `${separator}${jsonFor(row, stdout)}`;
        separator = ',\n';
      }
      await writeText(stdout, text);
    },
    end: () => writeText(stdout, separator === '[\n' ? '[]\n' : '\n]\n'),
  };
}

/** RFC 4180: a header, CRLF, quotes where needed; values as the node sent them. */
function csv(columns: readonly Column[], stdout: Context['stdout']): RowWriter {
  const shown = (value: string): string => (stdout.isTTY === true ? sanitize(value) : value);
  const record = (values: readonly string[]): string => `${values.map(shown).map(quoted).join(',')}\r\n`;
  let head = record(columns.map(({ id }) => id));
  return {
    write: async rows => {
      await writeText(stdout, head + rows.map(row => record(columns.map(column => column.value(row)))).join(''));
      head = '';
    },
    end: () => writeText(stdout, head),
  };
}

export const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

const TABLE_CELL = 66;

/** Columns as wide as the first page needs; on a terminal cut to its width, otherwise whole. */
function table(columns: readonly Column[], stdout: Context['stdout']): RowWriter {
  let widths: readonly number[] | undefined;
  const isTerminal = stdout.isTTY === true;
  return {
    write: async (rows, nowMs) => {
      const cells = rows.map(row => columns.map(column => shortText(column.kind, column.value(row), nowMs)));
      let text = '';
      if (widths === undefined) {
        const most = isTerminal ? ENOUGH_ON_TERMINAL : TABLE_CELL;
        widths = columns.map(({ title, kind }, index) => {
          const widest = Math.max(title.length, ...cells.map(row => widthCells(row[index] ?? sanitize(''))));
          return Math.min(
            widest,
            lookOf(kind).cut === 'middle' && isTerminal ? Math.max(title.length, lookOf(kind).enough) : most,
          );
        });
        text += tableLine(
          columns.map(({ title }) => sanitize(title)),
          columns,
          widths,
        );
      }
      for (const row of cells) text += tableLine(row, columns, widths);
      await writeText(stdout, text);
    },
    end: async () => {},
  };
}

const ENOUGH_ON_TERMINAL = 40;

function tableLine(
  cells: readonly ReturnType<typeof sanitize>[],
  columns: readonly Column[],
  widths: readonly number[],
): string {
  const fitted = cells.map((text, index) => {
    const look = lookOf(columns[index]?.kind ?? 'text');
    const width = widths[index] ?? 0;
    const cut = look.cut === 'middle' ? truncateMiddle(text, width) : truncateEnd(text, width);
    return fitCells(cut, width, look.align);
  });
  return `${fitted.join('  ').trimEnd()}\n`;
}
