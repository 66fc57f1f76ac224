import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PartCounts, partCells, timeLeft, timeLeftOfParts } from '../../../src/history/download/progress.ts';
import { idleText, partsText, pauseText, shortProgress } from '../../../src/history/download/progress-text.ts';
import { ratedProgress } from '../../support/progress.ts';

const parts = (done: number, failed: number, underWay: number, of: number): PartCounts => ({
  ...{ unit: 'segment', done, failed, underWay, of },
});
const drawn = (of: PartCounts, cells: number): string =>
  partCells(of, cells)
    .map(state => state[0])
    .join('');

it('A strip has the parts in the order of the work', () => {
  expect(drawn(parts(0, 0, 0, 8), 8)).toBe('tttttttt');
  expect(drawn(parts(3, 0, 1, 8), 8)).toBe('dddutttt');
  expect(drawn(parts(8, 0, 0, 8), 4)).toBe('dddd');
  expect(drawn(parts(0, 0, 0, 0), 4)).toBe('');
});

it('A strip fills its cells, and each kind of part has one however few they are', () => {
  const count = fc.nat(10_000);
  fc.assert(
    fc.property(count, count, count, count, fc.integer({ min: 4, max: 90 }), (done, failed, underWay, left, cells) => {
      const all = parts(done, failed, underWay, done + failed + underWay + left);
      const states = partCells(all, cells);
      expect(states).toHaveLength(all.of === 0 ? 0 : cells);
      const there = [done, failed, underWay, left].map(number => number > 0);
      expect(['done', 'failed', 'under-way', 'to-come'].map(state => states.some(one => one === state))).toEqual(there);
    }),
  );
});

it('The time left is that of the parts so far, and is not known before the first or when the last takes longer', () => {
  const after = (nowMs: number) => timeLeftOfParts({ done: 2, underWay: 1, left: 3, doneMs: 20_000, nowMs });
  expect(timeLeftOfParts({ done: 0, underWay: 1, left: 5, doneMs: 0, nowMs: 9000 })).toBeNull();
  expect([20_000, 25_000, 30_000, 90_000].map(after)).toEqual([30_000, 25_000, 20_000, 20_000]);
  expect(timeLeftOfParts({ done: 4, underWay: 1, left: 1, doneMs: 20_000, nowMs: 60_000 })).toBeNull();
  expect(timeLeftOfParts({ done: 5, underWay: 0, left: 0, doneMs: 20_000, nowMs: 20_000 })).toBeNull();
});

it('No time left is said before five seconds of work were measured, for parts of any kind', () => {
  const rest = { restMs: 60_000, underWayMs: 4000, sinceMs: 1000 };
  expect([0, 900, 4999, 5000].map(measuredMs => timeLeft({ ...rest, measuredMs }))).toEqual([null, null, null, 59_000]);
  const after = (doneMs: number) => timeLeftOfParts({ done: 2, underWay: 1, left: 8, doneMs, nowMs: doneMs });
  expect([900, 4999, 5000].map(after)).toEqual([null, null, 20_000]);
});

it('The parts are said with their share and with those that failed', () => {
  expect(partsText(parts(14, 0, 4, 1680))).toBe('14 of 1 680 segments (0 %)');
  expect(partsText({ ...parts(1, 2, 0, 4), unit: 'file' }, true)).toBe('1 of 4 (25 %), 2 failed');
});

it('A transfer in which nothing arrives says why', () => {
  expect(pauseText({ reason: 'broken-line', leftMs: 2100 })).toBe('connection lost; retrying in 3 s');
  expect(pauseText({ reason: 'other-fetch', leftMs: null })).toBe('another fetch writes this table; waiting for it');
  expect(idleText(ratedProgress({ phase: 'waiting', elapsedMs: 3000 }))).toBe('waiting for the first byte, 3 s');
  expect(idleText(ratedProgress({ phase: 'waiting', elapsedMs: 3000, bytes: 1 }))).toBeUndefined();
  const stalled = { phase: 'receiving', elapsedMs: 4000, bytes: 100_000 } as const;
  expect(idleText(ratedProgress({ ...stalled, silentMs: 1900 }))).toBeUndefined();
  expect(idleText(ratedProgress({ ...stalled, silentMs: 3000 }))).toBe('100.0 kB, no data for 3 s');
  expect(idleText(ratedProgress({ ...stalled, phase: 'verifying', silentMs: 3000 }))).toBeUndefined();
});

it('A transfer in a few words has its segments and time left, else its bytes and rate', () => {
  const blocks: PartCounts = { ...parts(0, 0, 9, 9), unit: 'block' };
  expect(shortProgress(null)).toBe('starting');
  expect(shortProgress(ratedProgress({ parts: blocks, bytes: 4000, elapsedMs: 2000 }))).toBe('4.0 kB, 2.0 kB/s');
  expect(shortProgress(ratedProgress({ parts: parts(3, 0, 1, 9), leftMs: 65_000 }))).toBe('3 of 9, 1 min left');
});
