import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/chain/api/json.ts';
import {
  type Boundaries,
  boundProblem,
  checkRange,
  listedBoundaries,
  nearestBoundaries,
} from '../../../src/chain/range/segment-boundaries.ts';
import {
  createHistory,
  readSegments,
  type Segment,
  unreadableSegmentsText,
} from '../../../src/chain/range/segment-history.ts';

const segment = (from: bigint, to: bigint, databaseVersion = '93'): Segment => ({
  fromHeight: from,
  toHeight: to,
  historySegmentId: `Qm${to}`,
  previousHistorySegmentId: from === 1n ? '' : `Qm${from - 1n}`,
  databaseVersion,
  chainId: 'chain-1',
});

/** Segments of any sizes, not from 1, with gaps of any size between some of them; oldest first. */
const history = fc
  .tuple(
    fc.bigInt({ min: 1n, max: 10n ** 12n }),
    fc.array(fc.record({ size: fc.bigInt({ min: 1n, max: 5000n }), gap: fc.constantFrom(0n, 0n, 0n, 1n, 700n) }), {
      maxLength: 12,
    }),
  )
  .map(([start, parts]) => {
    let next = start;
    return parts.map(({ size, gap }) => {
      const from = next + gap;
      next = from + size;
      return segment(from, next - 1n);
    });
  });

const near = (segments: readonly Segment[]) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: 2n * 10n ** 12n }),
    ...segments.flatMap(({ fromHeight, toHeight }) => [
      fc.bigInt({ min: fromHeight - 2n, max: fromHeight + 2n }),
      fc.bigInt({ min: toHeight - 2n, max: toHeight + 2n }),
    ]),
  );

const withHeights = history.chain(segments => fc.tuple(fc.constant(segments), near(segments), near(segments)));

const largest = (heights: readonly bigint[]): bigint | null =>
  heights.reduce<bigint | null>((best, height) => (best === null || height > best ? height : best), null);
const smallest = (heights: readonly bigint[]): bigint | null =>
  heights.reduce<bigint | null>((best, height) => (best === null || height < best ? height : best), null);

/** Whether every block of a range is in a segment, and its ends are ends of segments: by looking at each segment. */
function isCovered(segments: readonly Segment[], from: bigint, to: bigint): boolean {
  let next = from;
  for (const { fromHeight, toHeight } of segments) if (fromHeight === next && toHeight <= to) next = toHeight + 1n;
  return from <= to && next === to + 1n;
}

