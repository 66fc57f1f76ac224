import { describe, expect, it } from 'vitest';
import { type Arrival, computeDelivery, dueTimes, type Timing } from '../../../../src/chain/insight/oracle/delivery.ts';
import { triggerSchedule } from '../../../../src/chain/insight/oracle/schedule.ts';

const schedule = (initial: string, every = '', until = '') => triggerSchedule({ initial, every, until }, 'contract');
const hourly = schedule('1000', '3600');
const timing = (now: bigint, schedules = [hourly], since = 0n): Timing => ({ schedules, now, since });
const PATIENCE = 60n;
const delivery = (now: bigint, arrival: Arrival, schedules = [hourly]) =>
  computeDelivery(timing(now, schedules), arrival, PATIENCE);

describe('Due times of several oracle triggers', () => {
  it('The due times are the latest past and nearest future ones of all triggers, not only of the first', () => {
    const other = schedule('1500', '100');
    expect(dueTimes(timing(1700n, [hourly, other]))).toEqual({ last: 1700n, next: 1800n });
    expect(dueTimes(timing(4599n, [hourly, other]))).toEqual({ last: 4500n, next: 4600n });
    expect(dueTimes(timing(1700n, [schedule('9000'), hourly]))).toEqual({ last: 1000n, next: 4600n });
  });

  it('The due times do not start before the spec was created', () => {
    expect(dueTimes(timing(1700n, [hourly], 1500n))).toEqual({ last: undefined, next: 4600n });
    expect(dueTimes(timing(5000n, [hourly], 1500n))).toEqual({ last: 4600n, next: 8200n });
  });

  it('The due times begin with the second of creation, and never at 0, which means no time was sent', () => {
    expect(dueTimes(timing(1700n, [hourly], 1000n)).last).toBe(1000n);
    expect(dueTimes(timing(1700n, [hourly], 1001n)).last).toBeUndefined();
    const from1970 = schedule('', '3600');
    expect(dueTimes(timing(1700n, [from1970]))).toEqual({ last: undefined, next: 3600n });
    expect(dueTimes(timing(3600n, [from1970]))).toEqual({ last: 3600n, next: 7200n });
    expect(delivery(1700n, 'never', [from1970])).toEqual({ kind: 'nothing-due' });
  });

  it('The due times are empty without a trigger', () => {
    expect(dueTimes(timing(1700n, []))).toEqual({ last: undefined, next: undefined });
  });
});

describe('Oracle delivery state', () => {
  it('The delivery state has nothing due before the first due time', () => {
    expect(delivery(999n, 'never')).toEqual({ kind: 'nothing-due' });
    expect(delivery(999n, 'unknown')).toEqual({ kind: 'nothing-due' });
    expect(delivery(999n, 500n)).toEqual({ kind: 'nothing-due' });
  });

  it('The delivery state is left open when nobody reports what arrived', () => {
    expect(delivery(9000n, 'unknown')).toEqual({ kind: 'was-due', at: 8200n });
  });

  it('The delivery state is arrived when a value is as recent as the due time', () => {
    expect(delivery(9000n, 8200n)).toEqual({ kind: 'arrived' });
    expect(delivery(9000n, 8201n)).toEqual({ kind: 'arrived' });
  });

  it('The delivery state is overdue since the first missed time', () => {
    expect(delivery(9000n, 8199n)).toEqual({ kind: 'overdue', since: 8200n });
    expect(delivery(9000n, 1000n)).toEqual({ kind: 'overdue', since: 4600n });
    expect(delivery(9000n, 'never')).toEqual({ kind: 'overdue', since: 1000n });
  });

  it('The delivery state is not overdue during the time that a value takes to arrive', () => {
    expect(delivery(8260n, 8000n)).toEqual({ kind: 'awaited', since: 8200n });
    expect(delivery(8261n, 8000n)).toEqual({ kind: 'overdue', since: 8200n });
  });

  it('The delivery state stays overdue for a spec that was due once', () => {
    const once = schedule('1000');
    expect(delivery(9000n, 'never', [once])).toEqual({ kind: 'overdue', since: 1000n });
    expect(delivery(9000n, 1001n, [once])).toEqual({ kind: 'arrived' });
  });

  it('The delivery state is ended, and not overdue, once its end has passed', () => {
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

  it('The delivery state ignores what was due before the spec existed', () => {
    const young = timing(9000n, [hourly], 8000n);
    expect(computeDelivery(young, 'never', PATIENCE)).toEqual({ kind: 'overdue', since: 8200n });
    expect(computeDelivery(young, 500n, PATIENCE)).toEqual({ kind: 'overdue', since: 8200n });
  });
});
