import type { ColumnStorage } from '../../tables/columns.ts';
import type { DatabaseType } from '../../tables/table.ts';

/** The values allowed in a column. Bytes are given without quotes, and the check reads none from `to` on. */
export interface ValueCheck {
  /** Whether the bytes from `from` to `to` are a value. */
  readonly isValue: (bytes: DataView, from: number, to: number) => boolean;
  /** Where the longest value at `from` ends, or -1. Missing where a value does not show its end. */
  readonly endOf?: ValueEnd;
}

type ValueEnd = (bytes: DataView, from: number, to: number) => number;

/** The values allowed in a column; undefined if any text is allowed. */
export function valueCheck({ stored, mayBeNegative }: ColumnStorage): ValueCheck | undefined {
  const check = CHECKS[stored];
  if (check === undefined || mayBeNegative) return check;
  const { isValue, endOf } = check;
  return {
    isValue: (bytes, from, to) => !isMinus(bytes, from, to) && isValue(bytes, from, to),
    ...(endOf && { endOf: (bytes, from, to) => (isMinus(bytes, from, to) ? -1 : endOf(bytes, from, to)) }),
  };
}

/** What a value of a type is, as the end of a sentence. */
export function describeValue({ stored, mayBeNegative }: ColumnStorage): string {
  const words = WORDS[stored];
  return mayBeNegative || !NUMBERS.has(stored) ? words : `${words} from 0 up`;
}

const SPACE = 0x20;
const PLUS = 0x2b;
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

const untilEnd = (endOf: ValueEnd): ValueCheck => ({
  isValue: (bytes, from, to) => endOf(bytes, from, to) === to,
  endOf,
});

const CHECKS: { readonly [stored in DatabaseType]: ValueCheck | undefined } = {
  bytea: untilEnd(bytesEnd),
  timestamp: untilEnd(timeEnd),
  hugeint: untilEnd((bytes, from, to) => wholeNumberEnd(bytes, from, to, 1000)),
  numeric: untilEnd(decimalEnd),
  average: untilEnd(decimalEnd),
  whole: untilEnd(decimalEnd),
  double: { isValue: isFloat, endOf: decimalEnd },
  bigint: untilEnd((bytes, from, to) => integerEnd(bytes, from, to, '9223372036854775808')),
  integer: untilEnd((bytes, from, to) => integerEnd(bytes, from, to, '2147483648')),
  smallint: untilEnd((bytes, from, to) => integerEnd(bytes, from, to, '32768')),
  boolean: { isValue: (bytes, from, to) => to - from === 1 && [0x74, 0x66].includes(bytes.getUint8(from)) },
  text: undefined,
  jsonb: { isValue: isJson },
  label: untilEnd(labelEnd),
};

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

const isMinus = (bytes: DataView, at: number, to: number): boolean => at < to && bytes.getUint8(at) === MINUS;

/** 1 for each byte that is a hexadecimal digit. */
const HEX = new Uint8Array(2 ** 8);
/** 1 for each 16-bit number of two such bytes. Ids are most of an export, so they are read four digits at a time. */
const TWO_HEX = new Uint8Array(2 ** 16);
const HEX_DIGITS = Buffer.from('0123456789abcdefABCDEF');
for (const one of HEX_DIGITS) {
  HEX[one] = 1;
  for (const other of HEX_DIGITS) TWO_HEX[one * 2 ** 8 + other] = 1;
}

const BACKSLASH_X = 0x5c78;

function bytesEnd(bytes: DataView, from: number, to: number): number {
  if (to - from < 2 || bytes.getUint16(from) !== BACKSLASH_X) return -1;
  let at = from + 2;
  for (; at + 4 <= to; at += 4) {
    const four = bytes.getUint32(at);
    if (((TWO_HEX[four >>> 16] ?? 0) & (TWO_HEX[four & 0xffff] ?? 0)) === 0) break;
  }
  while (at < to && HEX[bytes.getUint8(at)] === 1) at++;
  return (at - from) % 2 === 0 ? at : -1;
}

function wholeNumberEnd(bytes: DataView, from: number, to: number, mostDigits: number): number {
  const first = isMinus(bytes, from, to) ? from + 1 : from;
  return digitsEnd(bytes, first, to, mostDigits);
}

/** The place after one digit or more; -1 if there is none, or there are too many. */
function digitsEnd(bytes: DataView, from: number, to: number, most: number): number {
  let at = from;
  while (at < to && isDigit(bytes.getUint8(at))) at++;
  return at === from || at - from > most ? -1 : at;
}

