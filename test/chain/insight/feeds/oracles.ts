import fc from 'fast-check';
import { expect } from 'vitest';
import { loadKeccak } from '../../../../src/chain/insight/keccak.ts';
import {
  type AbiFunction,
  type AbiValue,
  decodeBase64Word,
  normaliserText,
} from '../../../../src/chain/insight/oracle/abi.ts';
import { type DataArrival, newestArrivals } from '../../../../src/chain/insight/oracle/arrival.ts';
import { filterText, requirementText, typeText } from '../../../../src/chain/insight/oracle/condition.ts';
import { chainText, type DataSource } from '../../../../src/chain/insight/oracle/data-source.ts';
import { computeDelivery, dueTimes } from '../../../../src/chain/insight/oracle/delivery.ts';
import { functionDeclaration, functionSelector } from '../../../../src/chain/insight/oracle/function-signature.ts';
import {
  briefSchedule,
  lastDue,
  nextDue,
  type Schedule,
  scheduleText,
  triggerSchedule,
} from '../../../../src/chain/insight/oracle/schedule.ts';
import { sourceSentence, watchesSentence } from '../../../../src/chain/insight/oracle/source-sentence.ts';
import { deliveryByArrival } from '../../../../src/chain/insight/oracle/spec-delivery.ts';
import {
  distanceText,
  periodInWords,
  roughPeriod,
  secondsToUtc,
  timeAndDistance,
} from '../../../../src/chain/insight/oracle/unix-seconds.ts';
import { anyBigint, anyText, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const key = fc.record({ name: anyText, type: anyText, decimalPlaces: anyText });
const condition = fc.record({ operator: anyText, value: anyText });
const conditions = some(condition);
const filter = fc.record({ key, conditions });
const filters = some(filter);
const trigger = fc.record({ initial: anyText, every: anyText, until: anyText });
const triggers = some(trigger);
const signers = some(fc.record({ kind: fc.constantFrom('key', 'address', 'other'), id: anyText }));
const normaliser = fc.record({ name: anyText, expression: anyText });
const source: fc.Arbitrary<DataSource> = fc.oneof(
  fc.record({
    ...{ variant: fc.constant('eth-oracle'), address: anyText, abi: anyText, method: anyText, args: some(anyText) },
    ...{ triggers, requiredConfirmations: anyText, sourceChainId: anyText, normalisers: some(normaliser), filters },
  }),
  fc.record({ variant: fc.constant('oracle'), signers, filters }),
  fc.record({ variant: fc.constant('time'), conditions }),
  fc.record({ variant: fc.constant('time-trigger'), triggers, conditions }),
  fc.record({ variant: fc.constant('none') }),
);

const clock = fc.constantFrom('mainnet', 'contract', 'chain');
// What repeats does so after a second or more: `every` of 0 is one time.
const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.tuple(trigger, clock).map(([sent, by]) => triggerSchedule(sent, by)),
  fc.record({ kind: fc.constantFrom('once', 'exactly'), at: anyBigint }),
  fc.record({
    ...{ kind: fc.constant('every'), from: anyBigint, every: fc.bigInt({ min: 1n, max: 2n ** 70n }) },
    until: fc.option(anyBigint, { nil: undefined }),
    lastOne: fc.option(anyBigint, { nil: undefined }),
  }),
);
const timing = fc.record({ schedules: some(schedule), now: anyBigint, since: anyBigint });
const arrival = fc.oneof(anyBigint, fc.constantFrom('never', 'unknown'));

const arrived: fc.Arbitrary<DataArrival> = fc.record({
  ...{ broadcastAt: anyText, signers, values: some(fc.record({ name: anyText, value: anyText })) },
  ...{ sourceTime: anyText, sourceHeight: anyText, error: anyText },
});

const type = fc.oneof(
  anyText,
  fc.constantFrom('tuple', 'uint256', 'tuple[]', 'tuple[][2]', 'int7', 'bytes33', 'uint08'),
);
const valuesOf = (components: fc.Arbitrary<AbiValue[]>): fc.Arbitrary<AbiValue[]> =>
  fc.array(fc.record({ name: anyText, type, components }), { maxLength: 3 });
const values = valuesOf(valuesOf(valuesOf(fc.constant([]))));
const method: fc.Arbitrary<AbiFunction> = fc.record({
  ...{ name: anyText, inputs: values, outputs: values },
  mutability: fc.oneof(anyText, fc.constant('view')),
});

const notEmpty = { check: (words: string): void => expect(words).not.toBe('') };

const heard = fc.record({
  ...{ source, schedules: some(schedule), since: anyBigint, heardAt: anyBigint, saysBlockTime: fc.boolean() },
});

/** Of oracle specs. */
export const ORACLE_FEEDS: readonly Feed[] = [
  feed(decodeBase64Word, [anyText], { check: word => expect(word?.length ?? 66).toBe(66) }),
  feed(filterText, [filter], notEmpty),
  feed(requirementText, [filter], notEmpty),
  feed(typeText, [key], notEmpty),
  feed(normaliserText, [normaliser, fc.option(method, { nil: undefined })], notEmpty),
  feed(lastDue, [schedule, anyBigint], {
    check: (last, [, now]) => expect(last === undefined || last <= now).toBe(true),
  }),
  feed(nextDue, [schedule, anyBigint], {
    check: (next, [, now]) => expect(next === undefined || next > now).toBe(true),
  }),
  feed(scheduleText, [schedule], notEmpty),
  feed(briefSchedule, [schedule], notEmpty),
  feed(sourceSentence, [source], { ...notEmpty }),
  feed(watchesSentence, [source], { ...notEmpty }),
  feed(functionSelector, [anyText, fc.constant(await loadKeccak())], {
    check: selector => expect(selector).toMatch(/^0x[0-9a-f]{8}$/),
  }),
  feed(functionDeclaration, [method], { check: words => expect(words).not.toMatch(/\p{C}/u) }),
  feed(chainText, [anyText], notEmpty),
  feed(dueTimes, [timing], {
    check: ({ last, next }, [{ now }]) =>
      expect((last === undefined || last <= now) && (next === undefined || next > now)).toBe(true),
  }),
  feed(computeDelivery, [timing, arrival, anyBigint], {
    check: ({ kind }, [times]) => expect(kind === 'nothing-due').toBe(dueTimes(times).last === undefined),
  }),
  feed(newestArrivals, [some(arrived), fc.boolean()], {
    check: ({ value, errors }, [data]) =>
      expect(errors.length + Number(value !== undefined)).toBeLessThanOrEqual(data.length),
  }),
  feed(deliveryByArrival, [heard, arrival], {
    check: ({ kind }, [{ saysBlockTime }]) =>
      expect(saysBlockTime || !['overdue', 'awaited'].includes(kind)).toBe(true),
  }),
  feed(secondsToUtc, [anyBigint], notEmpty),
  feed(distanceText, [anyBigint, anyBigint], notEmpty),
  feed(timeAndDistance, [anyBigint, anyBigint], notEmpty),
  feed(periodInWords, [anyBigint], notEmpty),
  feed(roughPeriod, [anyBigint], notEmpty),
];
