import { type Json, printJson } from '../api/json.ts';
import { type Kind, lookOf, shortText, wholeText } from '../insight/kind.ts';
import { qualified, valueAmong } from '../resources/columns.ts';
import type { Among, Column, CsvForm, Row } from '../resources/resource.ts';
import { csvRecord, quoted } from '../text/csv-field.ts';
import { EMPTY, joinSafe, type SafeText, safeJson, safeText, sanitize, trimEndSafe } from '../text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells } from '../text/width.ts';
import type { ExplainedValues } from './explained-values.ts';
import type { Given } from './options.ts';
import type { Sink } from './sink.ts';
import { UsageError } from './usage-error.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

export function formatOf(given: Given): Format {
  const wanted = given.text('output') ?? 'table';
  const format = FORMATS.find(name => name === wanted);
  if (format === undefined) throw new UsageError(`--output wants one of ${FORMATS.join(', ')}, not "${wanted}"`);
  return format;
}

/** Writes rows as they come, in one format, holding none of them. */
export interface RowWriter {
  readonly write: (rows: Among, nowMs: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** What of the rows is written: columns of a table, or a form of CSV and what is explained beside it. */
interface RowForm {
  readonly columns: readonly Column[];
  readonly csvForm: CsvForm;
  readonly explained?: ExplainedValues | undefined;
}

export function rowWriter(format: Format, { columns, csvForm, explained }: RowForm, stdout: Sink): RowWriter {
  switch (format) {
    case 'ndjson':
      return {
        write: ({ rows }) => stdout.data(rows.map(row => `${printJson(row)}\n`).join(''), safeJson),
        end: async () => {},
      };
    case 'json':
      return jsonArray(stdout);
    case 'csv':
      return csv(csvForm, explained, stdout);
    case 'table':
      return table(columns, stdout);
  }
}

export const printValue = (value: Json, format: Format): string =>
  `${printJson(value, format === 'json' ? 2 : undefined)}\n`;

function jsonArray(stdout: Sink): RowWriter {
  let separator = '[\n';
  return {
    write: async ({ rows }) => {
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

function csv(form: CsvForm, explained: ExplainedValues | undefined, stdout: Sink): RowWriter {
  let head = [csvHead(form, explained)];
  return {
    write: async ({ rows }) => {
      const records: (readonly string[])[] = [];
      for (const row of rows) records.push(...(await csvRecords({ form, explained }, row, rows)));
      await writeCsv([...head, ...records], stdout);
      head = [];
    },
    end: () => writeCsv(head, stdout),
  };
}

export const csvHead = ({ columns }: CsvForm, explained: ExplainedValues | undefined): readonly string[] => [
  ...columns.map(({ id }) => id),
  ...(explained?.ids ?? []),
];

export async function csvRecords(
  { form, explained }: { readonly form: CsvForm; readonly explained: ExplainedValues | undefined },
  row: Row,
  rows: readonly Row[],
): Promise<readonly (readonly string[])[]> {
  const beside = (await explained?.valuesOf(row, rows)) ?? [];
  return form.rowsOf(row).map(part => [...form.columns.map(column => column.value(part)), ...beside]);
}

/** RFC 4180: CRLF, quotes where needed; values as the node sent them, on a terminal made harmless. */
export const writeCsv = (records: readonly (readonly string[])[], stdout: Sink): Promise<void> =>
  stdout.data(records.map(csvRecord).join(''), () =>
    joinSafe(records.map(values => safeText`${joinSafe(values.map(shownField), safeText`,`)}\r\n`)),
  );

const shownField = (value: string): SafeText => sanitize(quoted(sanitize(value)));

/** Columns as wide as the first page needs. On a terminal a cell is cut to a mark; in a pipe nothing is ever cut. */
function table(columns: readonly Column[], stdout: Sink): RowWriter {
  let widths: readonly number[] | undefined;
  const { isTerminal } = stdout;
  const textOf = isTerminal ? shortText : wholeText;
  return {
    write: async (among, nowMs) => {
      const { rows } = among;
      const cells = rows.map(row =>
        columns.map(column =>
          qualified(column, { row, rows }, textOf(column.kind, valueAmong(column, row, among), nowMs)),
        ),
      );
      const lines: SafeText[] = [];
      if (widths === undefined) {
        widths = columns.map(({ title, kind }, index) => {
          const widest = Math.max(title.length, ...cells.map(row => widthCells(row[index] ?? EMPTY)));
          return isTerminal ? Math.min(widest, mostOnTerminal(title, kind)) : widest;
        });
        const titles = columns.map(({ title }) => sanitize(title));
        lines.push(tableLine(titles, columns, { widths, isTerminal }));
      }
      for (const row of cells) lines.push(tableLine(row, columns, { widths, isTerminal }));
      await stdout.safe(joinSafe(lines));
    },
    end: async () => {},
  };
}

const mostOnTerminal = (title: string, kind: Kind): number =>
  lookOf(kind).cut === 'middle' ? Math.max(title.length, lookOf(kind).enough) : ENOUGH_ON_TERMINAL;

const ENOUGH_ON_TERMINAL = 40;

interface TableForm {
  readonly widths: readonly number[];
  readonly isTerminal: boolean;
}

function tableLine(cells: readonly SafeText[], columns: readonly Column[], form: TableForm): SafeText {
  const fitted = cells.map((text, index) => {
    const look = lookOf(columns[index]?.kind ?? 'text');
    const width = form.widths[index] ?? 0;
    // A later page may hold a longer value than the first: it is printed whole and pushes the others aside.
    if (!form.isTerminal && widthCells(text) > width) return text;
    const cut = look.cut === 'middle' ? truncateMiddle(text, width) : text;
    return fitCells(cut, width, look.align);
  });
  return safeText`${trimEndSafe(joinSafe(fitted, safeText`  `))}\n`;
}
