import type { JsonObject } from '../api/json.ts';
import type { Unit } from '../directory/directory.ts';
import { groupDigits, scaled } from '../insight/decimal.ts';

/** An amount with every digit, in whole units if known, else in smallest units. */
export function amountInWords(raw: string, unit: Unit | undefined): string {
  if (raw === '') return 'an unknown amount';
  const whole = scaled(raw, 0);
  if (whole === undefined) return `${raw} (not an amount)`;
  const value = unit === undefined ? undefined : scaled(raw, unit.decimals);
  if (unit !== undefined && value !== undefined) return `${groupDigits(value)} ${unit.symbol}`;
  return whole === '1' ? '1 smallest unit' : `${groupDigits(whole)} smallest units`;
}

/** An amount in the JSON of an explanation; `value` is exact, and null with `symbol` if the unit is unknown. */
export const amountJson = (raw: string, unit: Unit | undefined): JsonObject => ({
  raw,
  value: unit === undefined ? null : (scaled(raw, unit.decimals) ?? null),
  symbol: unit?.symbol ?? null,
});

/** A share: its two exact numbers, and in percent to one place; null if unknown. */
export const shareJson = (numerator: string, denominator: string, percent: string): JsonObject | null =>
  percent === '' ? null : { numerator, denominator, percent };
