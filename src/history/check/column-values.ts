import type { ColumnStorage } from '../../tables/columns.ts';
import type { DatabaseType } from '../../tables/table.ts';

/** Whether the bytes from `from` to `to` are a value that can stand in a column. They are not quoted. */
export type ValueCheck = (bytes: Uint8Array, from: number, to: number) => boolean;

/** What can stand in a column; undefined where any text can. */
export function valueCheck({ stored, mayBeNegative }: ColumnStorage): ValueCheck | undefined {
  const check = CHECKS[stored];
  if (check === undefined || mayBeNegative) return check;
  return (bytes, from, to) => bytes[from] !== MINUS && check(bytes, from, to);
}

/** What a value of a type is, as the end of a sentence. */
export function describeValue({ stored, mayBeNegative }: ColumnStorage): string {
  const words = WORDS[stored];
  return mayBeNegative || !NUMBERS.has(stored) ? words : `${words} from 0 up`;
}

const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;

const NUMBERS: ReadonlySet<DatabaseType> = new Set([
  ...(['hugeint', 'numeric', 'average', 'whole', 'double', 'bigint', 'integer', 'smallint'] as const),
]);

const WORDS: { readonly [stored in DatabaseType]: string } = {
  bytea: 'bytes (\\x and pairs of hexadecimal digits)',
  timestamp: 'a time',
  hugeint: 'a whole number',
  numeric: 'a decimal number',
  average: 'a decimal number',
  whole: 'a number',
  double: 'a number',
  bigint: 'a 64-bit whole number',
  integer: 'a 32-bit whole number',
  smallint: 'a 16-bit whole number',
  boolean: 't or f',
  text: 'a text',
  jsonb: 'JSON',
  label: 'a label',
};

const CHECKS: { readonly [stored in DatabaseType]: ValueCheck | undefined } = {
  bytea: isBytes,
  timestamp: isTime,
  hugeint: (bytes, from, to) => isWholeNumber(bytes, from, to, 1000),
  numeric: isDecimalText,
  average: isDecimalText,
  whole: isDecimalText,
  double: isFloat,
  bigint: (bytes, from, to) => isIntegerWithin(bytes, from, to, '9223372036854775808'),
  integer: (bytes, from, to) => isIntegerWithin(bytes, from, to, '2147483648'),
  smallint: (bytes, from, to) => isIntegerWithin(bytes, from, to, '32768'),
  boolean: (bytes, from, to) => to - from === 1 && (bytes[from] === 0x74 || bytes[from] === 0x66),
  text: undefined,
  jsonb: isJson,
  label: isLabel,
};

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

const HEX = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1;

function isBytes(bytes: Uint8Array, from: number, to: number): boolean {
  if ((to - from) % 2 !== 0 || bytes[from] !== 0x5c || bytes[from + 1] !== 0x78) return false;
  let all = 1;
  for (let at = from + 2; at < to; at++) all &= HEX[bytes[at] ?? 0] ?? 0;
  return all === 1;
}

function isWholeNumber(bytes: Uint8Array, from: number, to: number, mostDigits: number): boolean {
  const first = bytes[from] === MINUS ? from + 1 : from;
  if (first >= to || to - first > mostDigits) return false;
  for (let at = first; at < to; at++) if (!isDigit(bytes[at])) return false;
  return true;
}

/** Whether it is a whole number from `-limit` to `limit - 1`, which no string or BigInt has to be made for. */
function isIntegerWithin(bytes: Uint8Array, from: number, to: number, limit: string): boolean {
  if (!isWholeNumber(bytes, from, to, 19)) return false;
  const isNegative = bytes[from] === MINUS;
  let first = isNegative ? from + 1 : from;
  while (first < to && bytes[first] === ZERO) first++;
  if (to - first !== limit.length) return to - first < limit.length;
  for (let at = 0; at < limit.length; at++) {
    const difference = (bytes[first + at] ?? 0) - limit.charCodeAt(at);
    if (difference !== 0) return difference < 0;
  }
  return isNegative;
}