/** The end of a whole number from `-limit` to `limit - 1`, which no string or BigInt has to be made for. */
function integerEnd(bytes: DataView, from: number, to: number, limit: string): number {
  const end = wholeNumberEnd(bytes, from, to, 19);
  const isNegative = isMinus(bytes, from, to);
  let first = isNegative ? from + 1 : from;
  while (first < end && bytes.getUint8(first) === ZERO) first++;
  if (end - first !== limit.length) return end - first < limit.length ? end : -1;
  for (let at = 0; at < limit.length; at++) {
    const difference = bytes.getUint8(first + at) - limit.charCodeAt(at);
    if (difference !== 0) return difference < 0 ? end : -1;
  }
  return isNegative ? end : -1;
}

/** The end of digits with at most one point between them. */
function decimalEnd(bytes: DataView, from: number, to: number): number {
  const point = wholeNumberEnd(bytes, from, to, MAX_DECIMAL_DIGITS);
  if (point < 0 || point === to || bytes.getUint8(point) !== POINT) return point;
  return digitsEnd(bytes, point + 1, to, MAX_DECIMAL_DIGITS);
}

/** Of a decimal in PostgreSQL. */
const MAX_DECIMAL_DIGITS = 131_072;

/** As PostgreSQL writes it: `0.5`, `1e+20`, `1.5e-07`. */
function isFloat(bytes: DataView, from: number, to: number): boolean {
  return decimalEnd(bytes, from, to) === to || /^-?\d(?:\.\d+)?e[+-]\d{2,3}$/.test(decodeSlice(bytes, from, to));
}

/** `2023-01-18 01:12:09.934225+00`, in any time zone of a session. */
function timeEnd(bytes: DataView, from: number, to: number): number {
  if (to - from < 22 || !isDay(bytes, from) || bytes.getUint8(from + 10) !== SPACE || !isClock(bytes, from + 11))
    return -1;
  const zone = bytes.getUint8(from + 19) === POINT ? digitsEnd(bytes, from + 20, to, 6) : from + 19;
  return zone < 0 ? -1 : offsetEnd(bytes, zone, to);
}

/** `2023-01-18` */
function isDay(bytes: DataView, at: number): boolean {
  if (bytes.getUint8(at + 4) !== MINUS || bytes.getUint8(at + 7) !== MINUS) return false;
  const year = readTwoDigits(bytes, at) * 100 + readTwoDigits(bytes, at + 2);
  const month = readTwoDigits(bytes, at + 5);
  const day = readTwoDigits(bytes, at + 8);
  return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** `12:09:59` */
const isClock = (bytes: DataView, at: number): boolean =>
  readTwoDigits(bytes, at) < 24 &&
  bytes.getUint8(at + 2) === COLON &&
  readTwoDigits(bytes, at + 3) < 60 &&
  bytes.getUint8(at + 5) === COLON &&
  readTwoDigits(bytes, at + 6) < 60;

/** The end of `+00`, `+05:30` or `-04:56:02`. */
function offsetEnd(bytes: DataView, from: number, to: number): number {
  let end = from + 3;
  if (end > to || (!isMinus(bytes, from, to) && bytes.getUint8(from) !== PLUS)) return -1;
  if (readTwoDigits(bytes, from + 1) > 15) return -1;
  while (end < from + 9 && end + 3 <= to && bytes.getUint8(end) === COLON && readTwoDigits(bytes, end + 1) < 60)
    end += 3;
  return end;
}

/** Greater than any two digits. Without arrays or NaN: it is called ten times for each time of an export. */
const NOT_TWO_DIGITS = 10_000;

/** The number of two digits; NOT_TWO_DIGITS for anything else. */
function readTwoDigits(bytes: DataView, at: number): number {
  const tens = bytes.getUint8(at) - ZERO;
  const ones = bytes.getUint8(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NOT_TWO_DIGITS;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Only its ends are checked: parsing all of the value would take longer than everything else. */
function isJson(bytes: DataView, from: number, to: number): boolean {
  if (from >= to) return false;
  const [first, last] = [bytes.getUint8(from), bytes.getUint8(to - 1)];
  if (first === 0x7b) return last === 0x7d && to - from > 1;
  if (first === 0x5b) return last === 0x5d && to - from > 1;
  if (first === 0x22) return last === 0x22 && to - from > 1;
  return /^(?:null|true|false|-?\d+(?:\.\d+)?)$/.test(decodeSlice(bytes, from, Math.min(to, from + 1000)));
}

/** The end of `STATUS_OPEN`. */
function labelEnd(bytes: DataView, from: number, to: number): number {
  let at = from;
  while (at < to && isLabelByte(bytes.getUint8(at))) at++;
  return at === from ? -1 : at;
}

const isLabelByte = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || isDigit(byte);

const decodeSlice = ({ buffer, byteOffset }: DataView, from: number, to: number): string =>
  Buffer.from(buffer, byteOffset + from, Math.max(0, to - from)).toString('latin1');
