import type { ViewerCell, ViewerColumn, ViewerRow } from '../../../answers/index.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateEnd, truncateMiddle, widthCells } from '../../../base/text/width.ts';
import { nameOf } from '../../../chain/directory/directory.ts';
import { fitDigits, groupDigits, toWholeUnits } from '../../../chain/insight/decimal.ts';
import { shortText } from '../../../chain/insight/kind.ts';
import { type AmountColumn, amountInForm, amountTitles } from '../../../chain/resources/amount-column.ts';
import { accountParts, accountText, type TableNames } from './accounts.ts';
import { amountOfCell, type CellPlace, entityOf, isNetwork, type RowFormat } from './row-format.ts';

interface PlaceInTable extends CellPlace {
  /** The table, by name. */
  readonly table: string;
}

/** A cell of the table as drawn: words, names for ids that have one, amounts in units. */
export function tableCell(place: PlaceInTable, rowFormat: RowFormat): SafeText {
  return amountText(place, rowFormat) ?? valueText(place, rowFormat);
}

/** The same, in this number of cells. */
export function fitCell(place: PlaceInTable, rowFormat: RowFormat, cells: number): SafeText {
  const { column, cell } = cellAt(place);
  const whole = tableCell(place, rowFormat);
  if (column === undefined || cell === null || column.isAnswer === true || column.shape !== 'id')
    return column?.shape === 'number' ? fitNumber(place, rowFormat, { whole, cells }) : fitText(column, whole, cells);
  if (rowFormat.isRaw) return truncateMiddle(whole, cells);
  const of = { column, table: place.table };
  if (accountPartsOf(of, cell, rowFormat.names) !== undefined) return truncateEnd(whole, cells);
  // Both ends identify an id; more digits would only fill the column.
  return truncateMiddle(whole, nameOfId(of, cell, rowFormat.names) === undefined ? Math.min(cells, ID_CELLS) : cells);
}

/** Of a number before its unit: some digits and their magnitude. */
const MIN_DIGIT_CELLS = 14;

const MIN_SYMBOL_CELLS = 4;

/** Of an id without a name. */
export const ID_CELLS = 10;

// Of a name in an answer both ends are known again.
const fitText = (column: ViewerColumn | undefined, text: SafeText, cells: number): SafeText =>
  column?.isAnswer === true && column.shape === 'text' ? truncateMiddle(text, cells) : truncateEnd(text, cells);

interface Room {
  /** The whole number, used if it fits. */
  readonly whole: SafeText;
  readonly cells: number;
}

function fitNumber(place: PlaceInTable, rowFormat: RowFormat, { whole, cells }: Room): SafeText {
  const { column, cell } = cellAt(place);
  if (cell === null || rowFormat.isRaw || widthCells(whole) <= cells) return truncateEnd(whole, cells);
  const { value, unit } = amountOfCell(place, rowFormat);
  const exact = unit === undefined ? undefined : toWholeUnits(value, unit.decimals);
  if (unit === undefined && isInUnits(rowFormat.amounts.get(place.index))) return withUnit(cell, RAW_UNIT, cells);
  if (unit === undefined || exact === undefined) return fitNumberText(cell, cells, column);
  const isNamed = rowFormat.amounts.get(place.index)?.unit !== null || unit.symbol === '';
  const symbol = isNamed
    ? EMPTY
    : safeText` ${truncateMiddle(unit.symbol, Math.max(MIN_SYMBOL_CELLS, cells - MIN_DIGIT_CELLS))}`;
  return withUnit(exact, symbol, cells);
}

/** Where the heading has no unit, the unit stays even where the digits have no room. */
function withUnit(number: string, unit: SafeText, cells: number): SafeText {
  const text = safeText`${fitNumberText(number, Math.max(0, cells - widthCells(unit)))}${unit}`;
  return widthCells(text) <= cells ? text : truncateEnd(safeText`\u2026${unit}`, cells);
}

const RAW_UNIT = safeText` raw`;

