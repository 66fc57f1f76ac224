import { expect, it } from 'vitest';
import { progressLine } from '../../src/cli/transfer-progress.ts';
import type { PartCounts } from '../../src/history/download/progress.ts';
import { ratedProgress } from '../support/progress.ts';

const segments: PartCounts = { unit: 'segment', done: 14, failed: 0, underWay: 4, of: 168 };
const FETCH = ratedProgress({ bytes: 4_300_000, elapsedMs: 8000, leftMs: 65_000, parts: segments, rows: 45_290 });
const FILE = { ...FETCH, parts: { unit: 'block', done: 0, failed: 0, underWay: 900, of: 900 }, leftMs: null } as const;

it('The progress line has the rate over time where it fits', () => {
  const text = 'ledger: 14 of 168 segments (8 %), 4.3 MB, 537.5 kB/s, 1 min left';
  expect(progressLine(FETCH, 100)).toBe(`${text} ▂▇█▇`);
  expect(progressLine(FETCH, 70)).toBe(text);
});

it('The progress line of one file has its rows until a CSV is done', () => {
  expect(progressLine(FILE, 60)).toBe('ledger: 45 290 rows, 4.3 MB, 537.5 kB/s, 8 s ▄█');
  expect(progressLine({ ...FILE, phase: 'checking', rows: 0 }, 60)).toBe(
    'ledger: 4.3 MB, complete; checks are catching up',
  );
  const half = { ...FILE, parts: { ...FILE.parts, done: 450 }, leftMs: 8000 };
  expect(progressLine(half, 60)).toBe('ledger: 450 of 900 blocks (50 %), 4.3 MB, 537.5 kB/s, 8 s left');
});

it('The progress line says what is waited for, and what is verified', () => {
  const pause = { reason: 'rate-limit', leftMs: 2500 } as const;
  expect(progressLine({ ...FETCH, pause }, 100)).toBe(
    'ledger: 14 of 168 segments (8 %), rate limited; retrying in 3 s',
  );
  const files = { ...segments, unit: 'file', failed: 1 } as const;
  expect(progressLine({ ...FETCH, phase: 'verifying', parts: files }, 60)).toBe(
    'verifying ledger: 14 of 168 files (8 %), 1 failed, 4.3 MB, 537.5 kB/s, 1 min left',
  );
});
