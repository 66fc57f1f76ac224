import { clockTime } from '../../base/text/time.ts';
import type { Column } from './resource.ts';

/** A column of times shown as clock times, with UTC in its title; other columns are not changed. */
export function clockColumn(column: Column): Column {
  if ((column.kind !== 'time' && column.kind !== 'unix-time') || column.isOfClock === true) return column;
  return { ...column, title: `${column.title} UTC`, isOfClock: true };
}

/** The text of a cell in such a column. */
export const clockText = ({ kind }: Column, value: string): string =>
  clockTime(kind === 'unix-time' && /^\d{1,11}$/.test(value) ? `${value}000000000` : value);
