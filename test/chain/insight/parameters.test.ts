import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDecimal } from '../../../src/chain/insight/decimal.ts';
import {
  knownParameter,
  type ParameterFact,
  removedParameter,
} from '../../../src/chain/insight/parameter/known-parameter.ts';
import { PARAMETER_FACTS, REMOVED_PARAMETERS } from '../../../src/chain/insight/parameter/parameter-facts.ts';
import {
  boundsInWords,
  boundsWarning,
  parameterGroup,
  parameterMeaning,
  parameterSummary,
} from '../../../src/chain/insight/parameter/parameter-meaning.ts';
import { guessUnit, type ParameterType, parameterType } from '../../../src/chain/insight/parameter/parameter-unit.ts';
import { createChain } from '../../../src/node/demo/chain.ts';
import { demoParameters } from '../../../src/node/demo/network-parameters.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const VEGA = { symbol: 'VEGA', decimals: 18 };

const PROPOSALS = ['asset', 'freeform', 'market', 'transfer', 'updateNetParam', 'AutomatedPurchaseConfig'];

const PROPOSAL_PARAMETERS = [
  'maxClose',
  'maxEnact',
  'minClose',
  'minEnact',
  'minProposerBalance',
  'minVoterBalance',
  'requiredMajority',
  'requiredParticipation',
];

/** Every key with a line, and some that each kind of proposal has. */
const KEYS = [
  ...PARAMETER_FACTS.trim()
    .split('\n')
    .map(line => line.split(' | ')[0] ?? ''),
  ...PROPOSALS.flatMap(kind => PROPOSAL_PARAMETERS.map(name => `governance.proposal.${kind}.${name}`)),
];

const facts: readonly (readonly [key: string, fact: ParameterFact])[] = KEYS.flatMap(key => {
  const fact = knownParameter(key);
  return fact === undefined ? [] : [[key, fact]];
});

describe('Known network parameters', () => {
  it('A known parameter exists for every key in the list, and for those of each kind of proposal', () => {
    expect(facts.length).toBe(KEYS.length - 2);
    expect(knownParameter('governance.proposal.freeform.maxEnact')).toBeUndefined();
    expect(new Set(KEYS).size).toBe(KEYS.length - 2);
  });

  it.each(facts)('The entry for the parameter %s is complete', (_key, fact) => {
    expect(fact.kind).toMatch(/^(?:uint|int|decimal|duration|json|string)$/);
    expect(fact.unit).not.toBe('none');
    expect(fact.since).toMatch(/^v0\.\d\d\.\d+$/);
    expect(fact.meaning).toMatch(/^[A-Z].{10,99}\.$/);
    expect(fact.meaning).not.toMatch(/\ba [aeio]/);
  });

  // An empty time is no time, and the asset's name is the one that the code has.
  it.each(facts)('The entry for the parameter %s fits its own default, and its bounds are read', (key, fact) => {
    const { byDefault, bounds, unit, kind } = fact;
    if (kind !== 'json') {
      const meaning = parameterMeaning(key, byDefault);
      expect(meaning).toMatchObject({ unit, basis: 'release' });
      expect(boundsWarning(meaning, byDefault)).toBe('');
    }
    for (const bound of [bounds.least, bounds.most])
      if (bound !== '') expect(parameterMeaning(key, bound).unit).toBe(unit);
    expect(boundsInWords(fact) === '').toBe(bounds.least === '' && bounds.most === '');
  });

  it('The unit of a parameter is guessed correctly from most names, and wrongly from none', () => {
    const guesses = facts.map(([key, { unit }]) => [guessUnit(key), unit]);
    expect(guesses.filter(([guess, unit]) => guess !== undefined && guess !== unit)).toEqual([]);
    expect(guesses.filter(([guess]) => guess !== undefined).length).toBeGreaterThan(facts.length * 0.9);
  });

  it('A removed parameter is reported with the releases that had it, and nothing more', () => {
    const gone = REMOVED_PARAMETERS.trim()
      .split('\n')
      .map(line => line.split(' | ')[0] ?? '');
    expect(gone.length).toBe(22);
    for (const key of gone) {
      expect(knownParameter(key), key).toBeUndefined();
      expect(parameterSummary(key, '1')).toMatch(
        /: only (?:the )?releases? v0\.\d+\.\d+(?: to v0\.\d+\.\d+)? had this key/,
      );
    }
    expect(removedParameter('validators.epoch.length')).toBeUndefined();
    expect(removedParameter('governance.vote.asset | 0.28.0')).toBeUndefined();
  });

  it('The known parameters cover every parameter of the embedded node', () => {
    const unknown = demoParameters(createChain({ seed: '1', startedMs: 1e9 })).filter(
      ([key]) => knownParameter(key) === undefined,
    );
    expect(unknown).toEqual([]);
  });
});

