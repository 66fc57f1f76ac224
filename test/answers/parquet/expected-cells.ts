import type { ParquetTable } from '../../../src/answers/parquet/parquet-manifest.ts';
import type { DatabaseType } from '../../../src/tables/table.ts';
import type { Value } from './export-zip.ts';
import type { Cell } from './three-readers.ts';

/** What a text of a CSV is in Parquet, reckoned here with whole numbers alone; undefined where it does not fit. */
export function cellOf(text: Value, type: string): Cell | undefined {
  if (text === null) return null;
  const scale = /^DECIMAL\(38,(\d+)\)$/.exec(type)?.[1];
  if (scale !== undefined) return decimalCell(text, Number(scale));
  switch (type) {
    case 'VARCHAR':
      return text;
    case 'BLOB':
      return /^\\x(?:[0-9a-f]{2})*$/.test(text) ? text.slice(2) : undefined;
    case 'TIMESTAMP':
      return microseconds(text);
    case 'BOOLEAN':
      return { t: 'true', f: 'false' }[text];
    case 'BIGINT':
      return integerCell(text, 64);
    case 'INTEGER':
      return integerCell(text, 32);
    case 'SMALLINT':
      return integerCell(text, 16);
    default:
      return undefined;
  }
}

function integerCell(text: string, bits: number): string | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(bits, value) === value ? String(value) : undefined;
}

function decimalCell(text: string, scale: number): string | undefined {
  const digits = digitsOf(text);
  if (digits === undefined || digits.exponent < -scale) return undefined;
  const value = digits.value * 10n ** BigInt(digits.exponent + scale);
  return (value < 0n ? -value : value) < 10n ** 38n ? String(value) : undefined;
}

/** A number as a whole number times a power of ten, without zeros at its end. */
export function digitsOf(text: string): { readonly value: bigint; readonly exponent: number } | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  let value = BigInt(`${whole}${fraction}`);
  let exponent = Number(power) - fraction.length;
  if (value === 0n) return { value, exponent: 0 };
  for (; value % 10n === 0n; exponent++) value /= 10n;
  return { value: sign === '-' ? -value : value, exponent };
}

function microseconds(text: string): string | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/.exec(
    text,
  );
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const ms = new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(9, 12).map(part => Number(part ?? 0));
  const offset = (match[8] === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds);
  return String(BigInt(ms - offset * 1000) * 1000n + BigInt((match[7] ?? '').padEnd(6, '0')));
}

/** The type that a column of these texts has to have. */
export function expectedType(stored: DatabaseType, texts: readonly Value[]): string {
  const usual = USUAL_TYPES[stored];
  return texts.every(text => cellOf(text, usual) !== undefined) ? usual : 'VARCHAR';
}

const USUAL_TYPES: { readonly [stored in DatabaseType]: string } = {
  bytea: 'BLOB',
  timestamp: 'TIMESTAMP',
  hugeint: 'DECIMAL(38,0)',
  numeric: 'DECIMAL(38,18)',
  average: 'DECIMAL(38,10)',
  whole: 'DECIMAL(38,0)',
  double: 'DECIMAL(38,30)',
  bigint: 'BIGINT',
  integer: 'INTEGER',
  smallint: 'SMALLINT',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
  label: 'VARCHAR',
  jsonb: 'VARCHAR',
};

/** Sums of the columns whose sums are kept, reckoned with whole numbers. */
export function sumsOf({ columns, files }: ParquetTable): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {};
  for (const { sums: ofFile } of files)
    for (const [name, text] of Object.entries(ofFile)) {
      const scale = Number(/,(\d+)\)$/.exec(columns.find(column => column.name === name)?.type ?? '')?.[1] ?? 0);
      const [whole = '', fraction = ''] = text.split('.');
      if (fraction.length !== scale) throw new Error(`${name}: ${text} has not ${scale} decimals`);
      sums[name] = (sums[name] ?? 0n) + BigInt(`${whole}${fraction}`);
    }
  return sums;
}
