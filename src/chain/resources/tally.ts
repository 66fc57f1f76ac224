import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { utcTime } from '../../base/text/time.ts';
import type { Directory, Unit } from '../directory/directory.ts';
import { groupDigits, toWholeUnits } from '../insight/decimal.ts';
import { wholeText } from '../insight/kind.ts';
import { cellUnit } from './amount-column.ts';
import { type AmountSum, createSums } from './amount-sums.ts';
import { nameOfValue } from './cell.ts';
import { valueInContext } from './columns.ts';
import type { CellContext, Column, Row, RowContext } from './resource.ts';

/** How often each value of a column occurs among rows. */
export interface Frequency {
  readonly rows: number;
  /** Most frequent first; ties in order of appearance. */
  readonly values: readonly FrequentValue[];
  /** Sums of the amounts; empty for a column of anything else. */
  readonly sums: readonly AmountSum[];
  /** Rows whose amount cannot be added. */
  readonly unsummed: number;
}

export interface FrequentValue {
  /** As sent; for a time its day. '' if there is none. */
  readonly value: string;
  readonly count: number;
  /** The unit of an amount; null if unknown, and for everything else. */
  readonly unit: Unit | null;
  /** What an amount is of: equal digits of two assets are different values. '' for everything else. */
  readonly of: string;
}

/** Counts rows one by one without keeping them. */
interface Tally {
  readonly add: (row: Row, among: RowContext) => void;
  readonly result: () => Frequency;
}

export function createTally(column: Column, directory: Directory): Tally {
  const values = new Map<string, FrequentValue & { count: number }>();
  const sums = createSums(column, directory);
  let rows = 0;
  return {
    add: (row, among) => {
      rows++;
      sums.add(row);
      const counted = countedValue(column, row, { directory, among });
      const key = `${counted.of}\n${counted.value}`;
      const known = values.get(key);
      if (known === undefined) values.set(key, { ...counted, count: 1 });
      else known.count++;
    },
    result: () => ({ rows, values: mostFrequentFirst([...values.values()]), ...sums.result() }),
  };
}

/** Whether values are counted by day, since times to the nanosecond are nearly all different. */
export const isByDay = ({ kind }: Column): boolean => kind === 'time' || kind === 'unix-time';

/** What a row is counted under. */
export function countedValue(column: Column, row: Row, context: CellContext): Omit<FrequentValue, 'count'> {
  const value = countedText(column, row, context);
  if (column.kind !== 'amount') return { value, unit: null, of: '' };
  const unit = cellUnit(column, row, context.directory) ?? null;
  return { value, unit, of: unitKey(column, row, unit) };
}

function countedText(column: Column, row: Row, { directory, among }: CellContext): string {
  const value = column.named?.(row, { directory, among }) ?? valueInContext(column, row, among);
  if (isByDay(column)) return dayOf(value, column.kind === 'time' ? '' : '000000000');
  return column.kind === 'address' ? value.toLowerCase() : value;
}

// Nodes send 0 for never.
function dayOf(value: string, more: string): string {
  if (value === '' || value === '0') return '';
  const time = `${value}${more}`;
  const written = utcTime(time);
  return written === time ? value : written.slice(0, written.indexOf(' '));
}

// Equal digits of two assets are different amounts.
function unitKey(column: Column, row: Row, unit: Unit | null): string {
  if (unit !== null) return `${unit.decimals} ${unit.symbol}`;
  const counted = column.unit?.(row);
  return `${counted?.of} ${counted?.id}`;
}

// Sorts the counts, which are few, not the values, which may be as many as the rows.
function mostFrequentFirst(values: readonly FrequentValue[]): readonly FrequentValue[] {
  const byCount = Map.groupBy(values, ({ count }) => count);
  return [...byCount.keys()].toSorted((one, other) => other - one).flatMap(count => byCount.get(count) ?? []);
}

/** How a value is shown: the name of an id, an amount in its unit with every digit, else as its kind is written. */
export function frequentValueText(column: Column, { value, unit }: FrequentValue, directory: Directory): SafeText {
  if (value === '') return safeText`(none)`;
  if (isByDay(column)) return sanitize(value);
  if (column.kind !== 'amount') return nameOfValue(column, value, directory) ?? wholeText(column.kind, value, 0);
  const exact = unit === null ? undefined : toWholeUnits(value, unit.decimals);
  if (unit === null || exact === undefined) return safeText`${sanitize(groupDigits(value))} smallest unit`;
  return unit.symbol === '' ? sanitize(groupDigits(exact)) : safeText`${sanitize(groupDigits(exact))} ${unit.symbol}`;
}
