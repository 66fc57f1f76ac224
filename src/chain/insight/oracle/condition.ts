import { groupDigits, toWholeUnits } from '../decimal.ts';
import type { Condition, Property, PropertyFilter } from './data-source.ts';
import { readSeconds, secondsToUtc } from './unix-seconds.ts';

/** A filter in words: `price > 0 and ≤ 43 000.5`; only the name if any value will do. */
export const filterText = ({ key, conditions }: PropertyFilter): string =>
  [key.name === '' ? 'an unnamed value' : key.name, ...conditionsText(conditions, key)].join(' ');

/** The same as a requirement: `price, any value` if any value will do. */
export const requirementText = (filter: PropertyFilter): string =>
  filter.conditions.length === 0 ? `${filterText(filter)}, any value` : filterText(filter);

const conditionsText = (conditions: readonly Condition[], key: Property): readonly string[] =>
  conditions.length === 0 ? [] : [conditions.map(condition => conditionText(condition, key)).join(' and ')];

/** `≥ 2023-11-14 22:13:20 UTC`; an unknown operator keeps its name. */
export const conditionText = ({ operator, value }: Condition, key: Property): string =>
  `${Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : operator} ${valueText(value, key)}`;

/** A property value for readers: integers with their decimals, timestamps as times, other text unchanged. */
export function valueText(value: string, key: Property): string {
  const meant = readableValue(value, key);
  if (key.type === 'TYPE_INTEGER' || key.type === 'TYPE_DECIMAL') return groupDigits(meant);
  return AMBIGUOUS.test(meant) && meant === value ? JSON.stringify(meant) : meant;
}

/**
 * The same without grouping. Decimals apply only to integers: a TYPE_DECIMAL has its decimal point already, and the core
 * does not move it.
 */
export function readableValue(value: string, { type, decimalPlaces }: Property): string {
  if (type === 'TYPE_INTEGER' && /^\d{1,3}$/.test(decimalPlaces))
    return toWholeUnits(value, Number(decimalPlaces)) ?? value;
  if (type !== 'TYPE_TIMESTAMP') return value;
  const seconds = readSeconds(value);
  return seconds === undefined ? value : secondsToUtc(seconds);
}

/** `integer, 18 decimals`. */
export function typeText({ type, decimalPlaces }: Property): string {
  const name = type.replace(/^TYPE_/, '').toLowerCase();
  const words = name === 'empty' ? 'any type' : name === '' || name === 'unspecified' ? 'type not given' : name;
  return decimalPlaces === '' ? words : `${words}, ${decimalPlaces} ${decimalPlaces === '1' ? 'decimal' : 'decimals'}`;
}

/** The property that built-in timestamps are compared as. */
export const CHAIN_TIME_PROPERTY: Property = { name: 'chain time', type: 'TYPE_TIMESTAMP', decimalPlaces: '' };

// Needs quotes to show where the value ends.
const AMBIGUOUS = /^$|[\s",]/;

const OPERATORS: { readonly [name: string]: string } = {
  OPERATOR_EQUALS: '=',
  OPERATOR_GREATER_THAN: '>',
  OPERATOR_GREATER_THAN_OR_EQUAL: '≥',
  OPERATOR_LESS_THAN: '<',
  OPERATOR_LESS_THAN_OR_EQUAL: '≤',
};
