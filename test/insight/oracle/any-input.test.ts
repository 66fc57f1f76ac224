import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { functionIn } from '../../../src/insight/oracle/abi.ts';
import { argumentText, wordInBase64 } from '../../../src/insight/oracle/argument.ts';
import { conditionText, filterText, meantValue, typeText } from '../../../src/insight/oracle/condition.ts';
import type { DataSource } from '../../../src/insight/oracle/data-source.ts';
import { normaliserText } from '../../../src/insight/oracle/normaliser.ts';
import { scheduleOf, scheduleText } from '../../../src/insight/oracle/schedule.ts';
import { sourceSentence, watchesSentence } from '../../../src/insight/oracle/sentence.ts';
import { canonicalSignature, declarationOf, selectorOf } from '../../../src/insight/oracle/signature.ts';
import { chainText } from '../../../src/insight/oracle/source-chain.ts';
import { dueTimes, standingOf } from '../../../src/insight/oracle/standing.ts';
import { readSeconds, timeAndDistance } from '../../../src/insight/oracle/unix-seconds.ts';

const number = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  number,
  fc.constantFrom('TYPE_INTEGER', 'TYPE_TIMESTAMP'),
);
const key = fc.record({ name: text, type: text, decimalPlaces: text });
const condition = fc.record({ operator: text, value: text });
const filters = fc.array(fc.record({ key, conditions: fc.array(condition) }));
const trigger = fc.record({ initial: text, every: text, until: text });
const signers = fc.array(fc.record({ kind: fc.constantFrom('key', 'address', 'other'), id: text }));
const normaliser = fc.record({ name: text, expression: text });
const source: fc.Arbitrary<DataSource> = fc.oneof(
  fc.record({
    ...{ variant: fc.constant('eth-oracle' as const), address: text, abi: text, method: text, args: fc.array(text) },
    ...{ triggers: fc.array(trigger), requiredConfirmations: text, sourceChainId: text },
    ...{ normalisers: fc.array(normaliser), filters },
  }),
  fc.record({ variant: fc.constant('oracle' as const), signers, filters }),
  fc.record({ variant: fc.constant('time' as const), conditions: fc.array(condition) }),
  fc.record({
    ...{ variant: fc.constant('time-trigger' as const), triggers: fc.array(trigger) },
    conditions: fc.array(condition),
  }),
);

// Half of what is tried is nearly an ABI.
const value: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        ...{ name: text, type: fc.oneof(text, fc.constantFrom('tuple', 'uint256', 'tuple[]', 'tuple[][2]')) },
        components: fc.array(tie('value'), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  ),
})).value;
const item = fc.record(
  {
    ...{ type: fc.constantFrom('function', 'event', null), name: fc.constantFrom('get', 'set', 'get0') },
    ...{ inputs: fc.oneof(fc.array(value), value), outputs: fc.oneof(fc.array(value), value) },
    stateMutability: fc.oneof(text, fc.constant('view')),
  },
  { requiredKeys: [] },
);
const abi = fc.oneof(
  text,
  fc.array(fc.oneof(item, fc.jsonValue())).map(items => JSON.stringify(items)),
);

