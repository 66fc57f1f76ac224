import type { JsonObject } from '../api/json.ts';
import type { Unit } from '../directory/directory.ts';
import { scaled } from '../insight/decimal.ts';

/** An amount in the JSON of an explanation; `value` is exact, and null with `symbol` if the unit is unknown. */
export const amountJson = (raw: string, unit: Unit | undefined): JsonObject => ({
  raw,
  value: unit === undefined ? null : (scaled(raw, unit.decimals) ?? null),
  symbol: unit?.symbol ?? null,
});

/** A share: its two exact numbers, and in percent to one place; null if unknown. */
export const shareJson = (numerator: string, denominator: string, percent: string): JsonObject | null =>
  percent === '' ? null : { numerator, denominator, percent };