describe('Value of a network parameter', () => {
  it.each([
    ['validators.epoch.length', '24h0m0s', '1 d'],
    ['governance.proposal.VolumeDiscountProgram.maxClose', '8760h0m0s', '365 d'],
    ['governance.proposal.VolumeDiscountProgram.minProposerBalance', '10000000000000000000000', '10 000 VEGA'],
    ['governance.proposal.VolumeDiscountProgram.requiredMajority', '0.66', '66 %'],
    ['market.liquidity.minimum.probabilityOfTrading.lpOrders', '1e-8', '0.000001 %'],
    ['market.liquidity.bondPenaltyParameter', '.1', '0.1 x'],
    ['market.liquidityProvision.minLpStakeQuantumMultiple', '100', '100 quantums'],
    ['spam.protection.minimumWithdrawalQuantumMultiple', '1', '1 quantum'],
    ['ethereum.oracles.enabled', '1', 'yes'],
    ['ethereum.oracles.enabled', '0', 'no'],
    ['ethereum.oracles.enabled', '2', '2'],
    ['limits.markets.maxPeggedOrders', '1500', '1 500'],
    ['snapshot.interval.length', '1000', '1 000 blocks'],
    ['rewards.team.minEpochsInTeam', '1', '1 epoch'],
    ['market.liquidity.maxAmmCalculationLevels', '100', '100 levels'],
    ['market.monitor.price.defaultParameters', '{"triggers": [{}, {}]}', 'triggers: 2'],
    ['market.margin.scalingFactors', '{"search_level": 1.1, "initial_margin": 1.2}', '2 members'],
    ['spam.pow.hashFunction', 'sha3_24_rounds', ''],
    ['limits.assets.proposeEnabledFrom', '', ''],
    ['reward.asset', 'ab'.repeat(32), ''],
    // No public release has these.
    ['bridge.new.windowLength', '1.5h', '1 h 30 min'],
    ['bridge.new.feeFraction', '0.05', '5 %'],
    ['bridge.new.min.tokens', '2000000000000000000', '2 VEGA'],
    ['bridge.new.thing', '12345', '12 345'],
    ['bridge.new.feeFraction', '5s', '5 s'],
    ['bridge.new.feeFraction', '{"a": [1]}', 'a: 1'],
    ['bridge.new.feeFraction', 'some words', ''],
    ['bridge.new.Enabled', '7', '7'],
    ['thing', '7', '7'],
    ['', '', ''],
  ])('The value of %s %j is "%s" in words', (key, value, words) =>
    expect(parameterMeaning(key, value, VEGA).words).toBe(words),
  );

  it.each([
    ['5', '5 smallest units'],
    ['1', '1 smallest unit'],
    ['123456789', '123 456 789 smallest units'],
    ['10000000000000000000000', '10^22 smallest units'],
    ['1250000000000000000', '125 x 10^16 smallest units'],
    ['12345678901234567890', '12 345 678 901 234 567 890 smallest units'],
  ])('The value %s is in smallest units while the decimals of its asset are unknown', (value, words) => {
    const meaning = parameterMeaning('spam.protection.voting.min.tokens', value);
    expect(meaning).toMatchObject({ words, inUnit: { value: '', symbol: '' } });
  });

  it('The value of a parameter says its basis: a release, the name of its key, or only its text', () => {
    const basis = (key: string, value: string) => parameterMeaning(key, value).basis;
    expect(basis('validators.epoch.length', '1h')).toBe('release');
    expect(basis('validators.epoch.length', 'soon')).toBe('text');
    expect(basis('new.feeFraction', '0.5')).toBe('name');
    expect(basis('new.feeFraction', 'x')).toBe('text');
    expect(basis('new.thing', '5s')).toBe('text');
  });

  it.each([
    ['validators.epoch.length', '999ms', '1 s to 10 d 15 h'],
    ['validators.epoch.length', '256h', '1 s to 10 d 15 h'],
    ['validators.vote.required', '0', 'more than 0 %, at most 100 %'],
    ['validators.vote.required', '1.01', 'more than 0 %, at most 100 %'],
    [
      'spam.protection.minimumWithdrawalQuantumMultiple',
      '1000000',
      'more than 0 quantums, less than 1 000 000 quantums',
    ],
    ['spam.protection.max.votes', '0', 'at least 1'],
    ['spam.protection.voting.min.tokens', '0', 'at least 1 smallest unit'],
  ])('The value of %s that is %s is reported as outside of its bounds, with care', (key, value, bounds) => {
    const problem = boundsWarning(parameterMeaning(key, value, VEGA), value, VEGA);
    expect(problem).toContain(`outside what a vote may set in v0.79.0: ${bounds};`);
    expect(problem).toContain('the chain may have started with it');
  });

  it.each([
    ['validators.epoch.length', '1s'],
    ['validators.epoch.length', '255h'],
    ['validators.vote.required', '1'],
    ['spam.protection.minimumWithdrawalQuantumMultiple', '999999.999'],
    ['validators.epoch.length', 'soon'],
    ['new.feeFraction', '5'],
  ])('The value of %s that is %s is not reported as outside of its bounds', (key, value) =>
    expect(boundsWarning(parameterMeaning(key, value), value)).toBe(''),
  );

  it('The value of a parameter in its unit is as exact as it arrived', () => {
    const number = fc.record({
      digits: fc.bigInt({ min: 0n, max: 10n ** 40n }),
      exponent: fc.integer({ min: -20, max: 20 }),
    });
    fc.assert(
      fc.property(number, ({ digits, exponent }) => {
        const { inUnit } = parameterMeaning('new.feeFraction', `${digits}e${exponent}`);
        expect(inUnit?.value).toBe(plainDecimal(`${digits}e${exponent + 2}`));
        const amount = parameterMeaning('new.min.tokens', String(digits), VEGA).inUnit;
        expect(amount?.value).toBe(plainDecimal(`${digits}e-18`));
      }),
    );
  });

  it('The value of a parameter and its key may be any text: nothing is thrown', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(...KEYS),
      fc.json(),
      fc.constantFrom('__proto__', 'constructor'),
    );
    fc.assert(
      fc.property(text, text, (key, value) => {
        parameterMeaning(key, value);
        parameterMeaning(`governance.proposal.${key}.maxClose`, value, VEGA);
        parameterMeaning(key, value, { symbol: value, decimals: 1e9 });
      }),
    );
  });

  it('The value of a parameter and its key may have megabytes, and take no time', () => {
    const before = cpuMs();
    for (const long of ['max'.repeat(1e6), 'a.'.repeat(1e6), '1'.repeat(3e6), `{"a":[${'1,'.repeat(1e6)}1]}`]) {
      parameterMeaning(long, long);
      expect(parameterSummary(long, long).length).toBeLessThan(400);
      expect(parameterGroup(long)).toEqual({ title: '', name: long });
    }
    expect(cpuMs() - before).toBeLessThan(2000);
  });
});