describe('Segment boundaries listed by the node', () => {
  it('The nearest listed boundaries are those that a check of each one finds', () => {
    fc.assert(
      fc.property(withHeights, ([segments, height]) => {
        for (const bound of ['from', 'to'] as const) {
          const edges = segments.map(({ fromHeight, toHeight }) => (bound === 'from' ? fromHeight : toHeight));
          expect(nearestBoundaries(listedBoundaries(segments), bound, height)).toEqual({
            isExact: edges.includes(height),
            below: largest(edges.filter(edge => edge < height)),
            above: smallest(edges.filter(edge => edge > height)),
          });
        }
      }),
    );
  });

  it('The nearest listed boundaries are found even if segments lie inside one another', () => {
    const bounds = fc.tuple(fc.bigInt({ min: 1n, max: 30n }), fc.bigInt({ min: 0n, max: 30n }));
    fc.assert(
      fc.property(fc.array(bounds, { maxLength: 6 }), fc.bigInt({ min: 0n, max: 62n }), (all, height) => {
        const listed = listedBoundaries(all.map(([from, more]) => segment(from, from + more)));
        const edges = all.map(([from, more]) => from + more);
        expect(nearestBoundaries(listed, 'to', height)).toEqual({
          isExact: edges.includes(height),
          below: largest(edges.filter(edge => edge < height)),
          above: smallest(edges.filter(edge => edge > height)),
        });
      }),
      { numRuns: 300 },
    );
  });

  it('The listed boundaries belong to the chain of the newest segment, or to none without segments', () => {
    const other = { ...segment(1n, 10n), chainId: 'chain-0' };
    expect(listedBoundaries([other, segment(11n, 20n)])).toMatchObject({ chainId: 'chain-1' });
    expect(listedBoundaries([])).toMatchObject({ chainId: '' });
  });

  it('The listed boundaries allow a range of a single block', () => {
    expect(checkRange(listedBoundaries([segment(5n, 5n)]), 5n, 5n)).toMatchObject({ isValid: true, blocks: 1n });
  });

  it('The listed boundaries allow exactly the ranges that segments cover without a gap', () => {
    const edges = history.chain(segments =>
      fc.tuple(
        fc.constant(segments),
        segments.length === 0 ? fc.constant(1n) : fc.constantFrom(...segments.map(({ fromHeight }) => fromHeight)),
        segments.length === 0 ? fc.constant(1n) : fc.constantFrom(...segments.map(({ toHeight }) => toHeight)),
      ),
    );
    fc.assert(
      fc.property(fc.oneof(edges, withHeights), ([segments, from, to]) => {
        const range = checkRange(listedBoundaries(segments), from, to);
        expect(range.isValid).toBe(isCovered(segments, from, to));
        if (range.isValid) expect(range.blocks).toBe(to - from + 1n);
        else expect(range.problem).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it('The listed boundaries never allow a first block above the last', () => {
    const listed = listedBoundaries([segment(1n, 1000n), segment(1001n, 2000n)]);
    expect(checkRange(listed, 1001n, 1000n)).toEqual({
      isValid: false,
      problem: 'the first block 1001 is above the last block 1000',
    });
  });

  it('The listed boundaries refuse a range over a gap and say so', () => {
    const listed = listedBoundaries([segment(1n, 1000n), segment(2001n, 3000n)]);
    expect(checkRange(listed, 1n, 3000n)).toEqual({
      isValid: false,
      problem: 'history has a gap between 1 and 3000: choose a range without a gap',
    });
  });

  it('The listed boundaries expect one CSV for each run of the same schema', () => {
    const parts = [segment(1n, 10n, '7'), segment(11n, 20n, '7'), segment(21n, 25n, '9'), segment(26n, 30n, '7')];
    const range = checkRange(listedBoundaries(parts), 1n, 30n);
    expect(range).toMatchObject({
      segments: 4n,
      runs: [
        { schemaVersion: 7, fromBlock: 1n, toBlock: 20n },
        { schemaVersion: 9, fromBlock: 21n, toBlock: 25n },
        { schemaVersion: 7, fromBlock: 26n, toBlock: 30n },
      ],
    });
  });

  it('The listed boundaries have no nearest one when the node keeps no history', () => {
    expect(boundProblem(listedBoundaries([]), 'from', 1n)).toBe('no segment begins at block 1');
  });
});

describe('Segment boundaries by the rule of 1000', () => {
  const rule: Boundaries = { kind: 'rule' };

  it('The rule of 1000 has the nearest boundaries that counting finds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.nat(1000), (thousands, more) => {
        const height = more < 500 ? thousands + BigInt(more) : (thousands % 4n) * 1000n + BigInt(more % 5);
        for (const [bound, rest] of [
          ['from', 1n],
          ['to', 0n],
        ] as const) {
          const around = Array.from({ length: 4001 }, (_, index) => height - 2000n + BigInt(index)).filter(
            edge => edge > 0n && edge % 1000n === rest,
          );
          expect(nearestBoundaries(rule, bound, height)).toEqual({
            isExact: around.includes(height),
            below: largest(around.filter(edge => edge < height)),
            above: smallest(around.filter(edge => edge > height)),
          });
        }
      }),
      { numRuns: 50 },
    );
  });

  it('The rule of 1000 allows whole thousands and counts their segments', () => {
    expect(checkRange(rule, 1001n, 3000n)).toEqual({ isValid: true, blocks: 2000n, segments: 2n });
    expect(checkRange(rule, 1n, 1001n)).toEqual({
      isValid: false,
      problem: 'segments end at 1000 and 2000, not at 1001',
    });
  });
});

describe('Segment list', () => {
  const sound = { fromHeight: '1001', toHeight: '2000', databaseVersion: '93', chainId: 'c' };

  it('The segments are read in any order, with every digit', () => {
    const answer = parseJson(
      `{"segments":[${JSON.stringify(sound)},{"fromHeight":1,"toHeight":9007199254740993,"databaseVersion":93}]}`,
    );
    expect(unreadableSegmentsText(answer)).toBeUndefined();
    expect(readSegments(answer)?.map(({ fromHeight, toHeight }) => [fromHeight, toHeight])).toEqual([
      [1n, 9007199254740993n],
      [1001n, 2000n],
    ]);
  });

  it('The segments are read with everything they contain, oldest first', () => {
    const said = { historySegmentId: 'QmA', previousHistorySegmentId: 'QmB', databaseVersion: '93', chainId: 'c' };
    const heights = fc.uniqueArray(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(heights, all => {
        const segments = all.map(height => ({ ...said, fromHeight: String(height), toHeight: String(height) }));
        const answer = parseJson(JSON.stringify({ segments }));
        expect(unreadableSegmentsText(answer)).toBeUndefined();
        const sorted = all.toSorted((a, b) => Number(a > b) - Number(a < b));
        expect(readSegments(answer)).toEqual(sorted.map(height => ({ ...said, fromHeight: height, toHeight: height })));
      }),
      { examples: [[[2n ** 63n - 1n, 1n]]] },
    );
    expect(unreadableSegmentsText(parseJson('{}'))).toBeUndefined();
  });

  const junk: readonly (readonly [string, unknown])[] = [
    ['is no object', null],
    ['is no object', 7],
    ['is no object', [sound]],
    ...['x', '', '-1', '1.5', '1e3', null, {}, '9223372036854775808', ' 1', '0x10'].flatMap(height => [
      ['has no block height as its fromHeight', { ...sound, fromHeight: height }] as const,
      ['has no block height as its toHeight', { ...sound, toHeight: height }] as const,
    ]),
    ['ends before it begins', { ...sound, toHeight: '1000' }],
    ...['v93', '', '-1', '9.3', '1e3', 'NaN', null, {}, [], true, '1234567890', undefined].map(
      version => ['has no schema version as its databaseVersion', { ...sound, databaseVersion: version }] as const,
    ),
    ['has no text as its chainId', { ...sound, chainId: 7 }],
    ['has no text as its historySegmentId', { ...sound, historySegmentId: {} }],
    ['has no text as its previousHistorySegmentId', { ...sound, previousHistorySegmentId: null }],
  ];

  it.each(junk)('An invalid segment is counted: one that %s (%j)', (_problem, item) => {
    const answer = parseJson(JSON.stringify({ segments: [sound, item, sound, item] }));
    expect(readSegments(answer)).toHaveLength(2);
    expect(unreadableSegmentsText(answer)).toBe('2 of the 4 segments cannot be read');
  });

  it('The segments give names and runs without NaN, whatever version a node sends', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 5 }), versions => {
        const items = versions.map((databaseVersion, index) => ({
          ...sound,
          fromHeight: String(index * 10 + 1),
          toHeight: String(index * 10 + 10),
          databaseVersion,
        }));
        const segments = readSegments(parseJson(JSON.stringify({ segments: items }))) ?? [];
        for (const { fromHeight, toHeight } of segments) {
          const range = checkRange(listedBoundaries(segments), fromHeight, toHeight);
          const run = range.isValid ? range.runs?.[0] : undefined;
          expect(run?.schemaVersion).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it.each(['{}', '{"segments":null}', '[]', 'null'])('The segments are not found in %s', text => {
    expect(readSegments(parseJson(text))).toBeUndefined();
  });

  it('The segments join to ranges without a gap', () => {
    const { spans } = createHistory([segment(501n, 700n), segment(701n, 701n), segment(703n, 800n)]);
    expect(spans.map(({ from, to, segments }) => [from, to, segments.length])).toEqual([
      [501n, 701n, 2],
      [703n, 800n, 1],
    ]);
  });
});