describe('whatever a node sends', () => {
  it('a source, its keys, conditions and times are put into words', () => {
    fc.assert(
      fc.property(source, key, condition, (sent, about, holds) => {
        for (const words of [
          sourceSentence(sent),
          watchesSentence(sent),
          filterText({ key: about, conditions: [holds] }),
        ])
          expect(words).not.toBe('');
        for (const words of [conditionText(holds, about), meantValue(holds.value, about), typeText(about)])
          expect(typeof words).toBe('string');
      }),
    );
  });

  it('times are reckoned with', () => {
    fc.assert(
      fc.property(fc.array(trigger), fc.bigInt({ min: 0n, max: 2n ** 64n }), text, (triggers, now, sent) => {
        const schedules = triggers.map((one, index) => scheduleOf(one, index % 2 === 0 ? 'chain' : 'contract'));
        const timing = { schedules, now, since: readSeconds(sent) ?? 0n };
        const { last, next } = dueTimes(timing);
        expect(last === undefined || last <= now).toBe(true);
        expect(next === undefined || next > now).toBe(true);
        for (const time of [last, next]) if (time !== undefined) expect(timeAndDistance(time, now)).not.toBe('');
        for (const schedule of schedules) expect(scheduleText(schedule)).not.toBe('');
        for (const arrival of ['never', 'unknown', readSeconds(sent) ?? 0n] as const)
          expect(standingOf(timing, arrival, 60n).kind === 'nothing-due').toBe(last === undefined);
      }),
    );
  });

  it('an ABI, arguments and normalisers are read as far as they can be', () => {
    fc.assert(
      fc.property(
        abi,
        fc.constantFrom('get', 'get0', 'get1', 'get00', ''),
        text,
        normaliser,
        (sent, name, other, made) => {
          const method = functionIn(sent, name);
          expect(chainText(other)).not.toBe('');
          for (const type of ['bytes32', other]) expect(typeof argumentText(other, type)).toBe('string');
          expect(wordInBase64(other)?.length ?? 66).toBe(66);
          expect(normaliserText(made, undefined)).not.toBe('');
          if ('problem' in method) return;
          expect(normaliserText(made, method)).not.toBe('');
          expect(declarationOf(method)).not.toMatch(/\p{C}/u);
          const signature = canonicalSignature(method);
          if (signature !== undefined) expect(selectorOf(signature, keccak_256)).toMatch(/^0x[0-9a-f]{8}$/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('however much a node sends', () => {
  const MANY = 100_000;
  const within = (ms: number, work: () => void): void => {
    const start = performance.now();
    work();
    expect(performance.now() - start).toBeLessThan(ms);
  };

  it.each([
    ['functions of one name', Array.from({ length: MANY }, () => '{"name":"get"}').join(',')],
    [
      'functions of numbered names',
      Array.from({ length: MANY }, (_, index) => `{"name":"get${index}"},{"name":"get"}`).join(','),
    ],
    ['types', `{"name":"f","inputs":[${Array.from({ length: MANY }, () => '{"type":"uint256[][]"}').join(',')}]}`],
    ['brackets', `{"name":"f","inputs":[{"type":"uint256${'[1]'.repeat(1_700_000)}"}]}`],
    ['structures', `{"name":"f","inputs":[${'{"type":"tuple","components":['.repeat(5000)}${']}'.repeat(5000)}]}`],
    ['lists', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
    ['characters of a name', `{"name":"f","inputs":[{"type":"bool","name":"${'a'.repeat(5_000_000)}"}]}`],
  ])('an ABI of many %s is read in a moment', (_, items) => {
    within(3000, () => {
      for (const name of ['f', 'none']) {
        const method = functionIn(`[${items}]`, name);
        if ('problem' in method) continue;
        canonicalSignature(method);
        declarationOf(method);
      }
    });
  });

  it('filters, conditions, triggers and signers are put into words in a moment', () => {
    const one = {
      key: { name: 'p', type: 'TYPE_INTEGER', decimalPlaces: '18' },
      conditions: [{ operator: 'x', value: '1'.repeat(78) }],
    };
    const filters = Array.from({ length: MANY }, () => one);
    const conditions = filters.flatMap(filter => filter.conditions);
    const triggers = Array.from({ length: MANY }, (_, index) => ({ initial: String(index), every: '7', until: '' }));
    const signers = Array.from({ length: MANY }, () => ({ kind: 'key', id: '0e' }) as const);
    within(3000, () => {
      for (const sent of [
        { variant: 'oracle', signers, filters },
        { variant: 'time', conditions },
        { variant: 'time-trigger', triggers, conditions },
      ] as const) {
        sourceSentence(sent);
        watchesSentence(sent);
      }
      const schedules = triggers.map(trigger => scheduleOf(trigger, 'chain'));
      standingOf({ schedules, now: 10n ** 9n, since: 0n }, 'never', 60n);
    });
  });

  it('long texts are looked at once', () => {
    const long = ['1', 'a', '[', 'A', ' ', '$[0].a', '"'].map(part => part.repeat(5_000_000 / part.length));
    within(3000, () => {
      for (const given of long) {
        argumentText(given, 'bytes32');
        argumentText(JSON.stringify(given), 'bytes32');
        normaliserText({ name: '', expression: given }, undefined);
        conditionText({ operator: given, value: given }, { name: '', type: 'TYPE_INTEGER', decimalPlaces: given });
        conditionText({ operator: given, value: given }, { name: '', type: 'TYPE_TIMESTAMP', decimalPlaces: given });
        scheduleText(scheduleOf({ initial: given, every: given, until: given }, 'contract'));
      }
    });
  });
});
