import { type SafeText, sanitize } from '../../base/text/safe-text.ts';
import { widthCells } from '../../base/text/width.ts';
import { type Directory, nameOf } from '../directory/directory.ts';
import { toWholeUnits } from '../insight/decimal.ts';
import { kindFormat, shortText, wholeText } from '../insight/kind.ts';
import {
  type AmountColumn,
  type AmountOptions,
  amountColumn,
  amountInColumn,
  amountTitles,
  cellUnit,
} from './amount-column.ts';
import { clockText } from './clock-column.ts';
import { valueInContext } from './columns.ts';
import type { CellContext, Column, Row } from './resource.ts';

/** How a column is headed and its amounts are written, judged by its rows. */
export interface ColumnForm {
  /** Longest first; the shorter ones are for narrow columns. */
  readonly titles: readonly [SafeText, ...SafeText[]];
  readonly amounts: AmountColumn | null;
}

/** Rows that decide how a column is written. */
const SAMPLE_ROWS = 400;

/** Rows spread evenly over the page. */
export function sampleRows(rows: readonly Row[]): readonly Row[] {
  const step = Math.max(1, Math.floor(rows.length / SAMPLE_ROWS));
  return step === 1 ? rows : rows.filter((_, index) => index % step === 0);
}

/** How a column is written above these rows. */
export function columnForm(column: Column, rows: readonly Row[], options: AmountOptions): ColumnForm {
  const plain = sanitize(column.title);
  if (column.kind !== 'amount') return { titles: [plain], amounts: null };
  const amounts = amountColumn(column, sampleRows(rows), options);
  const [longest = plain, ...others] = amountTitles(column.title, amounts);
  return { titles: [longest, ...others], amounts };
}

interface CellView extends CellContext {
  readonly form: ColumnForm;
  /** Do not cut it, however long it is. */
  readonly isWhole?: boolean;
  /** Of a number that has no room in them the first digits and the magnitude. */
  readonly cells?: number;
  readonly nowMs: number;
}

/** The text of a cell: the name of an id, an amount in its unit, anything else as its kind is shown. */
export function formatCell(
  column: Column,
  row: Row,
  { directory, among, form, isWhole = false, cells = Number.POSITIVE_INFINITY, nowMs }: CellView,
): SafeText {
  if (form.amounts !== null) return amountInColumn(column, row, { form: form.amounts, directory, cells });
  const value = column.named?.(row, { directory, among }) ?? valueInContext(column, row, among);
  if (column.isOfClock === true) return sanitize(clockText(column, value));
  const textOf = isWhole ? wholeText : shortText;
  const text = nameInCell(column, row, directory) ?? textOf(column.kind, value, nowMs);
  const { within } = kindFormat(column.kind);
  return within === undefined || widthCells(text) <= cells ? text : sanitize(within(value, cells));
}

/** The name of the id in a cell; undefined for a list's own ids, whose names have a column of their own. */
export const nameInCell = (column: Column, row: Row, directory: Directory): SafeText | undefined =>
  mayName(column) ? nameOfValue(column, column.value(row), directory) : undefined;

const mayName = ({ entity, ids, isOwn }: Column): boolean =>
  entity !== undefined && entity !== 'epoch' && ids === undefined && isOwn !== true;

/** The name of a value of the column. */
export const nameOfValue = (column: Column, value: string, directory: Directory): SafeText | undefined =>
  column.entity === undefined || !mayName(column) ? undefined : nameOf(directory, column.entity, value);

/** What a column is sorted by: the value it shows, with every digit. */
export function sortValue(column: Column, row: Row, { directory, among }: CellContext): string {
  const value = column.named?.(row, { directory, among }) ?? valueInContext(column, row, among);
  if (column.kind !== 'amount') return nameInCell(column, row, directory) ?? value;
  const unit = cellUnit(column, row, directory);
  return unit === undefined ? value : (toWholeUnits(value, unit.decimals) ?? value);
}
