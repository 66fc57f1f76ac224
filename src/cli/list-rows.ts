import { EMPTY, sanitize } from '../base/text/safe-text.ts';
import { type TextTable, textTable } from '../base/text/text-table.ts';
import { widthCells } from '../base/text/width.ts';
import type { ChainClock } from '../chain/directory/chain-clock.ts';
import { type Directory, NO_NAMES } from '../chain/directory/directory.ts';
import { type ExplainedValues, type ListedRow, listForms } from '../chain/explain/list-csv.ts';
import { type Kind, kindFormat } from '../chain/insight/kind.ts';
import { type ColumnForm, columnForm, formatCell, nameInCell } from '../chain/resources/cell.ts';
import { clockColumn } from '../chain/resources/clock-column.ts';
import { hasValues, qualifyText } from '../chain/resources/columns.ts';
import type { Column, CsvForm, Row, RowContext } from '../chain/resources/resource.ts';
import { cappedCell, type PrintedForms } from './output.ts';
import type { Sink } from './sink.ts';

/** A printed row, with the rows of its page. */
interface PrintedRow extends ListedRow {
  readonly among: RowContext;
}

/** How rows are printed: the columns of a table, or a form of CSV with explanations. */
interface RowOptions {
  readonly columns: readonly Column[];
  readonly csvForm: CsvForm;
  readonly explained?: ExplainedValues | undefined;
  /** Loaded with the first rows; null to show no names. */
  readonly names: (() => Promise<Directory>) | null;
  /** Print values as sent. */
  readonly isExact: boolean;
  readonly clock: ChainClock;
}

export const rowForms = (options: RowOptions, stdout: Pick<Sink, 'isTerminal'>): PrintedForms<PrintedRow> => ({
  ...listForms(options.csvForm, { names: options.names, explained: options.explained }),
  table: rowTable(options, stdout),
});

/** Columns are as wide as the first page needs. A terminal cuts long cells; a pipe gets exact values, cut only if huge. */
function rowTable({ columns: all, names, isExact, clock }: RowOptions, { isTerminal }: Pick<Sink, 'isTerminal'>) {
  let view: TableView | undefined;
  const begin = async (rows: readonly Row[]): Promise<TableView> => {
    // There, every age is about the same.
    const shown = clock.hasEnded() ? all.map(clockColumn) : all;
    const columns = shown.filter(column => hasValues(column, rows));
    const directory = (await names?.()) ?? NO_NAMES;
    const forms = columns.map(column =>
      columnForm(isExact ? withoutNames(column) : column, rows, { directory, isExact: !isTerminal }),
    );
    const textColumns = columns.map((column, index) => {
      const title = forms[index]?.titles[0] ?? EMPTY;
      const { align, cut } = kindFormat(column.kind);
      if (!isTerminal) return { title, align };
      const isNamed = rows.some(row => nameInCell(column, row, directory) !== undefined);
      return { title, align, cut, mostCells: maxTerminalCells(widthCells(title), column.kind, isNamed) };
    });
    return { columns, directory, forms, table: textTable(textColumns) };
  };
  return async (printed: readonly PrintedRow[]) => {
    view ??= await begin(printed.map(({ row }) => row));
    const { columns, directory, forms, table } = view;
    const now = clock.nowMs();
    const textOf =
      ({ row, among }: PrintedRow) =>
      (column: Column, index: number) => {
        const form = forms[index] ?? { titles: [sanitize(column.title)], amounts: null };
        const cell = { directory, among, form, nowMs: now, isWhole: !isTerminal };
        return cappedCell(qualifyText(column, { row, rows: among.rows, directory }, formatCell(column, row, cell)));
      };
    return table.lines(printed.map(row => columns.map(textOf(row))));
  };
}

/** Decided by the first page for all pages. */
interface TableView {
  readonly columns: readonly Column[];
  readonly directory: Directory;
  readonly forms: readonly ColumnForm[];
  readonly table: TextTable;
}

/** With --exact an amount is a plain number. */
const withoutNames = (column: Column): Column => (column.kind === 'amount' ? { ...column, kind: 'integer' } : column);

function maxTerminalCells(title: number, kind: Kind, isNamed: boolean): number {
  const { cut, enough } = kindFormat(kind);
  return cut === 'middle' ? Math.max(title, isNamed ? NAME_CELLS : enough) : Math.max(title, TEXT_CELLS);
}

const NAME_CELLS = 24;

const TEXT_CELLS = 40;
