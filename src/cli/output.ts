import { type Json, printJson } from '../api/json.ts';
import { type Directory, NO_NAMES } from '../directory/directory.ts';
import { csvHead, csvRecords, type ExplainedValues } from '../explain/list-csv.ts';
import { type Kind, lookOf } from '../insight/kind.ts';
import { type ColumnForm, columnForm, nameInCell, textInCell } from '../resources/cell.ts';
import { hasValues, qualified } from '../resources/columns.ts';
import { withUnits } from '../resources/csv-units.ts';
import type { Among, Column, CsvForm, Row } from '../resources/resource.ts';
import { csvRecord, quoted } from '../text/csv-field.ts';
import { didYouMean } from '../text/nearest.ts';
import {
  EMPTY,
  joinSafe,
  type SafeText,
  safeJson,
  safeText,
  sanitize,
  sliceSafe,
  trimEndSafe,
} from '../text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells } from '../text/width.ts';
import type { Given } from './options.ts';
import type { Sink } from './sink.ts';
import { UsageError } from './usage-error.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

export function formatOf(given: Given): Format {
  const wanted = given.text('output') ?? 'table';
  const format = FORMATS.find(name => name === wanted);
  if (format === undefined)
    throw new UsageError(`--output wants one of ${FORMATS.join(', ')}, not "${wanted}"${didYouMean(wanted, FORMATS)}`);
  return format;
}

/** Writes rows as they come, in one format, holding none of them. */
export interface RowWriter {
  /** All that came, or those of them that are wanted. */
  readonly write: (came: Among, nowMs: number, wanted?: readonly Row[]) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** What of the rows is written: columns of a table, or a form of CSV and what is explained beside it. */
interface RowForm {
  readonly columns: readonly Column[];
  readonly csvForm: CsvForm;
  readonly explained?: ExplainedValues | undefined;
  /** Asked for when the first rows are there; null: there is nothing to name, or nothing is to be. */
  readonly names: (() => Promise<Directory>) | null;
  /** All stands as it was sent. */
  readonly isExact: boolean;
}

export function rowWriter(
  format: Format,
  { columns, csvForm, explained, names, isExact }: RowForm,
  stdout: Sink,
): RowWriter {
  switch (format) {
    case 'ndjson':
      return {
        write: (came, _, rows = came.rows) => stdout.data(rows.map(row => `${printJson(row)}\n`).join(''), safeJson),
        end: async () => {},
      };
    case 'json':
      return jsonArray(stdout);
    case 'csv':
      return csv(csvForm, { explained, names }, stdout);
    case 'table':
      return table(columns, { names, isExact }, stdout);
  }
}

/** Whether it is the records as they were sent. */
export const isJson = (format: Format): boolean => format === 'json' || format === 'ndjson';

export const printValue = (value: Json, format: Format): string =>
  `${printJson(value, format === 'json' ? 2 : undefined)}\n`;

function jsonArray(stdout: Sink): RowWriter {
  let separator = '[\n';
  return {
    write: async (came, _, rows = came.rows) => {
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

type Beside = Pick<RowForm, 'explained' | 'names'>;

function csv(form: CsvForm, { explained, names }: Beside, stdout: Sink): RowWriter {
  let head = [csvHead(names === null ? form : withUnits(form, NO_NAMES), explained)];
  let known: CsvForm | undefined;
  return {
    write: async (came, _, rows = came.rows) => {
      known ??= names === null ? form : withUnits(form, await names());
      const records: (readonly string[])[] = [];
      for (const row of rows) records.push(...(await csvRecords({ form: known, explained }, row, came.rows)));
      await writeCsv([...head, ...records], stdout);
      head = [];
    },
    end: () => writeCsv(head, stdout),
  };
}

/** RFC 4180: CRLF, quotes where needed; values as the node sent them, on a terminal made harmless. */
export const writeCsv = (records: readonly (readonly string[])[], stdout: Sink): Promise<void> =>
  stdout.data(records.map(csvRecord).join(''), () =>
    joinSafe(records.map(values => safeText`${joinSafe(values.map(shownField), safeText`,`)}\r\n`)),
  );

const shownField = (value: string): SafeText => sanitize(quoted(sanitize(value)));

/** No value of a sound node is as long; a longer one would make every row of a table as long. */
const LONGEST_CELL = 10_000;

export function cappedCell(text: SafeText): SafeText {
  if (text.length <= LONGEST_CELL) return text;
  const cut = sanitize(`... (${text.length} characters; -o json has all of them)`);
  return safeText`${sliceSafe(text, 0, LONGEST_CELL)}${cut}`;
}

/** Columns as wide as the first page needs. On a terminal a cell is cut to a mark; in a pipe nothing is rounded, and cut where it is huge. */
function table(
  all: readonly Column[],
  { names, isExact }: Pick<RowForm, 'names' | 'isExact'>,
  stdout: Sink,
): RowWriter {
  let view: TableView | undefined;
  const { isTerminal } = stdout;
  return {
    write: async (among, nowMs, rows = among.rows) => {
      const columns = view?.columns ?? all.filter(column => hasValues(column, rows));
      const directory = view?.directory ?? (await names?.()) ?? NO_NAMES;
      const forms =
        view?.forms ??
        columns.map(column => columnForm(isExact ? asSent(column) : column, rows, { directory, isExact: !isTerminal }));
      const textOf = (row: Row) => (column: Column, index: number) => {
        const form = forms[index] ?? { titles: [sanitize(column.title)], amounts: null };
        const cell = { directory, among, form, nowMs, isWhole: !isTerminal };
        return cappedCell(qualified(column, { row, rows: among.rows }, textInCell(column, row, cell)));
      };
      const cells = rows.map(row => columns.map(textOf(row)));
      const titles = forms.map(form => form.titles[0]);
      const lines: SafeText[] = [];
      if (view === undefined) {
        const widths = columns.map((column, index) => {
          const widest = [titles, ...cells].reduce((most, line) => Math.max(most, widthCells(line[index] ?? EMPTY)), 0);
          if (!isTerminal) return widest;
          const isNamed = rows.some(row => nameInCell(column, row, directory) !== undefined);
          return Math.min(widest, mostOnTerminal(widthCells(titles[index] ?? EMPTY), column.kind, isNamed));
        });
        view = { columns, directory, forms, widths };
        lines.push(tableLine(titles, columns, { widths, isTerminal }));
      }
      const { widths } = view;
      for (const row of cells) lines.push(tableLine(row, columns, { widths, isTerminal }));
      await stdout.safe(joinSafe(lines));
    },
    end: async () => {},
  };
}

/** What the first page has decided for all of them. */
interface TableView {
  readonly columns: readonly Column[];
  readonly directory: Directory;
  readonly forms: readonly ColumnForm[];
  readonly widths: readonly number[];
}

/** An amount that is to stand as it was sent is a number like others. */
const asSent = (column: Column): Column => (column.kind === 'amount' ? { ...column, kind: 'integer' } : column);

function mostOnTerminal(title: number, kind: Kind, isNamed: boolean): number {
  const { cut, enough } = lookOf(kind);
  return cut === 'middle' ? Math.max(title, isNamed ? ENOUGH_NAME : enough) : Math.max(title, ENOUGH_ON_TERMINAL);
}

const ENOUGH_NAME = 24;

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
