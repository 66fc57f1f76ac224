/** A plain decimal number: sign, integer digits, fraction digits. Text only; nothing is rounded. */
interface Decimal {
  readonly sign: '' | '-';
  readonly integer: string;
  readonly fraction: string;
}

/** Digits in groups of three: `1 250 000.5`. Anything but a plain decimal number is not changed. */
export function groupDigits(text: string): string {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const grouped = decimal.integer.replace(/\B(?=(\d{3})+$)/g, ' ');
  return `${decimal.sign}${grouped}${decimal.fraction === '' ? '' : `.${decimal.fraction}`}`;
}

/**
 * A number in at most `cells` characters: whole, or with its fraction cut, or its first digits and its magnitude
 * (`9.6\u2026 x 10^26`). If even that has no room, only a mark; the same for other text.
 */
export function fitDigits(text: string, cells: number): string {
  const whole = groupDigits(text);
  if (whole.length <= cells) return whole;
  const [integer = '', fraction] = whole.split('.');
  if (fraction !== undefined && integer.length + 2 <= cells) return `${whole.slice(0, cells - 1)}\u2026`;
  const [, sign = '', first = '', digits = ''] = /^(-?)0*(\d)(\d*)(?:\.\d+)?$/.exec(text) ?? [];
  const magnitude = `\u2026 x 10^${digits.length}`;
  const room = cells - sign.length - 2 - magnitude.length;
  return digits === '' || room < 0 ? '\u2026' : `${sign}${first}.${digits.slice(0, room)}${magnitude}`;
}