const cellAt = ({ columns, row, index }: CellPlace) => ({ column: columns[index], cell: row[index] ?? null });

/** In units if they are known, or if those of other rows are; undefined for anything else. */
function amountText(place: PlaceInTable, rowFormat: RowFormat): SafeText | undefined {
  const form = rowFormat.amounts.get(place.index);
  const { cell } = cellAt(place);
  if (cell === null || cell === '' || form === undefined || !isInUnits(form)) return undefined;
  const amount = amountOfCell(place, rowFormat);
  if (amount.value === '0') return safeText`0`;
  // Others of the column have a unit.
  return amount.unit === undefined ? safeText`${wholeNumber(undefined, cell)}${RAW_UNIT}` : amountInForm(amount, form);
}

/** Whether any of the amounts is. */
const isInUnits = (form: AmountColumn | undefined): boolean => form !== undefined && form.places.size > 0;

function valueText({ table, ...place }: PlaceInTable, { isRaw, names }: RowFormat): SafeText {
  const { column, cell } = cellAt(place);
  if (column === undefined) return EMPTY;
  return isRaw ? fileText(cell) : standaloneCellText({ column, table }, cell, names);
}

/** A value as the file has it, in one line. */
export const fileText = (cell: ViewerCell): SafeText =>
  cell === null ? safeText`NULL` : cell === '' ? safeText`""` : sanitize(cutText(cell).replace(/\s+/g, ' '));

const cutText = (cell: string): string =>
  cell.length > MAX_TEXT_LENGTH ? `${cell.slice(0, MAX_TEXT_LENGTH)}\u2026` : cell;

// No terminal is wider.
const MAX_TEXT_LENGTH = 512;

interface ColumnOfTable {
  readonly column: ViewerColumn;
  /** The table, by name. */
  readonly table: string;
}

/** A value without its row: words for coded values, names for ids that have one; numbers as in the file. */
export function standaloneCellText({ column, table }: ColumnOfTable, cell: ViewerCell, names: TableNames): SafeText {
  if (column.isAnswer === true && (cell ?? '') === '') return EMPTY;
  if (cell === null) return safeText`NULL`;
  const cut = cutText(cell);
  switch (column.shape) {
    case 'number':
      return wholeNumber(column, cell);
    case 'ordinal':
    case 'text':
      return cut === '' ? safeText`""` : sanitize(cut.replace(/\s+/g, ' '));
    case 'id':
      return nameOfId({ column, table }, cell, names) ?? (cut === '' ? EMPTY : sanitize(cut));
    case 'time':
      return timeText(cut);
    case 'word':
      return cut === '' ? safeText`""` : sanitize(cellWord(column, cell) ?? cut);
  }
}

/** As lists show times of the clock. */
function timeText(cell: string): SafeText {
  const [, seconds] = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.\d+)?$/.exec(cell) ?? [];
  if (seconds === undefined) return sanitize(cell);
  return seconds === NOT_SET ? safeText`never` : sanitize(`${seconds}Z`);
}

const NOT_SET = '1970-01-01 00:00:00';

/** A number that fits the cells: whole, or with its fraction cut, or its first digits and its magnitude. */
export function fitNumberText(cell: string, cells: number, column?: ViewerColumn): SafeText {
  const whole = wholeNumber(column, cell);
  return widthCells(whole) <= cells ? whole : sanitize(fitDigits(cell, cells));
}

const wholeNumber = (column: ViewerColumn | undefined, cell: string): SafeText =>
  column?.isAnswer === true ? sanitize(groupDigits(cell)) : shortText('amount', cell, 0);

/** What a value stands for, in words; undefined where that is not known. */
const cellWord = ({ words }: ViewerColumn, value: string): string | undefined =>
  Object.hasOwn(words, value) ? words[value] : undefined;

