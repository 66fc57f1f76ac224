import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lastDue,
  nextDue,
  scheduleText,
  scheduleWarning,
  triggerSchedule,
} from '../../../../src/chain/insight/oracle/schedule.ts';

const trigger = (initial: string, every = '', until = '') => ({ initial, every, until });
const contract = (initial: string, every = '', until = '') =>
  triggerSchedule(trigger(initial, every, until), 'contract');

/** The core's rule, from the times of a block and of the one before it. */
function firesAt(sent: { initial: number; every: number; until: number }, before: number, block: number): boolean {
  const { initial, every, until } = sent;
  if (block < initial) return false;
  if (before < initial) return true;
  if (until !== 0 && block > until) return false;
  return Math.floor((block - initial) / every) > Math.floor((before - initial) / every);
}

describe('Due times of a trigger', () => {
  it.each([
    // initial, every, until, now, last, next
    ['100', '', '', 99n, undefined, 100n],
    ['100', '', '', 100n, 100n, undefined],
    ['100', '0', '0', 500n, 100n, undefined],
    ['100', '10', '', 99n, undefined, 100n],
    ['100', '10', '', 100n, 100n, 110n],
    ['100', '10', '', 119n, 110n, 120n],
    ['100', '10', '', 120n, 120n, 130n],
    ['100', '10', '130', 129n, 120n, 130n],
    ['100', '10', '130', 130n, 130n, undefined],
    ['100', '10', '135', 999n, 130n, undefined],
    // The first time counts though it is behind the end.
    ['100', '10', '50', 60n, undefined, 100n],
    ['100', '10', '50', 500n, 100n, undefined],
    ['', '10', '', 25n, 20n, 30n],
    ['0', '10', '', 25n, 20n, 30n],
    ['18446744073709551615', '1', '', 5n, undefined, 18446744073709551615n],
    ['', '', '', 5n, undefined, undefined],
    ['x', '1', '', 5n, undefined, undefined],
    ['1', '-1', '', 5n, undefined, undefined],
  ])('A trigger from %j every %j until %j, at %s: last %s, next %s', (initial, every, until, now, last, next) => {
    const schedule = contract(initial, every, until);
    expect([lastDue(schedule, now), nextDue(schedule, now)]).toEqual([last, next]);
  });

  it('A trigger is never due at an end that no Ethereum block has, because blocks are at 11 modulo 12', () => {
    const minute = 1_700_000_040n;
    const ends = (until: bigint) => triggerSchedule(trigger(String(minute), '60', String(until)), 'mainnet');
    const last = (until: bigint) => lastDue(ends(until), minute * 2n);
    expect([minute % 12n, last(minute + 120n)]).toEqual([0n, minute + 60n]);
    expect(last(minute + 130n)).toBe(minute + 60n);
    expect(last(minute + 131n)).toBe(minute + 120n);
    expect(scheduleWarning(ends(minute + 120n))).toBe(
      'never at 2023-11-14 22:16:00 UTC: it ends before the next block of Ethereum',
    );
    expect([scheduleWarning(ends(minute + 131n)), scheduleWarning(ends(0n))]).toEqual(['', '']);
    const elsewhere = triggerSchedule(trigger('60', '60', '180'), 'contract');
    expect([lastDue(elsewhere, 999n), scheduleWarning(elsewhere)]).toEqual([
      180n,
      'the last one needs a block at exactly that second',
    ]);
  });

  it('A trigger is due when the core finds it due from the times of two consecutive blocks', () => {
    const numbers = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 90 }),
        numbers,
        (initial, every, until) => {
          const schedule = triggerSchedule(trigger(String(initial), String(every), String(until)), 'mainnet');
          for (let block = 23; block < 900; block += 12) {
            const due = lastDue(schedule, BigInt(block));
            const isDue = due !== undefined && due > BigInt(block - 12);
            expect(isDue, `block ${block}`).toBe(firesAt({ initial, every, until }, block - 12, block));
          }
        },
      ),
    );
  });

  it('A trigger has no known due time if the clock of the chain has no first time', () => {
    const schedule = triggerSchedule(trigger('', '60'), 'chain');
    expect([lastDue(schedule, 500n), nextDue(schedule, 500n)]).toEqual([undefined, undefined]);
  });

  it('A trigger is due at the times that counting one by one finds', () => {
    const numbers = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(numbers, numbers, numbers, fc.integer({ min: 0, max: 120 }), (initial, every, until, now) => {
        const times: number[] = initial > 0 || every > 0 ? [initial] : [];
        const end = until === 0 ? 200 : until;
        if (every > 0) for (let time = initial + every; time <= end; time += every) times.push(time);
        const schedule = contract(String(initial), String(every), String(until));
        const expected = [times.findLast(time => time <= now), times.find(time => time > now)];
        const found = [lastDue(schedule, BigInt(now)), nextDue(schedule, BigInt(now))];
        expect(found.map(time => (time === undefined ? undefined : Number(time)))).toEqual(expected);
      }),
    );
  });
});

describe('Schedule in words', () => {
  it.each([
    [trigger('1700000000'), 'once, at 2023-11-14 22:13:20 UTC'],
    [trigger('1700000000', '5415'), 'every 1 h 30 min 15 s indefinitely, from 2023-11-14 22:13:20 UTC'],
    [
      trigger('1700000000', '60', '1800000000'),
      'every 1 min until 2027-01-15 08:00:00 UTC, from 2023-11-14 22:13:20 UTC',
    ],
    [trigger('', '60'), 'every 1 min indefinitely, counted from 1970'],
    [trigger('1', '18446744073709551615'), 'every 18446744073709551615 s indefinitely, from 1970-01-01 00:00:01 UTC'],
    [trigger(''), 'never: no time is given'],
    [trigger('soon'), 'its times cannot be read'],
  ])('The schedule is put into words for %j', (sent, words) => {
    expect(scheduleText(triggerSchedule(sent, 'contract'))).toBe(words);
  });

  it('The schedule of a clock without a first time says so', () => {
    expect(scheduleText(triggerSchedule(trigger('', '86400'), 'chain'))).toBe('every 1 d, start time not given');
  });
});
