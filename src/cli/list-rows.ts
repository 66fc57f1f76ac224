import { type Directory, NO_NAMES } from '../directory/directory.ts';
import { type ExplainedValues, type ListedRow, listForms } from '../explain/list-csv.ts';
import { type Kind, lookOf } from '../insight/kind.ts';
import { type ColumnForm, columnForm, nameInCell, textInCell } from '../resources/cell.ts';
import { hasValues, qualified } from '../resources/columns.ts';
import type { Among, Column, CsvForm, Row } from '../resources/resource.ts';
import { EMPTY, sanitize } from '../text/safe-text.ts';
import { type TextTable, textTable } from '../text/text-table.ts';
import { widthCells } from '../text/width.ts';
import { cappedCell, type PrintedForms } from './output.ts';
import type { Sink } from './sink.ts';

/** A row of a list that is printed, with all that it is read beside. */
export interface PrintedRow extends ListedRow {
  readonly among: Among;
}

/** What is printed of rows: the columns of a table, or a form of CSV and what is explained beside it. */
interface RowOptions {
  readonly columns: readonly Column[];
  readonly csvForm: CsvForm;
  readonly explained?: ExplainedValues | undefined;
  /** Asked for with the first rows; null: nothing can be named, or nothing is to be. */
  readonly names: (() => Promise<Directory>) | null;
  /** All stays as it was sent. */
  readonly isExact: boolean;
  readonly nowMs: () => number;
}

export const rowForms = (options: RowOptions, stdout: Pick<Sink, 'isTerminal'>): PrintedForms<PrintedRow> => ({
  ...listForms(options.csvForm, { names: options.names, explained: options.explained }),
  table: rowTable(options, stdout),
});

/** Columns as wide as the first page needs. On a terminal a cell is cut; in a pipe nothing is rounded, and cut where it is huge. */
function rowTable({ columns: all, names, isExact, nowMs }: RowOptions, { isTerminal }: Pick<Sink, 'isTerminal'>) {
  let view: TableView | undefined;
  const begin = async (rows: readonly Row[]): Promise<TableView> => {
    const columns = all.filter(column => hasValues(column, rows));
    const directory = (await names?.()) ?? NO_NAMES;
    const forms = columns.map(column =>
      columnForm(isExact ? asSent(column) : column, rows, { directory, isExact: !isTerminal }),
    );
    const textColumns = columns.map((column, index) => {
      const title = forms[index]?.titles[0] ?? EMPTY;
      const { align, cut } = lookOf(column.kind);
      if (!isTerminal) return { title, align };
      const isNamed = rows.some(row => nameInCell(column, row, directory) !== undefined);
      return { title, align, cut, mostCells: mostOnTerminal(widthCells(title), column.kind, isNamed) };
    });
    return { columns, directory, forms, table: textTable(textColumns) };
  };
  return async (printed: readonly PrintedRow[]) => {
    view ??= await begin(printed.map(({ row }) => row));
    const { columns, directory, forms, table } = view;
    const now = nowMs();
    const textOf =
      ({ row, among }: PrintedRow) =>
      (column: Column, index: number) => {
        const form = forms[index] ?? { titles: [sanitize(column.title)], amounts: null };
        const cell = { directory, among, form, nowMs: now, isWhole: !isTerminal };
        return cappedCell(qualified(column, { row, rows: among.rows }, textInCell(column, row, cell)));
      };
    return table.lines(printed.map(row => columns.map(textOf(row))));
  };
}

/** What the first page has decided for all of them. */
interface TableView {
  readonly columns: readonly Column[];
  readonly directory: Directory;
  readonly forms: readonly ColumnForm[];
  readonly table: TextTable;
}

/** An amount that is to stay as it was sent is a number like others. */
const asSent = (column: Column): Column => (column.kind === 'amount' ? { ...column, kind: 'integer' } : column);

function mostOnTerminal(title: number, kind: Kind, isNamed: boolean): number {
  const { cut, enough } = lookOf(kind);
  return cut === 'middle' ? Math.max(title, isNamed ? ENOUGH_NAME : enough) : Math.max(title, ENOUGH_ON_TERMINAL);
}

const ENOUGH_NAME = 24;

const ENOUGH_ON_TERMINAL = 40;