/** Digits with at most one point between them. */
function isDecimalText(bytes: Uint8Array, from: number, to: number): boolean {
  let point = from;
  while (point < to && bytes[point] !== POINT) point++;
  if (point === to) return isWholeNumber(bytes, from, to, MAX_DECIMAL_DIGITS);
  return isWholeNumber(bytes, from, point, MAX_DECIMAL_DIGITS) && isFraction(bytes, point + 1, to);
}

function isFraction(bytes: Uint8Array, from: number, to: number): boolean {
  return isDigit(bytes[from]) && isWholeNumber(bytes, from, to, MAX_DECIMAL_DIGITS);
}

/** Of a decimal in PostgreSQL. */
const MAX_DECIMAL_DIGITS = 131_072;

/** As PostgreSQL writes it: `0.5`, `1e+20`, `1.5e-07`. */
function isFloat(bytes: Uint8Array, from: number, to: number): boolean {
  return isDecimalText(bytes, from, to) || /^-?\d(?:\.\d+)?e[+-]\d{2,3}$/.test(decodeSlice(bytes, from, to));
}

/** `2023-01-18 01:12:09.934225+00`, in any time zone of a session. */
function isTime(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from < 22 || !isDay(bytes, from) || bytes[from + 10] !== 0x20 || !isClock(bytes, from + 11)) return false;
  const zone = bytes[from + 19] === POINT ? skipDigits(bytes, from + 20, 6) : from + 19;
  return zone > from + 18 && isOffset(bytes, zone, to);
}

/** `2023-01-18` */
function isDay(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return false;
  const year = readTwoDigits(bytes, at) * 100 + readTwoDigits(bytes, at + 2);
  const month = readTwoDigits(bytes, at + 5);
  const day = readTwoDigits(bytes, at + 8);
  return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** `12:09:59` */
const isClock = (bytes: Uint8Array, at: number): boolean =>
  readTwoDigits(bytes, at) < 24 &&
  bytes[at + 2] === COLON &&
  readTwoDigits(bytes, at + 3) < 60 &&
  bytes[at + 5] === COLON &&
  readTwoDigits(bytes, at + 6) < 60;

/** The place after one digit or more; 0 if there is none, or there are too many. */
function skipDigits(bytes: Uint8Array, from: number, most: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at === from || at - from > most ? 0 : at;
}

/** `+00`, `+05:30`, `-04:56:02` */
function isOffset(bytes: Uint8Array, at: number, to: number): boolean {
  if ((bytes[at] !== MINUS && bytes[at] !== 0x2b) || readTwoDigits(bytes, at + 1) > 15) return false;
  for (let end = at + 3; end <= at + 9; end += 3) {
    if (end === to) return true;
    if (bytes[end] !== COLON || readTwoDigits(bytes, end + 1) > 59) return false;
  }
  return false;
}

/** Greater than any two digits. Without arrays or NaN: it is called ten times for each time of an export. */
const NOT_TWO_DIGITS = 10_000;

/** The number of two digits; NO_PAIR for anything else. */
function readTwoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - ZERO;
  const ones = (bytes[at + 1] ?? 0) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NOT_TWO_DIGITS;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Only its ends are looked at: parsing all of it would take longer than everything else. */
function isJson(bytes: Uint8Array, from: number, to: number): boolean {
  const [first, last] = [bytes[from], bytes[to - 1]];
  if (first === 0x7b) return last === 0x7d && to - from > 1;
  if (first === 0x5b) return last === 0x5d && to - from > 1;
  if (first === 0x22) return last === 0x22 && to - from > 1;
  return /^(?:null|true|false|-?\d+(?:\.\d+)?)$/.test(decodeSlice(bytes, from, Math.min(to, from + 1000)));
}

/** `STATUS_OPEN` */
function isLabel(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (!(byte >= 0x41 && byte <= 0x5a) && byte !== 0x5f && !isDigit(byte)) return false;
  }
  return to > from;
}

const decodeSlice = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.max(0, to - from)).toString('latin1');
