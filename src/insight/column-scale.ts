import { scaled } from './decimal.ts';

/** How amounts of unknown unit are written in one column: all in the same power of ten. */
export interface ColumnScale {
  /** 0: as they are. Shown in the heading: `x 10^18`. */
  readonly exponent: number;
  /** Decimal places. */
  readonly places: number;
  /** Whether digits are left out of any; shown in the heading. */
  readonly isRounded: boolean;
}

const AS_THEY_ARE: ColumnScale = { exponent: 0, places: 0, isRounded: false };

/** The scale of a column of smallest units, set by its largest. Anything but whole numbers is ignored. */
export function columnScale(values: readonly string[]): ColumnScale {
  const numbers = values.flatMap(value => scaled(value, 0) ?? []);
  const digits = numbers.reduce((most, number) => Math.max(most, number.replace('-', '').length), 0);
  if (digits <= LONGEST_AS_IT_IS) return AS_THEY_ARE;
  const exponent = 3 * Math.floor((digits - SHORTEST_SCALED) / 3);
  const fractions = numbers.map(number => (scaled(number, exponent)?.split('.')[1] ?? '').length);
  const needed = fractions.reduce((most, length) => Math.max(most, length), 0);
  return { exponent, places: Math.min(needed, MOST_PLACES), isRounded: needed > MOST_PLACES };
}

// 1 250 000 000 000 still reads as a number.
const LONGEST_AS_IT_IS = 13;

const SHORTEST_SCALED = 4;

const MOST_PLACES = 3;