/** A factor as an exact percentage: `0.001` is `0.1 %`. */
export function percent(text: string): string {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const fraction = decimal.fraction.padEnd(2, '0');
  const integer = `${decimal.integer}${fraction.slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(2).replace(/0+$/, '');
  return `${decimal.sign}${integer}${rest === '' ? '' : `.${rest}`} %`;
}

/**
 * Smallest units as whole ones, exact and without trailing zeros: `3905000` with 6 decimals is `3.905`. Negative decimals
 * multiply. Undefined if the value is not a whole number or the decimals are out of range.
 */
export function toWholeUnits(value: string, decimals: number): string | undefined {
  if (!/^-?\d+$/.test(value) || value.length > MAX_DIGITS) return undefined;
  if (!Number.isInteger(decimals) || Math.abs(decimals) > MAX_PLACES) return undefined;
  const [, sign = '', digits = ''] = /^(-?)0*(\d+)$/.exec(value) ?? [];
  const shifted = decimals <= 0 ? digits.padEnd(digits.length - decimals, '0') : digits.padStart(decimals + 1, '0');
  const point = shifted.length - Math.max(0, decimals);
  return plain({ sign: sign === '-' ? '-' : '', integer: shifted.slice(0, point), fraction: shifted.slice(point) });
}

/** Rounded half to even, with exactly that many decimal places. Undefined for anything but a decimal number. */
export function roundDecimal(text: string, places: number): string | undefined {
  const decimal = readDecimal(text);
  if (decimal === undefined || !Number.isInteger(places) || places < 0 || places > MAX_PLACES) return undefined;
  const more = Math.max(0, decimal.fraction.length - places);
  return withPlaces(divideRounded(asInteger(decimal, places + more), 10n ** BigInt(more)), places);
}

/** One decimal number divided by the other, rounded as above; undefined if either is not a number or the divisor is 0. */
export function quotient(dividend: string, divisor: string, places: number): string | undefined {
  const [one, other] = [readDecimal(dividend), readDecimal(divisor)];
  if (one === undefined || other === undefined || !Number.isInteger(places)) return undefined;
  if (places < 0 || places > MAX_PLACES) return undefined;
  const alike = Math.max(one.fraction.length, other.fraction.length);
  const by = asInteger(other, alike);
  return by === 0n ? undefined : withPlaces(divideRounded(asInteger(one, alike + places), by), places);
}

/** A number as nodes accept it (`.5`, `+1`, `1e-8`) in plain notation without extra zeros; undefined for other text. */
export function plainDecimal(text: string): string | undefined {
  const [, sign = '', integer = '', fraction = '', power = '0'] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,3}))?$/.exec(text) ?? [];
  const exponent = Number(power);
  if (integer + fraction === '' || text.length > MAX_DIGITS || Math.abs(exponent) > MAX_PLACES) return undefined;
  return toWholeUnits(`${sign === '-' ? '-' : ''}${integer}${fraction}`, fraction.length - exponent);
}

/** Order of two decimal numbers of any size; other text sorts before all numbers. */
export function compareDecimals(left: string, right: string): number {
  const a = readDecimal(left);
  const b = readDecimal(right);
  if (a === undefined || b === undefined) return a === b ? compareText(left, right) : a === undefined ? -1 : 1;
  const places = Math.max(a.fraction.length, b.fraction.length);
  const difference = asInteger(a, places) - asInteger(b, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A sort key consistent with compareDecimals, which decides ties. */
export const decimalRank = (text: string): number =>
  readDecimal(text) === undefined ? Number.NEGATIVE_INFINITY : Number(text);

/** A sort key consistent with compareText, which decides ties. */
export const textRank = (text: string): number =>
  codeUnitAt(text, 0) * 2 ** 32 + codeUnitAt(text, 1) * 2 ** 16 + codeUnitAt(text, 2);

const codeUnitAt = (text: string, index: number): number => (index < text.length ? text.charCodeAt(index) : 0);

export const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function readDecimal(text: string): Decimal | undefined {
  const [, sign, integer = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if ((integer === '' && fraction === '') || text.length > MAX_NUMBER_LENGTH) return undefined;
  return { sign: sign === '-' ? '-' : '', integer: integer === '' ? '0' : integer, fraction };
}

const asInteger = (decimal: Decimal, places: number): bigint =>
  BigInt(`${decimal.sign}${decimal.integer}${decimal.fraction.padEnd(places, '0')}`);

/** Integer division, rounded half to even. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor;
  const twice = magnitude(2n * (dividend % divisor)) - magnitude(divisor);
  if (twice < 0n || (twice === 0n && whole % 2n === 0n)) return whole;
  return whole + (dividend < 0n === divisor < 0n ? 1n : -1n);
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The value times 10^-places as text; never `-0`. */
function withPlaces(value: bigint, places: number): string {
  const digits = String(magnitude(value)).padStart(places + 1, '0');
  const point = digits.length - places;
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${places === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** As text without extra zeros. */
function plain({ sign, integer, fraction }: Decimal): string {
  const [whole, rest] = [integer.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')];
  const digits = rest === '' ? whole : `${whole}.${rest}`;
  return digits === '0' ? digits : `${sign}${digits}`;
}

// Longer text is not treated as a number.
const MAX_NUMBER_LENGTH = 1100;

// 2^256 has 78 digits and a token at most 255 decimals; their combination must still be a number.
const MAX_DIGITS = 300;

const MAX_PLACES = 300;

/** How amounts of unknown unit are written in one column: all in the same power of ten. */
export interface ColumnScale {
  /** 0: unscaled. Shown in the heading: `x 10^18`. */
  readonly exponent: number;
  /** Decimal places. */
  readonly places: number;
  /** Whether digits are left out of any; shown in the heading. */
  readonly isRounded: boolean;
}

const UNSCALED: ColumnScale = { exponent: 0, places: 0, isRounded: false };

/**
 * The scale of a column of smallest units. Anything but whole numbers is ignored. The amounts may be of several assets:
 * the median sets it, since the largest would leave no digit of most others.
 */
export function columnScale(values: readonly string[]): ColumnScale {
  const numbers = values.flatMap(value => toWholeUnits(value, 0) ?? []);
  const lengths = numbers.filter(number => number !== '0').map(number => number.replace('-', '').length);
  const digits = lengths.toSorted((one, other) => one - other)[Math.floor((lengths.length - 1) / 2)] ?? 0;
  if (digits <= MAX_UNSCALED_DIGITS) return UNSCALED;
  const exponent = 3 * Math.floor((digits - MIN_SCALED_DIGITS) / 3);
  const fractions = numbers.map(number => (toWholeUnits(number, exponent)?.split('.')[1] ?? '').length);
  const needed = fractions.reduce((most, length) => Math.max(most, length), 0);
  return { exponent, places: Math.min(needed, MAX_SCALED_PLACES), isRounded: needed > MAX_SCALED_PLACES };
}

// 1 250 000 000 000 still reads as a number.
const MAX_UNSCALED_DIGITS = 13;

const MIN_SCALED_DIGITS = 4;

const MAX_SCALED_PLACES = 3;