// The compiler keeps the list complete: a type that no value has is none.
const EXAMPLES: { readonly [type in ParameterType]: string } = {
  integer: '7',
  decimal: '0.5',
  duration: '10s',
  time: '2026-10-01T00:00:00Z',
  json: '[]',
  boolean: 'false',
  id: '0f'.repeat(32),
  address: `0x${'0f'.repeat(20)}`,
  text: 'words',
  empty: '',
};

describe('Type of a value', () => {
  it.each([
    ['8760h0m0s', 'duration'],
    ['1m', 'duration'],
    ['1h30m0.5s', 'duration'],
    ['500ms', 'duration'],
    ['-1h0m0s', 'duration'],
    ['0s', 'duration'],
    ['75s', 'duration'],
    ['1m5s', 'duration'],
    ['12.125s', 'duration'],
    ['.1', 'decimal'],
    ['1e-8', 'decimal'],
    ['-5', 'integer'],
    ['2023-10-01T00:00:00Z', 'time'],
    ['ab'.repeat(32), 'id'],
    [`0x${'ab'.repeat(20)}`, 'address'],
    ['{"a":1}', 'json'],
    ['{no json}', 'text'],
    ['true', 'boolean'],
    ['', 'empty'],
    ['some words', 'text'],
  ])('The value %s has the type %s', (value, type) => {
    expect(parameterType(value)).toBe(type);
  });

  it.each(Object.entries(EXAMPLES))('The examples have a value of type %s', (type, value) => {
    expect(parameterType(value)).toBe(type);
  });
});
