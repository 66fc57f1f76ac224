import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../../src/base/text/safe-text.ts';
import { NetworkError } from '../../../src/chain/api/errors.ts';
import { RangeEndError } from '../../../src/chain/range/parse-range.ts';
import { type Boundaries, listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import { layerContext } from '../../../src/explorer/app/open-screens.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import {
  lineWidth,
  type ScreenRow,
  screenRowHeight,
  span,
  textLine,
  toScreenRows,
} from '../../../src/explorer/core/line.ts';
import { wrapLine, wrapRows } from '../../../src/explorer/core/wrapped-lines.ts';
import type { ConfirmOpening } from '../../../src/explorer/openings.ts';
import { questionText } from '../../../src/explorer/screens/confirm/confirm.ts';
import { drawWizard } from '../../../src/explorer/screens/export/view.ts';
import type { ExportResult } from '../../../src/history/download/export-result.ts';
import type { RatedProgress } from '../../../src/history/download/rate.ts';
import { ratedProgress } from '../../support/progress.ts';
import { exportEvent, exportLayer, startExport, wizardIn } from '../support/export-scenes.ts';
import { type FakeWorld, last, press, told } from '../support/fake-world.ts';
import { layoutOf, topState } from '../support/layers.ts';
import { NOT_COMPLETE, SAVED } from '../support/scenes.ts';

