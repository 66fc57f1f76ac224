import fc from 'fast-check';
import { expect } from 'vitest';
import {
  PARAMETER_FACTS,
  parameterKeys,
  REMOVED_PARAMETERS,
} from '../../../../src/chain/insight/parameter/parameter-facts.ts';
import { parameterGroup } from '../../../../src/chain/insight/parameter/parameter-meaning.ts';
import {
  type AmountUnit,
  type ParameterUnit,
  valueInUnit,
} from '../../../../src/chain/insight/parameter/parameter-unit.ts';
import { anyNumber, anyText } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const keys = `${PARAMETER_FACTS}${REMOVED_PARAMETERS}`
  .split('\n')
  .map(line => line.slice(0, line.indexOf(' ')))
  .filter(name => name !== '');

const key = fc.oneof(anyText, fc.constantFrom(...keys));

const unit: fc.Arbitrary<ParameterUnit> = fc.constantFrom(
  ...(['duration', 'fraction', 'factor', 'asset-amount', 'quantum', 'boolean-int', 'count'] as const),
  ...(['blocks', 'epochs', 'levels', 'json', 'id', 'text', 'none'] as const),
);

const asset: fc.Arbitrary<AmountUnit | undefined> = fc.option(fc.record({ symbol: anyText, decimals: anyNumber }), {
  nil: undefined,
});

/** Of network parameters. */
export const PARAMETER_FEEDS: readonly Feed[] = [
  feed(parameterGroup, [key], {
    check: ({ title, name }, [text]) => expect(title === '' ? name : `${title}.${name}`).toBe(text),
  }),
  feed(parameterKeys, [], { numRuns: 1, check: all => expect(new Set(all).size).toBe(all.length) }),
  feed(valueInUnit, [unit, anyText, asset], {
    check: result => expect(result?.value ?? '').toMatch(/^(?:true|false|-?\d+(?:\.\d+)?|)$/),
  }),
];
