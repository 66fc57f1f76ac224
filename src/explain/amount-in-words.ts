import type { Unit } from '../directory/directory.ts';
import { groupDigits, scaled } from '../insight/decimal.ts';

/** An amount in words, every digit of it: in whole units where those are known, else in smallest ones. */
export function amountInWords(raw: string, unit: Unit | undefined): string {
  if (raw === '') return 'an amount that the node does not say';
  const whole = scaled(raw, 0);
  if (whole === undefined) return `${raw}, which is no amount`;
  const value = unit === undefined ? undefined : scaled(raw, unit.decimals);
  if (unit !== undefined && value !== undefined) return `${groupDigits(value)} ${unit.symbol}`;
  return whole === '1' ? '1 smallest unit' : `${groupDigits(whole)} smallest units`;
}
