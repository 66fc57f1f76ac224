import { AnswerError } from '../engine/answer-error.ts';
import type { ResultCell } from '../engine/result-cell.ts';
import { sqlName } from '../engine/sql-text.ts';
import { isNative, type LookColumn } from './look.ts';

/** How to compute a sum: the SQL to select, and the sum of its cells; null if no row has a number. */
export interface SumMethod {
  readonly selected: readonly string[];
  readonly sumOf: (cells: readonly ResultCell[]) => string | null;
}

/** The engine's own sum, which fails if it has too many digits. */
export const nativeSum = ({ name }: LookColumn): SumMethod => ({
  selected: [`sum(${sqlName(name)})::VARCHAR`],
  sumOf: ([sum]) => (sum === undefined || sum === null ? null : withoutZeros(sum)),
});

const DIGITS = 18;

/** A sum of numbers of any length: the engine sums groups of digits, which are combined here. */
export function sumInParts(column: LookColumn, { places, digits }: NumberLengths): SumMethod {
  const name = sqlName(column.name);
  const text = isNative(column) ? `${name}::VARCHAR` : name;
  const parts = Math.max(1, Math.ceil((digits + places) / DIGITS));
  const size = `replace(split_part(${text}, '.', 1), '-', '') || rpad(split_part(${text}, '.', 2), ${places}, '0')`;
  const all = `lpad(${size}, ${parts * DIGITS}, '0')`;
  const sign = `CASE WHEN ${text} LIKE '-%' THEN -1 ELSE 1 END`;
  const selected = Array.from({ length: parts }, (_, part) => {
    const digitsOf = `substring(${all}, ${part * DIGITS + 1}, ${DIGITS})::BIGINT::HUGEINT`;
    return `(sum(${sign} * ${digitsOf}) FILTER (${isNumber(text)}))::VARCHAR`;
  });
  const sumOf = (cells: readonly ResultCell[]): string | null => {
    const sums = cells.slice(0, parts);
    if (sums.every(sum => sum === null)) return null;
    const whole = sums.reduce((sum, part) => sum * 10n ** BigInt(DIGITS) + BigInt(part ?? '0'), 0n);
    return withoutZeros(atPlaces(whole, places));
  };
  return { selected, sumOf };
}

export interface NumberLengths {
  /** Most digits after the point. */
  readonly places: number;
  /** Most digits before the point. */
  readonly digits: number;
}

/** SQL for the lengths of the numbers in a column. */
export function lengthsSql(column: LookColumn): string {
  const text = isNative(column) ? `${sqlName(column.name)}::VARCHAR` : sqlName(column.name);
  const of = (part: number): string =>
    `coalesce(max(length(split_part(replace(${text}, '-', ''), '.', ${part}))) FILTER (${isNumber(text)}), 0)`;
  return `${of(2)}, ${of(1)}`;
}

const isNumber = (text: string): string => `regexp_full_match(${text}, '-?\\d+(\\.\\d+)?')`;

/** Whether the engine failed because a sum is too large. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof AnswerError && /overflow|out of range|could not cast|conversion/i.test(error.message);

function atPlaces(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const point = digits.length - places;
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${places === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** `1.500` is `1.5`. */
export const withoutZeros = (text: string): string =>
  /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '').replace(/^-0$/, '0') : text;
