import { describe, expect, it } from 'vitest';
import { asciiText } from '../../../src/base/text/ascii.ts';
import { drawProgress, spokenProgress } from '../../../src/explorer/core/progress-view.ts';
import { wrapLine } from '../../../src/explorer/core/wrapped-lines.ts';
import type { RatedProgress } from '../../../src/history/download/rate.ts';
import { ratedProgress } from '../../support/progress.ts';

const FETCH = ratedProgress({
  ...{ table: 'trades', blocks: { from: 10_001n, to: 19_500n }, bytes: 4_300_000, elapsedMs: 2250, leftMs: 52_000 },
  parts: { unit: 'segment', done: 60, failed: 4, underWay: 10, of: 168 },
  ...{ slices: { done: 8, total: 21 }, rows: 45_290 },
});

const drawn = (progress: RatedProgress, columns: number, rows: number): string =>
  `\n${drawProgress(progress, { columns, rows }, wrapLine)
    .map(line =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n')}\n`;

describe('Progress of a transfer', () => {
  it('The progress has segments, rate over time and checks in three rows', () => {
    expect(drawn(FETCH, 80, 3)).toMatchInlineSnapshot(`
      "
       Segments  ████████!▒░░░░░░░░░░░  60 of 168 (35 %), 4 failed, 4.3 MB, 52 s left
       Rate      ▂█                     0-3.7 kB/s in 2 s, average 1.9 MB/s
       Checks    ok 8 files bad 4 segments 45 290 rows so far now trades 10001-19500
      "
    `);
  });

  it('The progress has the rate as a chart where there is room', () => {
    expect(drawn(FETCH, 80, 14)).toMatchInlineSnapshot(`
      "
       Segments  ██████████!▒▒░░░░░░░░░░░░░░░░  60 of 168 (35 %), 4 failed, 52 s left
                 █ verified   ! failed   ▒ under way   ░ to come
       Checks    ok 8 files bad 4 segments 45 290 rows so far now trades 10001-19500
                 per file names, headers, rows, CRC-32, ZIP directory, blocks

       Received  4.3 MB in 2 s, on average 1.9 MB/s
       4.0 kB/s    █ ██
                   █▄██
                   ████
                  ██████
                 ▄██████
                 ███████
              0 ────────────────────────────────────────────────
                0 s                                        12 s
      "
    `);
  });

  it('The progress can be read in ASCII', () => {
    expect(asciiText(drawn(FETCH, 76, 3))).toMatchInlineSnapshot(`
      "
       Segments  ######!=---------  60 of 168 (35 %), 4 failed, 4.3 MB, 52 s left
       Rate      _#                 0-3.7 kB/s in 2 s, average 1.9 MB/s
       Checks    ok 8 files bad 4 segments 45 290 rows so far now trades
      "
    `);
  });

  it('The progress says what is waited for in place of the rate', () => {
    const paused = ratedProgress({ ...FETCH, pause: { reason: 'rate-limit', leftMs: 2500 } });
    expect(drawn(paused, 80, 3)).toContain(' Rate      rate limited; retrying in 3 s');
    expect(drawn(paused, 80, 14)).toContain(' Received  rate limited; retrying in 3 s');
  });

  it('The progress of one file counts its CSVs, and says which are bad', () => {
    const csvs = [true, false].map(isGood => ({ name: '', rows: 1, isGood }));
    const parts = { unit: 'block', done: 500, failed: 200, underWay: 300, of: 1000 } as const;
    const { slices: _, ...file } = { ...FETCH, csvs, parts, entryName: 'a-ledger-094.csv' };
    expect(drawn(file, 80, 3)).toContain(' Checks    ok 1 CSV   bad 1 CSV   45 290 rows so far   now a-ledger-094.csv');
  });

  it('The progress claims no check before the first one passed', () => {
    const drawnOf = (change: Partial<RatedProgress>) => drawn({ ...FETCH, ...change }, 80, 3);
    const parts = { ...FETCH.parts, failed: 0 };
    expect(drawnOf({ slices: { done: 0, total: 21 }, parts })).toContain(
      ' Checks    no file checked yet   45 290 rows',
    );
    expect(drawnOf({ slices: { done: 0, total: 21 } })).toContain(' Checks    bad 4 segments   45 290 rows so far');
  });

  it.each([20, 40, 80, 200])('The progress stays within its rows and %i columns', columns => {
    for (let rows = 1; rows < 30; rows++) {
      const lines = drawn(FETCH, columns, rows).trimEnd().split('\n').slice(1);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it('The progress is said aloud by quarters', () => {
    const said = [0, 41, 42, 43, 167, 168].map(done => spokenProgress({ ...FETCH, parts: { ...FETCH.parts, done } }));
    expect([...new Set(said)]).toEqual([
      'trades',
      'trades, 25 % of 168 segments done',
      'trades, 75 % of 168 segments done',
      'trades, 100 % of 168 segments done',
    ]);
  });
});