/** Every character of a value, and its meaning: a name, a word, or the exact amount in units. */
export function fullCellText(place: PlaceInTable, rowFormat: RowFormat): string {
  const { column, cell } = cellAt(place);
  if (column === undefined || cell === null) return 'NULL';
  if (cell === '') return column.shape === 'id' ? 'empty' : '""';
  if (rowFormat.isRaw) return cell;
  const meaning = nameOfId({ column, table: place.table }, cell, rowFormat.names) ?? cellWord(column, cell);
  const value = column.shape === 'number' ? groupDigits(cell) : cell;
  const means = meaning ?? exactAmount(place, rowFormat);
  return means === undefined ? value : `${value}  (${means})`;
}

function exactAmount(place: PlaceInTable, rowFormat: RowFormat): string | undefined {
  const { value, unit } = amountOfCell(place, rowFormat);
  const exact = unit === undefined ? undefined : toWholeUnits(value, unit.decimals);
  return unit === undefined || exact === undefined ? undefined : `${groupDigits(exact)} ${unit.symbol}`.trimEnd();
}

/** The name of an id, or what an account is. */
export function nameOfId({ column, table }: ColumnOfTable, id: string, names: TableNames): SafeText | undefined {
  const entity = entityOf(column, table);
  if (entity === 'party' && isNetwork(id)) return safeText`network`;
  if (entity !== undefined) return column.shape === 'id' ? nameOf(names, entity, id) : undefined;
  const parts = accountPartsOf({ column, table }, id, names);
  return parts === undefined ? undefined : accountText(parts, names);
}

const accountPartsOf = ({ column }: ColumnOfTable, id: string, names: TableNames) =>
  column.shape === 'id' && column.name.startsWith('account_') ? accountParts(names).get(id) : undefined;

/** All of a row, a column a line, in the order of its file. */
export function rowLines(
  { table, columns }: { readonly table: string; readonly columns: readonly ViewerColumn[] },
  row: ViewerRow,
  rowFormat: RowFormat,
): readonly string[] {
  const widest = columns.reduce((most, { name }) => Math.max(most, name.length), 0);
  return columns.flatMap((column, index) => {
    const value = `${column.name.padEnd(widest)}  ${fullCellText({ table, columns, row, index }, rowFormat)}`;
    const about = [column.about, column.unit && `in ${column.unit}`].filter(text => text !== '').join('; ');
    return about === '' || rowFormat.isRaw ? [value] : [value, `${' '.repeat(widest)}  ${about}`];
  });
}

/** The title of a column: its name, then the unit of its amounts and whether they are rounded. */
export function fitTitle({ column, index }: PlacedTitle, rowFormat: RowFormat, cells: number): SafeText {
  const { name, form } = titleParts(column, index, rowFormat);
  if (form === undefined) return column.shape === 'id' ? truncateMiddle(name, cells) : truncateEnd(name, cells);
  const [whole = name, short = whole] = amountTitles(name, form);
  if (widthCells(whole) <= cells) return whole;
  const excess = widthCells(short) - cells;
  if (excess <= 0) return short;
  // The unit stays, and the name makes room for it.
  return amountTitles(truncateEnd(name, Math.max(1, widthCells(name) - excess)), form)[1] ?? short;
}

/** The cells that it needs. */
export function titleCells({ column, index }: PlacedTitle, rowFormat: RowFormat): number {
  const { name, form } = titleParts(column, index, rowFormat);
  return widthCells(form === undefined ? name : (amountTitles(name, form)[1] ?? name));
}

interface PlacedTitle {
  readonly column: ViewerColumn;
  /** Its place in a row. */
  readonly index: number;
}

function titleParts({ name, shape }: ViewerColumn, index: number, { isRaw, amounts }: RowFormat) {
  if (isRaw) return { name: sanitize(name) };
  const form = amounts.get(index);
  // Parts of the title that the form of the values already shows are left out.
  const short = shape === 'id' ? name.replace(/_id$/, '').replace(/^account_(?=from$|to$)/, '') : name;
  // Numbers of unknown decimals are written unchanged, without a power of ten.
  return { name: sanitize(short), form: form && (form.scale === null ? form : { ...form, scale: UNSCALED }) };
}

const UNSCALED = { exponent: 0, places: 0, isRounded: false } as const;
