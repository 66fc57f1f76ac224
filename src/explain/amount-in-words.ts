import type { Unit } from '../directory/directory.ts';
import { groupDigits, scaled } from '../insight/decimal.ts';

/** An amount in words, every digit of it: in whole units where those are known, else in smallest ones. */
export function amountInWords(raw: string, unit: Unit | undefined): string {
  const value = unit === undefined ? undefined : scaled(raw, unit.decimals);
  return value === undefined || unit === undefined
    ? `${groupDigits(raw)} smallest units`
    : `${groupDigits(value)} ${unit.symbol}`;
}
