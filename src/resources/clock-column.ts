import { clockTime } from '../insight/time.ts';
import type { Column } from './resource.ts';

const byClock = new WeakMap<Column, Column>();

/** A column of times as they are on a clock, which its title says; any other column as it is. */
export function clockColumn(column: Column): Column {
  if ((column.kind !== 'time' && column.kind !== 'unix-time') || column.isOfClock === true) return column;
  const known = byClock.get(column) ?? { ...column, title: `${column.title} UTC`, isOfClock: true };
  byClock.set(column, known);
  return known;
}

/** What a cell of such a column shows. */
export const clockText = ({ kind }: Column, value: string): string =>
  clockTime(kind === 'unix-time' && /^\d{1,11}$/.test(value) ? `${value}000000000` : value);
