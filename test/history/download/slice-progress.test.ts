import { expect, it } from 'vitest';
import { bytesPerSecond, type Pause, type Progress } from '../../../src/history/download/progress.ts';
import { savedSlicesText } from '../../../src/history/download/result.ts';
import { progressOfSlices } from '../../../src/history/download/slice-export.ts';

const underWay = (phase: Progress['phase'], size: number): Progress => ({
  phase,
  bytes: size,
  elapsedMs: 5,
  entries: size + 1,
  rows: size + 2,
  entryName: `e${size}.csv`,
  csvs: [{ name: `c${size}.csv`, rows: size, isGood: true }],
});
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

it('slices together have what all of them have, and show the first that is under way', () => {
  expect(
    progressOfSlices({
      done: [done(1000, 100, 1), done(2000, 200, 2)],
      underWay: [underWay('waiting', 10), underWay('receiving', 20)],
      pauses: [],
      total: 9,
      elapsedMs: 77,
    }),
  ).toEqual({
    phase: 'receiving',
    bytes: 3030,
    elapsedMs: 77,
    entries: 3 + 11 + 21,
    rows: 300 + 12 + 22,
    entryName: 'e10.csv',
    csvs: [{ name: 'c10.csv', rows: 10, isGood: true }],
    slices: { done: 2, total: 9 },
  });
});

it('slices are being checked while none is under way, and a waiting one says so', () => {
  const nothing = { done: [], underWay: [], total: 3, elapsedMs: 0 };
  expect(progressOfSlices({ ...nothing, pauses: [] })).toMatchObject({ phase: 'checking', entryName: '', csvs: [] });
  const pause: Pause = { reason: 'rate-limit', leftMs: 5 };
  const pauses: readonly Pause[] = [pause, { reason: 'broken-line', leftMs: 9 }];
  expect(progressOfSlices({ ...nothing, pauses })).toMatchObject({ pause });
  const waiting = progressOfSlices({ ...nothing, pauses: [], underWay: [underWay('waiting', 1)] });
  expect(waiting.phase).toBe('waiting');
  expect(waiting).not.toHaveProperty('pause');
});

it('a speed is computed over the whole transfer, and is 0 before it has begun', () => {
  expect(bytesPerSecond({ ...underWay('receiving', 3000), elapsedMs: 1500 })).toBe(2000);
  expect(bytesPerSecond({ ...underWay('receiving', 3000), elapsedMs: 0 })).toBe(0);
});

it('what is kept is only counted when all of it was looked at', () => {
  const stopped = {
    kind: 'stopped-slices',
    folder: '',
    done: 2,
    total: 9,
    cause: { kind: 'cancelled', partPath: null, elapsedMs: 1 },
    notes: [],
    elapsedMs: 1,
  } as const;
  expect(savedSlicesText({ ...stopped, isCounted: true })).toBe('2 of 9 slices are verified and saved');
  expect(savedSlicesText({ ...stopped, isCounted: false })).toBe(
    'the slices of earlier runs are saved, but not all were checked',
  );
});
