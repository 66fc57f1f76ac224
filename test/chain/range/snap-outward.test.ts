import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availableRanges, snapOutward } from '../../../src/chain/range/resolve-range.ts';
import { type Boundaries, listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';

const segment = (from: number, to: number): Segment => ({
  fromHeight: BigInt(from),
  toHeight: BigInt(to),
  historySegmentId: `Qm${to}`,
  previousHistorySegmentId: from === 1 ? '' : `Qm${from - 1}`,
  databaseVersion: '93',
  chainId: 'fake-chain-1',
});

/** Segments of any length, now and then with a gap before one. */
const histories = fc
  .array(fc.record({ gap: fc.constantFrom(0, 0, 0, 300), length: fc.integer({ min: 1, max: 1200 }) }), {
    minLength: 1,
    maxLength: 20,
  })
  .map(parts => {
    let top = 500;
    return parts.map(({ gap, length }) => {
      const from = top + gap + 1;
      top = from + length - 1;
      return segment(from, top);
    });
  });

const snap = (boundaries: Boundaries, bound: 'from' | 'to', height: bigint) =>
  snapOutward(boundaries, bound, { height, note: 'noted' });

describe('Snapping a block outward', () => {
  it('A named block moves to the end of the segment that has it, or is refused with what the node keeps', () => {
    fc.assert(
      fc.property(
        histories,
        fc.integer({ min: 1, max: 30_000 }),
        fc.constantFrom('from' as const, 'to' as const),
        (segments, at, bound) => {
          const height = BigInt(at);
          const holding = segments.find(({ fromHeight, toHeight }) => fromHeight <= height && height <= toHeight);
          const snapped = snap(listedBoundaries(segments), bound, height);
          if (holding === undefined) {
            expect(snapped).toMatchObject({
              kind: 'outside',
              problem: expect.stringContaining('no segment of this node contains; the node keeps'),
            });
            return;
          }
          expect(snapped).toMatchObject({
            kind: 'snapped',
            height: bound === 'from' ? holding.fromHeight : holding.toHeight,
          });
        },
      ),
    );
  });

  it('A named block moves by the rule of 1000 when nothing is listed', () => {
    const rule: Boundaries = { kind: 'rule' };
    expect([1n, 2n, 1000n, 1001n].map(height => snap(rule, 'from', height))).toMatchObject([
      { height: 1n },
      { height: 1n },
      { height: 1n },
      { height: 1001n },
    ]);
    expect([1n, 999n, 1000n, 1001n].map(height => snap(rule, 'to', height))).toMatchObject([
      { height: 1000n },
      { height: 1000n },
      { height: 1000n },
      { height: 2000n },
    ]);
  });

  it('A named block is reported with the direction it moved', () => {
    const boundaries = listedBoundaries([segment(1, 1000), segment(1001, 2000)]);
    expect(snap(boundaries, 'from', 1500n)).toMatchObject({ note: 'noted, in the segment that begins with 1001' });
    expect(snap(boundaries, 'to', 1500n)).toMatchObject({ note: 'noted, in the segment that ends with 2000' });
    expect(snap(boundaries, 'from', 1001n)).toMatchObject({ note: 'noted, where its segment begins' });
    expect(snap(boundaries, 'to', 2000n)).toMatchObject({ height: 2000n, note: 'noted, where its segment ends' });
  });
});

it('The kept history of a node fits one line, however many pieces it has', () => {
  const pieces = Array.from({ length: 5000 }, (_, index) => segment(index * 10 + 1, index * 10 + 5));
  expect(availableRanges(listedBoundaries(pieces))).toMatch(/^the node keeps 1 to 5, .*, and 4994 more spans$/);
  expect(availableRanges(listedBoundaries([]))).toBe('the node keeps no history');
  const spans = (count: number) => pieces.slice(0, count);
  expect(availableRanges(listedBoundaries(spans(1)))).toBe('the node keeps 1 to 5');
  const six = 'the node keeps 1 to 5, 11 to 15, 21 to 25, 31 to 35, 41 to 45, 51 to 55';
  expect(availableRanges(listedBoundaries(spans(6)))).toBe(six);
  expect(availableRanges(listedBoundaries(spans(7)))).toBe(`${six}, and 1 more spans`);
  expect(availableRanges({ kind: 'rule' })).toBe('segments of 1000 blocks begin at 1, 1001, ...');
});

it('A block that no segment of the rule has is in none', () => {
  expect(snapOutward({ kind: 'rule' }, 'from', { height: 0n, note: 'noted' })).toEqual({
    kind: 'outside',
    problem: 'noted, which no segment of this node contains; segments of 1000 blocks begin at 1, 1001, ...',
  });
});
