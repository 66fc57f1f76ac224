import { expect, it } from 'vitest';
import { condition, type DataSource, sourceSentence } from '../../src/insight/data-source.ts';

const above = { operator: 'OPERATOR_GREATER_THAN', value: '0' };
const below = { operator: 'OPERATOR_LESS_THAN_OR_EQUAL', value: '9' };
const price = { name: 'price', conditions: [above, below] };
const time = { name: 'time', conditions: [] };
const call = { variant: 'eth-oracle', method: 'f', address: '0x0c', every: '', filters: [] } as const;

it.each<readonly [DataSource, string]>([
  [call, 'call f() on 0x0c'],
  [{ ...call, every: '3600' }, 'call f() on 0x0c, every 1 h'],
  [{ ...call, filters: [price, time] }, 'call f() on 0x0c: price > 0 ≤ 9, time'],
  [{ variant: 'oracle', signers: ['0e'], filters: [] }, 'any data signed by 0e'],
  [{ variant: 'oracle', signers: ['0e', '0f'], filters: [time] }, 'time signed by 2 signers'],
  [{ variant: 'time', conditions: [] }, 'chain time any'],
  [{ variant: 'time', conditions: [above, below] }, 'chain time > 0, ≤ 9'],
  [{ variant: 'time-trigger', every: '', conditions: [] }, 'chain time trigger'],
  [{ variant: 'time-trigger', every: '60', conditions: [] }, 'chain time, every 1 min'],
  [{ variant: 'time-trigger', every: '60', conditions: [above, below] }, 'chain time, every 1 min > 0 ≤ 9'],
  [{ variant: 'none' }, 'no data source'],
])('the data source %j delivers: %s', (source, sentence) => {
  expect(sourceSentence(source)).toBe(sentence);
});

it.each([
  ['EQUALS', '= 1'],
  ['GREATER_THAN', '> 1'],
  ['GREATER_THAN_OR_EQUAL', '≥ 1'],
  ['LESS_THAN', '< 1'],
  ['LESS_THAN_OR_EQUAL', '≤ 1'],
  ['FROM_THE_FUTURE', 'OPERATOR_FROM_THE_FUTURE 1'],
])('the condition of the operator %s reads %s', (operator, words) => {
  expect(condition({ operator: `OPERATOR_${operator}`, value: '1' })).toBe(words);
});
