import type { ViewerCell, ViewerColumn, ViewerRow } from '../../../answers/index.ts';
import { type Directory, nameOf } from '../../../directory/directory.ts';
import { groupDigits } from '../../../insight/decimal.ts';
import { shortText } from '../../../insight/kind.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../../text/safe-text.ts';
import { truncateEnd, widthCells } from '../../../text/width.ts';

/** A cell as it is drawn in the table: words for what stands for something, names for ids that have one. */
export function shownCell(column: ViewerColumn, cell: ViewerCell, directory: Directory): SafeText {
  if (column.isAnswer === true && (cell ?? '') === '') return EMPTY;
  if (cell === null) return safeText`NULL`;
  const cut = cell.length > LONGEST ? `${cell.slice(0, LONGEST)}\u2026` : cell;
  switch (column.shape) {
    case 'number':
      return wholeNumber(column, cell);
    case 'ordinal':
    case 'text':
      return cut === '' ? safeText`""` : sanitize(cut.replace(/\s+/g, ' '));
    case 'id':
      return named(column, cell, directory) ?? (cut === '' ? EMPTY : sanitize(cut));
    case 'time':
      return sanitize(cut.replace(/\.\d+$/, ''));
    case 'word':
      return cut === '' ? safeText`""` : sanitize(wordOf(column, cell) ?? cut);
  }
}

/** A number that fits the cells: whole, or with its fraction cut, or its first digits and its magnitude. */
export function numberWithin(cell: string, cells: number, column?: ViewerColumn): SafeText {
  const whole = wholeNumber(column, cell);
  const [, sign = '', digits = ''] = /^(-?)0*(\d+)(?:\.\d+)?$/.exec(cell) ?? [];
  if (widthCells(whole) <= cells) return whole;
  const point = whole.indexOf('.');
  const isFraction = point > 0 && point + 2 <= cells && !whole.includes('^');
  if (isFraction || digits.length < 2) return truncateEnd(whole, cells);
  const size = `\u2026 x 10^${digits.length - 1}`;
  const room = Math.max(0, cells - size.length - sign.length - 2);
  return sanitize(`${sign}${digits[0]}.${digits.slice(1, 1 + room)}${size}`);
}

const wholeNumber = (column: ViewerColumn | undefined, cell: string): SafeText =>
  column?.isAnswer === true ? sanitize(groupDigits(cell)) : shortText('amount', cell, 0);

/** What a value stands for, in words; undefined where that is not known. */
export const wordOf = ({ words }: ViewerColumn, value: string): string | undefined =>
  Object.hasOwn(words, value) ? words[value] : undefined;

/** Every character of a value, and what it stands for. */
export function wholeCell(column: ViewerColumn, cell: ViewerCell, directory: Directory): string {
  if (cell === null) return 'NULL';
  if (cell === '') return column.shape === 'id' ? 'empty' : '""';
  const name = named(column, cell, directory) ?? wordOf(column, cell);
  const value = column.shape === 'number' ? groupDigits(cell) : cell;
  return name === undefined ? value : `${value}  (${name})`;
}

// The columns of the exports are called by what their ids are of.
function named({ name, shape }: ViewerColumn, id: string, directory: Directory): SafeText | undefined {
  const entity = shape === 'id' ? ENTITIES.find(([ending]) => ending.test(name))?.[1] : undefined;
  return entity === undefined ? undefined : nameOf(directory, entity, id);
}

const ENTITIES = [
  [/(?:^|_)market(?:_id)?$/, 'market'],
  [/(?:^|_)asset(?:_id)?$/, 'asset'],
  [/(?:^|_)(?:party(?:_id)?|buyer|seller)$/, 'party'],
  [/^node_id$/, 'node'],
] as const;

// No terminal is wider.
const LONGEST = 512;

/** All of a row, a column a line, in the order of its file. */
export function rowLines(columns: readonly ViewerColumn[], row: ViewerRow, directory: Directory): readonly string[] {
  const widest = columns.reduce((most, { name }) => Math.max(most, name.length), 0);
  return columns.flatMap((column, index) => {
    const value = `${column.name.padEnd(widest)}  ${wholeCell(column, row[index] ?? null, directory)}`;
    const about = [column.about, column.unit && `in ${column.unit}`].filter(text => text !== '').join('; ');
    return about === '' ? [value] : [value, `${' '.repeat(widest)}  ${about}`];
  });
}
