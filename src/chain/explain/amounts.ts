import type { JsonObject } from '../api/json.ts';
import type { Unit } from '../directory/directory.ts';
import { groupDigits, toWholeUnits } from '../insight/decimal.ts';

/** An amount with every digit, in whole units if known, else in smallest units. */
export function amountInWords(raw: string, unit: Unit | undefined): string {
  if (raw === '') return 'an unknown amount';
  const whole = toWholeUnits(raw, 0);
  if (whole === undefined) return `${raw} (not an amount)`;
  const value = unit === undefined ? undefined : toWholeUnits(raw, unit.decimals);
  if (unit !== undefined && value !== undefined) return `${groupDigits(value)} ${unit.symbol}`;
  return whole === '1' ? '1 smallest unit' : `${groupDigits(whole)} smallest units`;
}

/** Amounts of one asset as a column: every digit, the decimal points below each other. */
export function alignAmounts(raws: readonly string[], unit: Unit | undefined): readonly string[] {
  const texts = raws.map(raw => {
    const value = unit === undefined ? undefined : toWholeUnits(raw, unit.decimals);
    const [whole = '', fraction = ''] = value?.split('.') ?? [];
    return unit === undefined || value === undefined
      ? { whole: amountInWords(raw, unit), fraction: null, unit: '' }
      : { whole: groupDigits(whole), fraction, unit: ` ${unit.symbol}` };
  });
  const places = texts.reduce((most, { fraction }) => Math.max(most, fraction?.length ?? 0), 0);
  const words = texts.map(({ whole, fraction, unit }) => {
    const digits = fraction === null || places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
    return `${digits}${unit}`;
  });
  const longest = words.reduce((most, text) => Math.max(most, text.length), 0);
  return words.map(text => text.padStart(Math.min(longest, MAX_AMOUNT_WIDTH)));
}

/** A node may send a text of any length as an amount. */
const MAX_AMOUNT_WIDTH = 40;

/** An amount in the JSON of an explanation; `value` is exact, and null with `symbol` if the unit is unknown. */
export const amountJson = (raw: string, unit: Unit | undefined): JsonObject => ({
  raw,
  value: unit === undefined ? null : (toWholeUnits(raw, unit.decimals) ?? null),
  symbol: unit?.symbol ?? null,
});

/** A share: its two exact numbers, and in percent to one place; null if unknown. */
export const shareJson = (numerator: string, denominator: string, percent: string): JsonObject | null =>
  percent === '' ? null : { numerator, denominator, percent };
