import { describe, expect, it } from 'vitest';
import { conditionText, filterText, readableValue, typeText } from '../../../../src/chain/insight/oracle/condition.ts';

const key = (type: string, decimalPlaces = '') => ({ name: 'p', type: `TYPE_${type}`, decimalPlaces });

describe('Oracle condition in words', () => {
  it.each([
    ['EQUALS', '= 1'],
    ['GREATER_THAN', '> 1'],
    ['GREATER_THAN_OR_EQUAL', '≥ 1'],
    ['LESS_THAN', '< 1'],
    ['LESS_THAN_OR_EQUAL', '≤ 1'],
    ['FROM_THE_FUTURE', 'OPERATOR_FROM_THE_FUTURE 1'],
  ])('A condition has a sign for the operator %s, or its name', (operator, words) => {
    expect(conditionText({ operator: `OPERATOR_${operator}`, value: '1' }, key('INTEGER'))).toBe(words);
  });

  it.each([
    ['INTEGER', '18', '1', '0.000000000000000001'],
    ['INTEGER', '18', '340282366920938463463374607431768211455', '340 282 366 920 938 463 463.374607431768211455'],
    ['INTEGER', '5', '-4300050000', '-43 000.5'],
    ['INTEGER', '0', '007', '7'],
    ['INTEGER', '', '1000', '1 000'],
    ['INTEGER', '18446744073709551615', '1000', '1 000'],
    ['INTEGER', '18', '1.5', '1.5'],
    ['INTEGER', '18', 'x', 'x'],
    // Only integers are scaled.
    ['DECIMAL', '18', '1000.5', '1 000.5'],
    ['UNSPECIFIED', '18', '1700000000', '1700000000'],
    ['TIMESTAMP', '', '1700000000', '2023-11-14 22:13:20 UTC'],
    ['TIMESTAMP', '9', '0', '0'],
    ['TIMESTAMP', '', '-5', '-5 (not a date)'],
    ['TIMESTAMP', '', '495000000000', '495000000000 (not a date)'],
    ['TIMESTAMP', '', '9223372036854775807', '9223372036854775807 (not a date)'],
    ['TIMESTAMP', '', 'soon', 'soon'],
    ['STRING', '', 'USDETH', 'USDETH'],
    ['STRING', '', '', '""'],
    ['STRING', '', 'a, b', '"a, b"'],
    ['BOOLEAN', '', 'True', 'True'],
  ])('A condition of TYPE_%s with %j decimals shows %j as %s', (type, decimals, value, words) => {
    expect(conditionText({ operator: 'OPERATOR_EQUALS', value }, key(type, decimals))).toBe(`= ${words}`);
  });

  it('A condition with a value is exact, whatever its size', () => {
    const digits = '1'.repeat(78);
    expect(readableValue(digits, key('INTEGER', '18'))).toBe(`${digits.slice(0, 60)}.${digits.slice(60)}`);
  });

  it('A condition follows the name of its property, and all conditions that must hold are joined', () => {
    const [more, less] = [
      { operator: 'OPERATOR_GREATER_THAN', value: '0' },
      { operator: 'OPERATOR_LESS_THAN', value: '9' },
    ];
    expect(filterText({ key: key('INTEGER'), conditions: [more, less] })).toBe('p > 0 and < 9');
    expect(filterText({ key: key('EMPTY'), conditions: [] })).toBe('p');
    expect(filterText({ key: { ...key('EMPTY'), name: '' }, conditions: [] })).toBe('an unnamed value');
  });
});

it.each([
  ['TYPE_INTEGER', '18', 'integer, 18 decimals'],
  ['TYPE_INTEGER', '1', 'integer, 1 decimal'],
  ['TYPE_EMPTY', '', 'any type'],
  ['TYPE_UNSPECIFIED', '', 'type not given'],
  ['', '', 'type not given'],
  ['TYPE_NEW', '', 'new'],
])('The oracle value type %s with %j decimals is shown as %s', (type, decimalPlaces, words) => {
  expect(typeText({ name: '', type, decimalPlaces })).toBe(words);
});
