import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Progress } from '../../../src/history/download/progress.ts';
import { averages, MAX_INTERVALS, type RatedProgress, RateMeter, rated } from '../../../src/history/download/rate.ts';
import { progressOf } from '../../support/progress.ts';

const KB = 1000;

it('A rate meter has the bytes per second of each interval that is over, also of those in which nothing came', () => {
  const meter = new RateMeter();
  for (const [kilobytes, ms] of [
    [0, 0],
    [10, 100],
    [30, 240],
    [40, 260],
    [40, 999],
    [50, 1000],
  ] as const)
    meter.count(kilobytes * KB, ms);
  expect(meter.rates).toEqual({ values: [120, 40, 0, 0].map(rate => rate * KB), intervalMs: 250 });
});

it('A rate meter counts nothing for bytes that were lost, and counts them when they come again', () => {
  const meter = new RateMeter();
  for (const [bytes, ms] of [
    [500, 10],
    [100, 260],
    [600, 510],
    [600, 760],
  ] as const)
    meter.count(bytes, ms);
  expect(meter.rates.values).toEqual([2000, 0, 2000]);
});

it('A rate meter loses no byte and stays within its intervals, however long a transfer takes', () => {
  const step = fc.record({ bytes: fc.nat(1_000_000), ms: fc.nat(3_600_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const meter = new RateMeter();
      let [bytes, ms] = [0, 0];
      for (const each of steps) {
        bytes += each.bytes;
        ms += each.ms;
        meter.count(bytes, ms);
      }
      // The interval that is not over comes to its end.
      ms += meter.rates.intervalMs;
      meter.count(bytes, ms);
      const { values, intervalMs } = meter.rates;
      expect(values.length).toBeLessThanOrEqual(MAX_INTERVALS);
      expect((values.length + 1) * intervalMs).toBeGreaterThan(ms);
      const counted = values.reduce((sum, rate) => sum + (rate * intervalMs) / 1000, 0);
      expect(Math.abs(counted - bytes)).toBeLessThan(1);
    }),
  );
});

it('The averages fill a cell once all of its intervals are over', () => {
  const rates = { values: [10, 30, 50, 70, 90], intervalMs: 250 };
  expect(averages(rates, MAX_INTERVALS)).toEqual([10, 30, 50, 70, 90]);
  expect(averages(rates, MAX_INTERVALS / 2)).toEqual([20, 60]);
  expect(averages(rates, 1)).toEqual([]);
});

it('A progress is passed on four times a second, and at once with a slice, another table or a pause', () => {
  const told: RatedProgress[] = [];
  let nowMs = 5000;
  const take = rated(
    progress => told.push(progress),
    () => nowMs,
  );
  const report = (progress: Progress): void => {
    nowMs = 5000 + progress.elapsedMs;
    take(progress);
  };
  const last = { table: 'ledger', from: 1n, to: 2n, rows: 3, bytes: 4 };
  const pause = { reason: 'rate-limit', leftMs: 900 } as const;
  for (let elapsedMs = 0; elapsedMs <= 1000; elapsedMs += 50) report(progressOf({ elapsedMs, bytes: elapsedMs }));
  expect(told.map(({ elapsedMs }) => elapsedMs)).toEqual([0, 250, 500, 750, 1000]);
  expect(told.at(-1)).toMatchObject({ bytesPerS: 1000, rates: { values: [800, 1000, 1000, 1000] } });
  expect(told.at(-1)).toMatchObject({ silentMs: 0 });
  report(progressOf({ elapsedMs: 1001, last }));
  report(progressOf({ elapsedMs: 1002, last, pause }));
  report(progressOf({ elapsedMs: 1003, last, pause: { ...pause, leftMs: 898 } }));
  report(progressOf({ elapsedMs: 1004, last, table: 'trades' }));
  report(progressOf({ elapsedMs: 4000, table: 'trades' }));
  expect(told.pop()).toMatchObject({ silentMs: 3000 });
  expect(told.slice(5).map(({ elapsedMs }) => elapsedMs)).toEqual([1001, 1002, 1004]);
});

it('A progress is passed on while the clock of the machine stands still or is set back', () => {
  const told: number[] = [];
  let nowMs = 0;
  const report = rated(
    ({ bytes }) => told.push(bytes),
    () => nowMs,
  );
  for (const [bytes, elapsedMs] of [
    [1, 9000],
    [2, 9000],
    [3, 10],
  ] as const) {
    report(progressOf({ bytes, elapsedMs }));
    nowMs += 300;
  }
  expect(told).toEqual([1, 2, 3]);
});