const sizes = [
  { columns: 40, rows: 12 },
  { columns: 60, rows: 16 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
];

/** An old, long chain with gaps: heights of eight digits, sentences as long as they come. */
const LONG = listedBoundaries(
  Array.from({ length: 300 }, (_, index) => ({
    fromHeight: BigInt(22_000_001 + index * 300 + Math.floor(index / 20) * 900),
    toHeight: BigInt(22_000_300 + index * 300 + Math.floor(index / 20) * 900),
    historySegmentId: `Qm${index}`,
    previousHistorySegmentId: `Qm${index - 1}`,
    databaseVersion: String(90 + Math.floor(index / 3)),
    chainId: 'a-chain-of-a-name-that-is-long-mainnet-0011',
  })),
);
const RULE: Boundaries = { kind: 'rule' };

type Step = (world: FakeWorld, session: Session) => void | Promise<void>;

const type = (session: Session, text: string): void => session.dispatch({ type: 'type-text', value: text });
const typed =
  (from: string, to: string): Step =>
  (_, session) => {
    type(session, from);
    press(session, 'tab');
    type(session, to);
  };
const located =
  (note: string, height = 22_000_150n): Step =>
  async (world, session) => {
    type(session, '2026-10-01 12:00:00');
    press(session, 'enter');
    last(world.places).answer({ height, note, asked: null });
    await told();
  };
const NOTE =
  '2026-10-01 12:00:00 UTC begins at about block 22000150, estimated from the average block time, as this node does not serve epochs';

const atRange: Step = (_, session) => press(session, 'enter');
const atDestination: Step = async (world, session) => {
  atRange(world, session);
  await typed('22000001', '22006000')(world, session);
  press(session, 'enter');
};
const check =
  (problem: string | null): Step =>
  async (world, session) => {
    await atDestination(world, session);
    press(session, 'enter');
    const path = '/home/somebody/with a long name/and/a/deep/folder/a-chain-ledger-22000001-22006000.zip';
    last(world.checks).answer({ path, exists: false, problem, freeBytes: 12_300_000_000 });
    await told();
  };
const atReview = check(null);
const running =
  (progress?: RatedProgress): Step =>
  async (world, session) => {
    await atReview(world, session);
    press(session, 'enter');
    if (progress !== undefined) last(world.exports).asked.onProgress(progress);
  };
const ended =
  (result: ExportResult): Step =>
  async (world, session) => {
    await running()(world, session);
    last(world.exports).answer(result);
    await told();
  };

const csv = (index: number) => ({
  name: `a-chain-of-a-name-that-is-long-mainnet-0011-ledger-0${90 + index}-22000001-22006000.csv`,
  rows: 123_456_789,
  isGood: index % 2 === 0,
});
const receiving: RatedProgress = ratedProgress({
  parts: { unit: 'block', done: 2000, failed: 1000, underWay: 3001, of: 6001 },
  leftMs: 125_000,
  bytes: 12_345_678_901,
  elapsedMs: 25_000,
  entries: 4,
  rows: 123_456_789,
  entryName: csv(0).name,
  csvs: [0, 1, 2, 3, 4].map(csv),
});
const SEGMENTS = { unit: 'segment', done: 12_000, failed: 1000, underWay: 1000, of: 100_000 } as const;
const folder = '/home/somebody/with a long name/and/a/deep/folder/a-chain-ledger-22000001-22006000';
const unreachable = new NetworkError('cannot reach the node: connect ECONNREFUSED', {
  url: 'http://127.0.0.1:3008/api/v2/networkhistory/export?fromBlock=22000001&toBlock=22006000&table=TABLE_LEDGER',
  hint: 'check the address and the port: nothing is listening there (a data node usually serves REST on 3008)',
});
const stopped = (cause: ExportResult, isCounted = true): ExportResult => ({
  kind: 'stopped-slices',
  folder,
  done: 12,
  total: 100,
  isCounted,
  cause,
  notes: ['the segments of this node have other ids than those of the slices that were kept'],
  elapsedMs: 1,
});
const cancelled: ExportResult = { kind: 'cancelled', partPath: `${folder}.zip.part`, elapsedMs: 1 };

const scenes: readonly (readonly [name: string, boundaries: Boundaries, step: Step])[] = [
  ['the tables', LONG, () => {}],
  ['a range', LONG, atRange],
  ['a range by the rule', RULE, atRange],
  ['a range of a node without history', listedBoundaries([]), atRange],
  [
    'bounds that are none',
    LONG,
    async (world, session) => {
      atRange(world, session);
      await typed('22000017', '22005999')(world, session);
    },
  ],
  [
    'bounds across a gap',
    LONG,
    async (world, session) => {
      atRange(world, session);
      await typed('22000001', '22007200')(world, session);
      press(session, 'enter');
    },
  ],
  [
    'a bound that is no place',
    LONG,
    async (world, session) => {
      atRange(world, session);
      await typed('next monday', '22007200')(world, session);
      press(session, 'enter');
    },
  ],
  [
    'a date that is being looked for',
    LONG,
    (world, session) => {
      atRange(world, session);
      type(session, '2026-10-01 12:00:00');
      press(session, 'enter');
    },
  ],
  [
    'a date that was found',
    LONG,
    async (world, session) => {
      atRange(world, session);
      await located(NOTE)(world, session);
    },
  ],
  [
    'a date outside',
    LONG,
    async (world, session) => {
      atRange(world, session);
      await located(NOTE, 5n)(world, session);
    },
  ],
  [
    'a date before the chain',
    LONG,
    async (world, session) => {
      atRange(world, session);
      type(session, '2020-01-01 12:00:00');
      press(session, 'enter');
      last(world.places).fail(
        new RangeEndError(
          '2020-01-01 12:00:00 UTC is before the first block: the chain began at 2026-09-14 06:00:00 UTC with block 1',
        ),
      );
      await told();
    },
  ],
  ['the destination', LONG, atDestination],
  [
    'the destination of slices',
    LONG,
    async (world, session) => {
      await atReview(world, session);
      press(session, 's');
      press(session, 'esc');
    },
  ],
  [
    'a destination that cannot be',
    LONG,
    check(
      'the folder /home/somebody/with a long name/and/a/deep/folder does not exist: make it, or choose another one',
    ),
  ],
  ['the review', LONG, atReview],
  [
    'the review of slices',
    LONG,
    async (world, session) => {
      await atReview(world, session);
      press(session, 's');
    },
  ],
  [
    'the review of what keeps its incomplete file',
    LONG,
    async (world, session) => {
      await atReview(world, session);
      press(session, 'i');
    },
  ],
  ['an export that has just begun', LONG, running()],
  ['an export that waits for its first byte', LONG, running({ ...receiving, bytes: 0, phase: 'waiting' })],
  ['an export under way', LONG, running(receiving)],
  ['an export whose check catches up', LONG, running({ ...receiving, phase: 'checking' })],
  ['an export in slices', LONG, running({ ...receiving, parts: SEGMENTS, slices: { done: 12, total: 100 } })],
  [
    'an export that the node makes wait',
    LONG,
    running({ ...receiving, slices: { done: 12, total: 100 }, pause: { reason: 'rate-limit', leftMs: 12_000 } }),
  ],
  ['an export that is tried again', LONG, running({ ...receiving, pause: { reason: 'broken-line', leftMs: 12_000 } })],
  ['a complete export', LONG, ended(SAVED)],
  ['an incomplete export', LONG, ended(NOT_COMPLETE)],
  ['a cancelled export', LONG, ended(cancelled)],
  ['a cancelled export of nothing', LONG, ended({ ...cancelled, partPath: null })],
  [
    'a failed export',
    LONG,
    ended({ kind: 'failed', error: unreachable, partPath: `${folder}.zip.part`, elapsedMs: 1 }),
  ],
  ['cancelled slices', LONG, ended(stopped(cancelled))],
  ['slices that were not counted', LONG, ended(stopped(cancelled, false))],
  [
    'slices that the node refused',
    LONG,
    ended(stopped({ kind: 'failed', error: unreachable, partPath: null, elapsedMs: 1 })),
  ],
  ['slices of which one is incomplete', LONG, ended(stopped(NOT_COMPLETE))],
];

describe.each(sizes)('Export wizard at $columns x $rows', size => {
  it.each(scenes)('The export wizard cuts nothing and leaves nothing half drawn: %s', async (_, boundaries, step) => {
    const { session, world } = await startExport({ ...size });
    last(world.segments).answer({
      boundaries,
      hint: boundaries.kind === 'rule' ? 'this node does not list its segments: assuming 1000 blocks each' : null,
    });
    await told();
    await step(world, session);
    const state = session.state();
    const { bodyRows } = layoutOf(state);
    const rows = drawWizard(wizardIn(state), layerContext(state, exportLayer(state)));
    for (const row of rows)
      for (const line of linesOf(row)) {
        expect(lineWidth(line), textOf(line)).toBeLessThanOrEqual(size.columns);
        expect(textOf(line)).not.toContain('\u2026');
      }
    expect(rows.reduce((sum, row) => sum + screenRowHeight(row), 0)).toBeLessThanOrEqual(bodyRows);
  });
});

describe.each(sizes)('Confirmations at $columns x $rows', size => {
  it.each(['quit', 'cancel', 'replace'] as const)('The confirmation to %s has room for its answers', async asked => {
    for (const step of [check(null), running(receiving)]) {
      const { session, world } = await startExport({ ...size });
      last(world.segments).answer({ boundaries: LONG, hint: null });
      await told();
      await step(world, session);
      if (asked === 'quit') session.dispatch({ type: 'interrupt' });
      if (asked === 'cancel') session.dispatch(exportEvent(session, { type: 'cancel' }));
      if (asked === 'replace') session.dispatch(exportEvent(session, { type: 'destination-checked', check: THERE }));
      const question = topState<ConfirmOpening>(session.state(), 'confirm');
      if (session.state().isEnded || question === undefined) continue;
      const text = questionText(question, size.columns);
      expect(text).toMatch(/[?.] {2}y \/ N$/);
      expect(text.length).toBeLessThan(size.columns);
    }
  });
});

const THERE = { path: `/out/${'long'.repeat(20)}.zip`, exists: true, problem: null, freeBytes: null };

function linesOf(row: ScreenRow) {
  return row.kind === 'table' ? [] : [row.line];
}

const textOf = (line: ReturnType<typeof textLine>): string => line.map(({ text }) => text).join('');

describe('Line that is too long', () => {
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', '/', '\u6f22'), minLength: 1, maxLength: 60 }),
    { minLength: 1, maxLength: 4 },
  );

  it('A line that is too long continues in the next ones, none too long, with every word in its order', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 12, max: 100 }), (parts, columns) => {
        const line = parts.map(part => span(sanitize(part)));
        const wrapped = wrapLine(line, columns);
        for (const part of wrapped) expect(lineWidth(part)).toBeLessThanOrEqual(Math.max(columns, 2));
        expect(wrapped.map(textOf).join('').replaceAll(' ', '')).toBe(textOf(line).replaceAll(' ', ''));
      }),
    );
  });

  it('A line that is too long stays aligned after its label', () => {
    const line = [span(sanitize('  file      ')), span(sanitize('one two three four'))];
    expect(wrapLine(line, 24).map(textOf)).toEqual(['  file      one two', '            three four']);
  });

  it('A line that is too long is drawn whole or not at all, and what is shorter takes its room', () => {
    const lines = toScreenRows([textLine('  a'), textLine(`  ${'word '.repeat(20)}`), textLine('  b')]);
    expect(wrapRows(lines, 20, 3).map(row => (row.kind === 'line' ? textOf(row.line) : ''))).toEqual(['  a', '  b']);
  });
});
