import { describe, expect, it } from 'vitest';
import { scheduleOf } from '../../../src/insight/oracle/schedule.ts';
import { type Arrival, dueTimes, standingOf, type Timing } from '../../../src/insight/oracle/standing.ts';

const schedule = (initial: string, every = '', until = '') => scheduleOf({ initial, every, until }, 'contract');
const hourly = schedule('1000', '3600');
const timing = (now: bigint, schedules = [hourly], since = 0n): Timing => ({ schedules, now, since });
const PATIENCE = 60n;
const standing = (now: bigint, arrival: Arrival, schedules = [hourly]) =>
  standingOf(timing(now, schedules), arrival, PATIENCE);

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

  it('are none without a trigger', () => {
    expect(dueTimes(timing(1700n, []))).toEqual({ last: undefined, next: undefined });
  });
});

describe('whether what was due has come', () => {
  it('is no question before anything was due', () => {
    expect(standing(999n, 'never')).toEqual({ kind: 'nothing-due' });
    expect(standing(999n, 'unknown')).toEqual({ kind: 'nothing-due' });
    expect(standing(999n, 500n)).toEqual({ kind: 'nothing-due' });
  });

  it('is not said where nobody says what arrived', () => {
    expect(standing(9000n, 'unknown')).toEqual({ kind: 'was-due', at: 8200n });
  });

  it('is answered by a value as late as that', () => {
    expect(standing(9000n, 8200n)).toEqual({ kind: 'arrived' });
    expect(standing(9000n, 8201n)).toEqual({ kind: 'arrived' });
  });

  it('is late since the first time that was missed', () => {
    expect(standing(9000n, 8199n)).toEqual({ kind: 'overdue', since: 8200n });
    expect(standing(9000n, 1000n)).toEqual({ kind: 'overdue', since: 4600n });
    expect(standing(9000n, 'never')).toEqual({ kind: 'overdue', since: 1000n });
  });

  it('is not late as long as it takes to come', () => {
    expect(standing(8260n, 8000n)).toEqual({ kind: 'awaited', since: 8200n });
    expect(standing(8261n, 8000n)).toEqual({ kind: 'overdue', since: 8200n });
  });

  it('is late for ever where it was due once', () => {
    const once = schedule('1000');
    expect(standing(9000n, 'never', [once])).toEqual({ kind: 'overdue', since: 1000n });
    expect(standing(9000n, 1001n, [once])).toEqual({ kind: 'arrived' });
  });

  it('is over, and not late, once its end is', () => {
    const ended = schedule('1000', '3600', '5000');
    expect(standing(4700n, 1000n, [ended])).toEqual({ kind: 'overdue', since: 4600n });
    expect(standing(5001n, 1000n, [ended])).toEqual({ kind: 'ended', since: 4600n });
    expect(standing(9_000_000n, 'never', [ended])).toEqual({ kind: 'ended', since: 1000n });
    expect(standing(9_000_000n, 4700n, [ended])).toEqual({ kind: 'arrived' });
    expect(standing(9_000_000n, 'unknown', [ended])).toEqual({ kind: 'was-due', at: 4600n });
    // What was due just before the end may still be on its way.
    const late = schedule('1000', '3600', '4610');
    expect(standing(4620n, 1000n, [late])).toEqual({ kind: 'awaited', since: 4600n });
    // Another trigger goes on.
    expect(standing(9000n, 1000n, [ended, hourly])).toEqual({ kind: 'overdue', since: 4600n });
  });

  it('does not ask for what was due before the spec was there', () => {
    const young = timing(9000n, [hourly], 8000n);
    expect(standingOf(young, 'never', PATIENCE)).toEqual({ kind: 'overdue', since: 8200n });
    expect(standingOf(young, 500n, PATIENCE)).toEqual({ kind: 'overdue', since: 8200n });
  });
});
