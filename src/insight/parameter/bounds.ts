import { compareDecimals, plainDecimal, scaled } from '../decimal.ts';
import { readDuration } from '../duration.ts';
import { type Bounds, FACTS_OF, type ParameterFact } from './known-parameter.ts';
import type { ParameterMeaning } from './parameter-meaning.ts';
import type { ParameterUnit } from './parameter-unit.ts';
import { type AmountUnit, valueInUnit } from './value-in-unit.ts';

/** What a vote may set, in words: `1 s to 365 d`, `more than 0 %, at most 100 %`, `at least 1`; '' without bounds. */
export function boundsInWords({ unit, bounds }: ParameterFact, asset?: AmountUnit): string {
  const { least, most, isAboveLeast, isBelowMost } = bounds;
  const words = (bound: string): string => boundInWords(unit, bound, asset);
  if (least !== '' && most !== '' && !isAboveLeast && !isBelowMost) return `${words(least)} to ${words(most)}`;
  return [
    least === '' ? '' : `${isAboveLeast ? 'more than' : 'at least'} ${words(least)}`,
    most === '' ? '' : `${isBelowMost ? 'less than' : 'at most'} ${words(most)}`,
  ]
    .filter(text => text !== '')
    .join(', ');
}

/** Says that no vote could have set the value; '' if one could. A chain may start with values that are not checked. */
export function outsideOfBounds({ fact, basis }: ParameterMeaning, value: string, asset?: AmountUnit): string {
  if (fact === undefined || basis !== 'release' || !isOutside(fact.unit, fact.bounds, value)) return '';
  const bounds = boundsInWords(fact, asset);
  return `outside what a vote may set in ${FACTS_OF}: ${bounds}; the chain may have started with it, or its node has other bounds`;
}

// `at least 0.000000000000000001` would make the reader count zeros.
function boundInWords(unit: ParameterUnit, bound: string, asset: AmountUnit | undefined): string {
  const isSmall = unit === 'asset-amount' && compareDecimals(bound, '1000000') < 0;
  return valueInUnit(unit, bound, isSmall ? undefined : asset)?.words ?? bound;
}

function isOutside(unit: ParameterUnit, { least, most, isAboveLeast, isBelowMost }: Bounds, text: string): boolean {
  const value = comparable(unit, text);
  if (value === undefined) return false;
  const order = (bound: string): number => compareDecimals(value, comparable(unit, bound) ?? '0');
  const isTooLittle = least !== '' && (isAboveLeast ? order(least) <= 0 : order(least) < 0);
  return isTooLittle || (most !== '' && (isBelowMost ? order(most) >= 0 : order(most) > 0));
}

function comparable(unit: ParameterUnit, text: string): string | undefined {
  if (unit !== 'duration') return plainDecimal(text);
  const ns = readDuration(text);
  return ns === undefined ? undefined : scaled(String(ns), 0);
}
