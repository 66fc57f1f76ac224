import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';
import type { ExportPlan } from '../../../src/history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../../src/history/plan/export-tables.ts';
import { cutIntoSlices, proposeSliceLength, slicePlan } from '../../../src/history/plan/slices.ts';

const [table] = EXPORT_TABLES;
if (table === undefined) throw new Error('no tables');
const planOf = (fromBlock: bigint, toBlock: bigint): ExportPlan => ({
  table,
  fromBlock,
  toBlock,
  chainId: 'c',
  destination: '/data',
  mayOverwrite: true,
  runs: [{ schemaVersion: 1, fromBlock, toBlock }],
  slices: { segmentsPerSlice: 2, parallel: 1 },
});

const segment = (from: bigint, to: bigint, databaseVersion = '93'): Segment => ({
  fromHeight: from,
  toHeight: to,
  historySegmentId: '',
  previousHistorySegmentId: '',
  databaseVersion,
  chainId: 'c',
});

it('The slices follow one another from the first block to the last, each with the given number of whole segments', () => {
  const lengths = fc.array(fc.bigInt({ min: 1n, max: 900n }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(lengths, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 7 }), (all, one, two, size) => {
      let next = 1n;
      const segments = all.map(length => {
        next += length;
        return segment(next - length, next - 1n);
      });
      const [first, last] = [one % all.length, two % all.length].toSorted((a, b) => a - b);
      const wanted = segments.slice(first, (last ?? 0) + 1);
      const [from, to] = [wanted[0]?.fromHeight ?? 0n, wanted.at(-1)?.toHeight ?? 0n];
      const slices = cutIntoSlices(planOf(from, to), listedBoundaries(segments), size);
      const starts = wanted.filter((_, index) => index % size === 0).map(({ fromHeight }) => fromHeight);
      expect(slices.map(({ fromBlock }) => fromBlock)).toEqual(starts);
      expect(slices.map(({ toBlock }) => toBlock)).toEqual([...starts.slice(1).map(start => start - 1n), to]);
    }),
  );
});

it('The slices by the rule of 1000 are whole thousands of blocks', () => {
  expect(cutIntoSlices(planOf(1001n, 6000n), { kind: 'rule' }, 2)).toEqual([
    { fromBlock: 1001n, toBlock: 3000n },
    { fromBlock: 3001n, toBlock: 5000n },
    { fromBlock: 5001n, toBlock: 6000n },
  ]);
});

it('A slice is requested by itself, with the CSVs it should have, and never over an existing file', () => {
  const listed = listedBoundaries([segment(1n, 10n, '68'), segment(11n, 20n), segment(21n, 30n)]);
  const { runs: _, slices: __, ...rest } = planOf(1n, 30n);
  const slice = { fromBlock: 1n, toBlock: 20n };
  expect(slicePlan(planOf(1n, 30n), listed, slice, '/data/x.zip')).toEqual({
    ...rest,
    ...slice,
    destination: '/data/x.zip',
    mayOverwrite: false,
    runs: [
      { schemaVersion: 68, fromBlock: 1n, toBlock: 10n },
      { schemaVersion: 93, fromBlock: 11n, toBlock: 20n },
    ],
  });
  for (const boundaries of [{ kind: 'rule' } as const, listedBoundaries([])])
    expect(slicePlan(planOf(1n, 1000n), boundaries, { fromBlock: 1n, toBlock: 1000n }, 'x.zip')).not.toHaveProperty(
      'runs',
    );
});

it('The suggested slice size gives at most a hundred slices, and grows with the range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), segments => {
      const size = proposeSliceLength(BigInt(segments));
      expect(Math.ceil(segments / size)).toBeLessThanOrEqual(100);
      expect(size).toBeLessThanOrEqual(segments);
      expect(proposeSliceLength(BigInt(segments + 1))).toBeGreaterThanOrEqual(size);
      expect(String(size)).toMatch(/^[125]0*$/);
    }),
  );
});

it.each([
  [1, 1],
  [5, 1],
  [24, 5],
  [51, 10],
  [1000, 10],
  [1001, 20],
  [75_000, 1000],
])('The suggested slice size for %d segments is %d', (segments, size) =>
  expect(proposeSliceLength(BigInt(segments))).toBe(size),
);
