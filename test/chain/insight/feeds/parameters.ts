import fc from 'fast-check';
import { expect } from 'vitest';
import {
  describeUnknownKey,
  knownParameter,
  type ParameterFact,
  removedParameter,
} from '../../../../src/chain/insight/parameter/known-parameter.ts';
import {
  PARAMETER_FACTS,
  parameterKeys,
  proposalLine,
  REMOVED_PARAMETERS,
} from '../../../../src/chain/insight/parameter/parameter-facts.ts';
import {
  boundsInWords,
  boundsWarning,
  parameterGroup,
  parameterMeaning,
  parameterSummary,
} from '../../../../src/chain/insight/parameter/parameter-meaning.ts';
import {
  type AmountUnit,
  guessUnit,
  memberUnit,
  type ParameterUnit,
  parameterType,
  parseUnit,
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

const fact: fc.Arbitrary<ParameterFact> = fc.record({
  ...{ kind: anyText, unit, byDefault: anyText, since: anyText, meaning: anyText, rule: anyText },
  effect: fc.constantFrom('deprecated', 'unused', 'locked', 'usual'),
  bounds: fc.record({ least: anyText, most: anyText, isAboveLeast: fc.boolean(), isBelowMost: fc.boolean() }),
});

const meaning = fc.oneof(
  fc.tuple(key, anyText, asset).map(given => parameterMeaning(...given)),
  fc.record({
    ...{ fact, unit, basis: fc.constantFrom('release', 'name', 'text'), inUnit: fc.constant(undefined) },
    words: anyText,
  }),
);

/** Of network parameters. */
export const PARAMETER_FEEDS: readonly Feed[] = [
  feed(boundsInWords, [fact, asset]),
  feed(boundsWarning, [meaning, anyText, asset]),
  feed(knownParameter, [key]),
  feed(removedParameter, [key]),
  feed(describeUnknownKey, [key]),
  feed(parameterSummary, [key, anyText]),
  feed(parameterGroup, [key], {
    check: ({ title, name }, [text]) => expect(title === '' ? name : `${title}.${name}`).toBe(text),
  }),
  feed(parameterMeaning, [key, anyText, asset]),
  feed(parameterType, [anyText]),
  feed(parseUnit, [anyText]),
  feed(guessUnit, [key]),
  feed(memberUnit, [anyText]),
  feed(proposalLine, [key]),
  feed(parameterKeys, [], { numRuns: 1, check: all => expect(new Set(all).size).toBe(all.length) }),
  feed(valueInUnit, [unit, anyText, asset], {
    check: result => expect(result?.value ?? '').toMatch(/^(?:true|false|-?\d+(?:\.\d+)?|)$/),
  }),
];
