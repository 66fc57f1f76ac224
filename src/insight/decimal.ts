/** A plain decimal number: sign, integer digits, fraction digits. Text only; nothing is rounded. */
interface Decimal {
  readonly sign: '' | '-';
  readonly integer: string;
  readonly fraction: string;
}

/** Digits in groups of three: `1 250 000.5`. Anything that is no plain decimal number stays as it is. */
export function groupDigits(text: string): string {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const grouped = decimal.integer.replace(/\B(?=(\d{3})+$)/g, ' ');
  return `${decimal.sign}${grouped}${decimal.fraction === '' ? '' : `.${decimal.fraction}`}`;
}

/** A factor as a percentage, exactly: `0.001` is `0.1 %`. */
export function percent(text: string): string {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const fraction = decimal.fraction.padEnd(2, '0');
  const integer = `${decimal.integer}${fraction.slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(2).replace(/0+$/, '');
  return `${decimal.sign}${integer}${rest === '' ? '' : `.${rest}`} %`;
}

/** Order of two decimal numbers of any size; what is no number sorts before all numbers, by its text. */
export function compareDecimals(left: string, right: string): number {
  const a = readDecimal(left);
  const b = readDecimal(right);
  if (a === undefined || b === undefined) return a === b ? compareText(left, right) : a === undefined ? -1 : 1;
  const places = Math.max(a.fraction.length, b.fraction.length);
  const difference = scaled(a, places) - scaled(b, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function readDecimal(text: string): Decimal | undefined {
  const [, sign, integer = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if ((integer === '' && fraction === '') || text.length > 1100) return undefined;
  return { sign: sign === '-' ? '-' : '', integer: integer === '' ? '0' : integer, fraction };
}

const scaled = (decimal: Decimal, places: number): bigint =>
  BigInt(`${decimal.sign}${decimal.integer}${decimal.fraction.padEnd(places, '0')}`);
