import type { Unit } from '../directory/directory.ts';
import { groupDigits, roundDecimal, toWholeUnits } from '../insight/decimal.ts';

/** An amount for a sentence: at most two decimal places, or smallest units while its decimals are unknown. */
export function amountText(raw: string, unit: Unit | undefined): string {
  const value = unit === undefined ? undefined : toWholeUnits(raw, unit.decimals);
  if (unit === undefined || value === undefined) return `${groupDigits(raw) || 'an unknown number of'} smallest units`;
  const short = value.includes('.') ? (roundDecimal(value, 2) ?? value) : value;
  return `${groupDigits(/^-?0\.00$/.test(short) ? value : short)} ${unit.symbol}`;
}
