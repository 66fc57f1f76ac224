import { describe, expect, it } from 'vitest';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';
import type { SliceRecord } from '../../../src/history/manifest/manifest.ts';
import { historyNotes, sliceSegmentIds } from '../../../src/history/manifest/slice-notes.ts';

const segment = (number: number, historySegmentId: string, previousHistorySegmentId = ''): Segment => ({
  fromHeight: BigInt(number * 1000 + 1),
  toHeight: BigInt(number * 1000 + 1000),
  historySegmentId,
  previousHistorySegmentId,
  databaseVersion: '93',
  chainId: 'c',
});

const slice = (number: number, more: Partial<SliceRecord> = {}): SliceRecord => ({
  fromBlock: String(number * 2000 + 1),
  toBlock: String(number * 2000 + 2000),
  file: `slice${number}.zip`,
  bytes: 1,
  sha256: 'ab'.repeat(32),
  rows: 1,
  csvs: [],
  notes: [],
  segmentIds: [`id${number * 2}`, `id${number * 2 + 1}`],
  differsFrom: null,
  started: '',
  finished: '',
  ...more,
});

const listed = (ids: readonly string[]) => listedBoundaries(ids.map((id, index) => segment(index, id, ids[index - 1])));
const now = listed(['id0', 'id1', 'id2', 'id3', 'id4', 'id5']);
const slices = [slice(0), slice(1), slice(2)];

describe('Segments of a slice', () => {
  it('The segments of a slice are those inside it, in the order of their heights', () => {
    expect(sliceSegmentIds(now, { fromBlock: 2001n, toBlock: 4000n })).toEqual(['id2', 'id3']);
    expect(sliceSegmentIds(now, { fromBlock: 2002n, toBlock: 5999n })).toEqual(['id3', 'id4']);
    expect(sliceSegmentIds({ kind: 'rule' }, { fromBlock: 1n, toBlock: 2000n })).toEqual([]);
  });
});

describe('Notes on a changed history', () => {
  it.each([
    ['is the same', slices, now],
    ['is no longer listed', slices, listed([])],
    ['is listed in part', slices, listed(['other'])],
    ['was never listed', slices.map(one => ({ ...one, segmentIds: [] })), now],
    ['is not listed by this node', slices.map(one => ({ ...one, segmentIds: null })), { kind: 'rule' } as const],
  ])('A history that %s needs no note', (_how, records, boundaries) => {
    expect(historyNotes(records, boundaries)).toEqual([]);
  });

  const changedSince = (which: string) =>
    `the history of the node changed during the export: it now lists other segments than for ${which}. Each slice is sound, but together they may mix two histories`;

  it('A changed history is noted with the slice, or with the number of slices and the first', () => {
    expect(historyNotes(slices, listed(['id0', 'id1', 'id2', 'other', 'id4', 'id5']))).toEqual([
      changedSince('slice1.zip'),
    ]);
    expect(historyNotes(slices, listed(['id0', 'id1', 'x', 'id3', 'id4', 'y']))).toEqual([
      changedSince('2 slices (the first is slice1.zip)'),
    ]);
    expect(historyNotes(slices, listed(['id1', 'id0', 'id2', 'id3', 'id4', 'id5']))).toEqual([
      changedSince('slice0.zip'),
    ]);
  });

  it('A history that is not one chain is noted for the slices that have both sides', () => {
    const [one, two, three, four] = [
      segment(0, 'id0'),
      segment(1, 'id1', 'id0'),
      segment(2, 'id2'),
      segment(3, 'id3', 'id2'),
    ];
    const broken = listedBoundaries([one, two, three, four]);
    expect(historyNotes([slice(0), slice(1)], broken)).toEqual([
      'the segments do not form one chain at block 2001: its segment names none as the one before it, which is id1. Together the slices may mix two histories',
    ]);
    expect(historyNotes([slice(0)], broken)).toEqual([]);
    expect(historyNotes([slice(1)], broken)).toEqual([]);
  });

  it('A history that nobody recorded is noted as unknown', () => {
    const unknown = (which: string) =>
      `the segments of ${which} were not recorded, because a run ended too early: a change of the history cannot be detected there`;
    expect(historyNotes([slice(0, { segmentIds: null }), slice(1)], now)).toEqual([unknown('slice0.zip')]);
    expect(historyNotes([slice(0), slice(1, { segmentIds: null }), slice(2, { segmentIds: null })], now)).toEqual([
      unknown('2 slices (the first is slice1.zip)'),
    ]);
  });

  it('A slice that came back different is noted first, each with what it was', () => {
    const records = [slice(0, { differsFrom: 'aa' }), slice(1, { segmentIds: ['x', 'y'] }), slice(2)];
    expect(historyNotes(records, now)).toEqual([
      'slice0.zip was downloaded again with different content (SHA-256 before: aa): the history of the node changed, or it is another node',
      changedSince('slice1.zip'),
    ]);
  });
});
