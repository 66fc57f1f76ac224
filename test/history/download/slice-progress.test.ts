import { expect, it } from 'vitest';
import { describeSavedSlices } from '../../../src/history/download/export-result.ts';
import { bytesPerSecond, nothingYet, type Progress, type RetryPause } from '../../../src/history/download/progress.ts';
import { combineProgress } from '../../../src/history/download/slice-run.ts';

const underWay = (phase: Progress['phase'], size: number): Progress => ({
  ...nothingYet('ledger'),
  blocks: { from: 1n, to: BigInt(size) },
  phase,
  bytes: size,
  elapsedMs: 5,
  entries: size + 1,
  rows: size + 2,
  entryName: `e${size}.csv`,
  csvs: [{ name: `c${size}.csv`, rows: size, isGood: true }],
});
/** Of the bytes, 1000 are of an earlier run. */
const RUN = { table: 'ledger', parts: nothingYet('').parts, leftMs: 5, earlierBytes: 1000 };
const csv = {
  name: '',
  byteOffset: 0,
  schemaVersion: 1,
  fromBlock: '1',
  toBlock: '2',
  rows: 1,
  columns: [],
  bytes: 1,
  crc32: '',
};
const done = (bytes: number, rows: number, csvs: number) => ({
  fromBlock: '1',
  toBlock: '2',
  file: '',
  bytes,
  sha256: '',
  rows,
  csvs: Array.from({ length: csvs }, () => csv),
  notes: [],
  segmentIds: [],
  differsFrom: null,
  started: '',
  finished: '',
});

it('The progress of slices adds up all of them, and shows the first in progress', () => {
  expect(
    combineProgress({
      ...RUN,
      done: [done(1000, 100, 1), done(2000, 200, 2)],
      underWay: [underWay('waiting', 10), underWay('receiving', 20)],
      pauses: [],
      total: 9,
      elapsedMs: 77,
    }),
  ).toEqual({
    ...{ table: 'ledger', blocks: { from: 1n, to: 10n }, parts: nothingYet('').parts, leftMs: 5 },
    phase: 'receiving',
    bytes: 2030,
    elapsedMs: 77,
    entries: 3 + 11 + 21,
    rows: 300 + 12 + 22,
    entryName: 'e10.csv',
    csvs: [{ name: 'c10.csv', rows: 10, isGood: true }],
    slices: { done: 2, total: 9 },
  });
});

it('The progress of slices says checking when none is in progress, and says when one waits', () => {
  const nothing = { ...RUN, done: [], underWay: [], total: 3, elapsedMs: 0 };
  expect(combineProgress({ ...nothing, pauses: [] })).toMatchObject({ phase: 'checking', entryName: '', csvs: [] });
  const pause: RetryPause = { reason: 'rate-limit', leftMs: 5 };
  const pauses: readonly RetryPause[] = [pause, { reason: 'broken-line', leftMs: 9 }];
  expect(combineProgress({ ...nothing, pauses })).toMatchObject({ pause });
  const waiting = combineProgress({ ...nothing, pauses: [], underWay: [underWay('waiting', 1)] });
  expect(waiting.phase).toBe('waiting');
  expect(waiting).not.toHaveProperty('pause');
});

it('The download speed is computed over the whole transfer, and is 0 before it has begun', () => {
  expect(bytesPerSecond({ ...underWay('receiving', 3000), elapsedMs: 1500 })).toBe(2000);
  expect(bytesPerSecond({ ...underWay('receiving', 3000), elapsedMs: 0 })).toBe(0);
});

it('The saved slices are given as a number only when all of them were checked', () => {
  const stopped = {
    kind: 'stopped-slices',
    folder: '',
    done: 2,
    total: 9,
    cause: { kind: 'cancelled', partPath: null, elapsedMs: 1 },
    notes: [],
    elapsedMs: 1,
  } as const;
  expect(describeSavedSlices({ ...stopped, isCounted: true })).toBe('2 of 9 slices are verified and saved');
  expect(describeSavedSlices({ ...stopped, isCounted: false })).toBe(
    'the slices of earlier runs are saved, but not all were checked',
  );
});
