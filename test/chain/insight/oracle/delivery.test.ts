import { describe, expect, it } from 'vitest';
import { type Arrival, deliveryOf, dueTimes, type Timing } from '../../../../src/chain/insight/oracle/delivery.ts';
import { scheduleOf } from '../../../../src/chain/insight/oracle/schedule.ts';

const schedule = (initial: string, every = '', until = '') => scheduleOf({ initial, every, until }, 'contract');
const hourly = schedule('1000', '3600');
const timing = (now: bigint, schedules = [hourly], since = 0n): Timing => ({ schedules, now, since });
const PATIENCE = 60n;
const delivery = (now: bigint, arrival: Arrival, schedules = [hourly]) =>
  deliveryOf(timing(now, schedules), arrival, PATIENCE);

describe('the times that several triggers are due', () => {
  it('are the latest behind and the nearest ahead of all of them, not of the first alone', () => {
    const other = schedule('1500', '100');
    expect(dueTimes(timing(1700n, [hourly, other]))).toEqual({ last: 1700n, next: 1800n });
    expect(dueTimes(timing(4599n, [hourly, other]))).toEqual({ last: 4500n, next: 4600n });
    expect(dueTimes(timing(1700n, [schedule('9000'), hourly]))).toEqual({ last: 1000n, next: 4600n });
  });

  it('were none before the spec was there', () => {
    expect(dueTimes(timing(1700n, [hourly], 1500n))).toEqual({ last: undefined, next: 4600n });
    expect(dueTimes(timing(5000n, [hourly], 1500n))).toEqual({ last: 4600n, next: 8200n });
  });

  it('begin with the second the spec was created, and never at 0, which means that no time was sent', () => {
    expect(dueTimes(timing(1700n, [hourly], 1000n)).last).toBe(1000n);
    expect(dueTimes(timing(1700n, [hourly], 1001n)).last).toBeUndefined();
    const from1970 = schedule('', '3600');
    expect(dueTimes(timing(1700n, [from1970]))).toEqual({ last: undefined, next: 3600n });
    expect(dueTimes(timing(3600n, [from1970]))).toEqual({ last: 3600n, next: 7200n });
    expect(delivery(1700n, 'never', [from1970])).toEqual({ kind: 'nothing-due' });
  });

  it('are none without a trigger', () => {
    expect(dueTimes(timing(1700n, []))).toEqual({ last: undefined, next: undefined });
  });
});

describe('whether what was due has come', () => {
  it('is no question before anything was due', () => {
    expect(delivery(999n, 'never')).toEqual({ kind: 'nothing-due' });
    expect(delivery(999n, 'unknown')).toEqual({ kind: 'nothing-due' });
    expect(delivery(999n, 500n)).toEqual({ kind: 'nothing-due' });
  });

  it('is not said where nobody says what arrived', () => {
    expect(delivery(9000n, 'unknown')).toEqual({ kind: 'was-due', at: 8200n });
  });

  it('is answered by a value as late as that', () => {
    expect(delivery(9000n, 8200n)).toEqual({ kind: 'arrived' });
    expect(delivery(9000n, 8201n)).toEqual({ kind: 'arrived' });
  });

  it('is late since the first time that was missed', () => {
    expect(delivery(9000n, 8199n)).toEqual({ kind: 'overdue', since: 8200n });
    expect(delivery(9000n, 1000n)).toEqual({ kind: 'overdue', since: 4600n });
    expect(delivery(9000n, 'never')).toEqual({ kind: 'overdue', since: 1000n });
  });

  it('is not late as long as it takes to come', () => {
    expect(delivery(8260n, 8000n)).toEqual({ kind: 'awaited', since: 8200n });
    expect(delivery(8261n, 8000n)).toEqual({ kind: 'overdue', since: 8200n });
  });

  it('is late for ever where it was due once', () => {
    const once = schedule('1000');
    expect(delivery(9000n, 'never', [once])).toEqual({ kind: 'overdue', since: 1000n });
    expect(delivery(9000n, 1001n, [once])).toEqual({ kind: 'arrived' });
  });

  it('is over, and not late, once its end is', () => {
    const ended = schedule('1000', '3600', '5000');
    expect(delivery(4700n, 1000n, [ended])).toEqual({ kind: 'overdue', since: 4600n });
    expect(delivery(5001n, 1000n, [ended])).toEqual({ kind: 'ended', since: 4600n });
    expect(delivery(9_000_000n, 'never', [ended])).toEqual({ kind: 'ended', since: 1000n });
    expect(delivery(9_000_000n, 4700n, [ended])).toEqual({ kind: 'arrived' });
    expect(delivery(9_000_000n, 'unknown', [ended])).toEqual({ kind: 'was-due', at: 4600n });
    // What was due just before the end may still be on its way.
    const late = schedule('1000', '3600', '4610');
    expect(delivery(4620n, 1000n, [late])).toEqual({ kind: 'awaited', since: 4600n });
    // Another trigger goes on.
    expect(delivery(9000n, 1000n, [ended, hourly])).toEqual({ kind: 'overdue', since: 4600n });
  });

  it('does not ask for what was due before the spec was there', () => {
    const young = timing(9000n, [hourly], 8000n);
    expect(deliveryOf(young, 'never', PATIENCE)).toEqual({ kind: 'overdue', since: 8200n });
    expect(deliveryOf(young, 500n, PATIENCE)).toEqual({ kind: 'overdue', since: 8200n });
  });
});
