import type { JsonObject } from '../api/json.ts';
import type { Unit } from '../directory/directory.ts';
import { scaled } from '../insight/decimal.ts';

/** An amount as every explanation has it; `value` is exact, and null with `symbol` where the unit is not known. */
export const amountJson = (raw: string, unit: Unit | undefined): JsonObject => ({
  raw,
  value: unit === undefined ? null : (scaled(raw, unit.decimals) ?? null),
  symbol: unit?.symbol ?? null,
});

/** A part of a whole: the two numbers that say it exactly, and in percent to one place; null where it is not known. */
export const shareJson = (numerator: string, denominator: string, percent: string): JsonObject | null =>
  percent === '' ? null : { numerator, denominator, percent };
