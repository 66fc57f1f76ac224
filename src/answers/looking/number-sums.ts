import { AnswerError } from '../engine/answer-error.ts';
import type { ResultCell } from '../engine/result-cell.ts';
import { sqlName } from '../engine/sql-text.ts';
import { isNative, type LookColumn } from './look.ts';

/** How a sum is asked for: what is selected, and what the cells of it come to; null where no row has a number. */
export interface SumWay {
  readonly selected: readonly string[];
  readonly sumOf: (cells: readonly ResultCell[]) => string | null;
}

/** By the engine, which says so when it has too many digits for it. */
export const nativeSum = ({ name }: LookColumn): SumWay => ({
  selected: [`sum(${sqlName(name)})::VARCHAR`],
  sumOf: ([sum]) => (sum === undefined || sum === null ? null : withoutZeros(sum)),
});

const DIGITS = 18;

/** Of numbers with any count of digits: in parts of so many, each added up, and put together here. */
export function sumInParts(column: LookColumn, { places, digits }: NumberLengths): SumWay {
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
  /** Behind the point, at most. */
  readonly places: number;
  /** Before it, at most. */
  readonly digits: number;
}

/** What is asked of a column to know how long its numbers are. */
export function lengthsSql(column: LookColumn): string {
  const text = isNative(column) ? `${sqlName(column.name)}::VARCHAR` : sqlName(column.name);
  const of = (part: number): string =>
    `coalesce(max(length(split_part(replace(${text}, '-', ''), '.', ${part}))) FILTER (${isNumber(text)}), 0)`;
  return `${of(2)}, ${of(1)}`;
}

const isNumber = (text: string): string => `regexp_full_match(${text}, '-?\\d+(\\.\\d+)?')`;

/** Whether it is that the engine cannot hold so large a sum. */
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
