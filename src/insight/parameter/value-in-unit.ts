import { groupDigits, plainDecimal, scaled } from '../decimal.ts';
import { durationInWords, readDuration } from '../duration.ts';
import type { ParameterUnit } from './parameter-unit.ts';

/** A value as an exact quantity. */
export interface ValueInUnit {
  /** A plain decimal number, ungrouped; `true` or `false` for a switch; '' for an amount with unknown decimals. */
  readonly value: string;
  /** `s`, `%`, `VEGA`, `blocks`; '' for plain numbers. */
  readonly symbol: string;
  /** For people: `365 d`, `66 %`, `10 000 VEGA`. */
  readonly words: string;
}

/** The unit of amounts of the reward asset. */
export interface AmountUnit {
  readonly symbol: string;
  readonly decimals: number;
}

/** A value in its unit; undefined if its text does not fit the unit or is not a number. */
export function valueInUnit(unit: ParameterUnit, text: string, asset: AmountUnit | undefined): ValueInUnit | undefined {
  switch (unit) {
    case 'duration':
      return durationOf(text);
    case 'fraction':
      return fractionOf(text);
    case 'asset-amount':
      return amountOf(text, asset);
    case 'boolean-int':
      return switchOf(text);
    case 'factor':
      return numberOf(text, 'x');
    case 'quantum':
      return numberOf(text, 'quantums');
    case 'blocks':
      return numberOf(text, 'blocks');
    case 'epochs':
      return numberOf(text, 'epochs');
    case 'levels':
      return numberOf(text, 'levels');
    case 'count':
    case 'none':
      return numberOf(text, '');
    case 'json':
    case 'id':
    case 'text':
      return undefined;
  }
}

function durationOf(text: string): ValueInUnit | undefined {
  const ns = readDuration(text);
  const seconds = ns === undefined ? undefined : scaled(String(ns), 9);
  return ns === undefined || seconds === undefined
    ? undefined
    : { value: seconds, symbol: 's', words: durationInWords(ns) };
}

function fractionOf(text: string): ValueInUnit | undefined {
  const percents = timesTenTo(text, 2);
  return percents === undefined ? undefined : inWords(percents, '%');
}

// Amounts are whole: a fraction of a smallest unit is shown as sent.
function amountOf(text: string, asset: AmountUnit | undefined): ValueInUnit | undefined {
  const whole = plainDecimal(text);
  if (whole === undefined) return undefined;
  const value = asset === undefined ? undefined : scaled(whole, asset.decimals);
  if (asset === undefined || value === undefined) return { value: '', symbol: '', words: smallest(whole) };
  return inWords(value, asset.symbol);
}

// Twenty grouped digits are no easier to read than the raw value.
const smallest = (whole: string): string =>
  whole.length > LONGEST_GROUPED
    ? 'smallest units'
    : whole === '1'
      ? '1 smallest unit'
      : `${groupDigits(whole)} smallest units`;

const LONGEST_GROUPED = 9;

function switchOf(text: string): ValueInUnit | undefined {
  if (text !== '0' && text !== '1') return undefined;
  return { value: String(text === '1'), symbol: '', words: text === '1' ? 'yes' : 'no' };
}

function numberOf(text: string, plural: string): ValueInUnit | undefined {
  const value = plainDecimal(text);
  return value === undefined ? undefined : inWords(value, value === '1' ? plural.replace(/s$/, '') : plural);
}

const inWords = (value: string, symbol: string): ValueInUnit => ({
  value,
  symbol,
  words: symbol === '' ? groupDigits(value) : `${groupDigits(value)} ${symbol}`,
});

function timesTenTo(text: string, power: number): string | undefined {
  const plain = plainDecimal(text);
  return plain === undefined ? undefined : plainDecimal(`${plain}e${power}`);
}
