import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breaksInRange, breaksText, findChainBreaks } from '../../../src/chain/range/segment-links.ts';

/** From, to, id, id of the one before. */
type Short = readonly [number, number, string, string];

const linked = (...segments: readonly Short[]) =>
  segments.map(([from, to, historySegmentId, previousHistorySegmentId]) => ({
    ...{ fromHeight: BigInt(from), toHeight: BigInt(to), historySegmentId, previousHistorySegmentId },
  }));

const said = (...segments: readonly Short[]) => breaksText(findChainBreaks(linked(...segments)));
const at = (block: number | string, reason: string) =>
  `the segments do not form one chain at block ${block}: ${reason}`;

describe('Segment links', () => {
  it.each<readonly [string, readonly Short[]]>([
    ['none', []],
    ['one', [[1, 10, 'A', '']]],
    [
      'all linked',
      [
        [1, 10, 'A', ''],
        [11, 20, 'B', 'A'],
        [21, 25, 'C', 'B'],
      ],
    ],
    [
      'the first naming one that the node has dropped',
      [
        [11, 20, 'B', 'A'],
        [21, 30, 'C', 'B'],
      ],
    ],
    [
      'a gap, and one after it that names what is not listed',
      [
        [1, 10, 'A', ''],
        [21, 30, 'C', 'B'],
        [31, 40, 'D', 'C'],
      ],
    ],
    [
      'a gap, and one after it that names none',
      [
        [1, 10, 'A', ''],
        [21, 30, 'C', ''],
      ],
    ],
    [
      'two ends after one segment, each linked',
      [
        [1, 10, 'A', ''],
        [11, 15, 'B', 'A'],
        [11, 20, 'C', 'A'],
        [21, 30, 'D', 'C'],
      ],
    ],
    [
      'the same twice',
      [
        [1, 10, 'A', ''],
        [1, 10, 'A', ''],
        [11, 20, 'B', 'A'],
      ],
    ],
    [
      'no ids at all',
      [
        [1, 10, '', ''],
        [11, 20, '', ''],
      ],
    ],
  ])('The segments form one chain: %s', (_, segments) => {
    expect(said(...segments)).toBeUndefined();
  });

  it.each<readonly [string, readonly Short[], string]>([
    [
      'a wrong link',
      [
        [1, 10, 'A', ''],
        [11, 20, 'B', 'X'],
        [21, 30, 'C', 'B'],
      ],
      at(11, 'its segment names X before it, not A'),
    ],
    [
      'a missing link',
      [
        [1, 10, 'A', 'Z'],
        [11, 20, 'B', ''],
      ],
      at(11, 'its segment names none as the one before it, which is A'),
    ],
    [
      'one id for two ranges',
      [
        [1, 10, 'A', ''],
        [11, 20, 'A', 'A'],
      ],
      at(11, 'segment A stands for blocks 1 to 10 and for 11 to 20'),
    ],
    [
      'two ids for one range',
      [
        [1, 10, 'A', ''],
        [1, 10, 'B', ''],
        [11, 20, 'C', 'A'],
      ],
      at(1, 'blocks 1 to 10 have two segments, A and B'),
    ],
    [
      'a link over a gap',
      [
        [1, 10, 'A', ''],
        [21, 30, 'C', 'A'],
      ],
      at(21, 'its segment names A, which ends at block 10, as the one before it'),
    ],
    [
      'a link into an overlap',
      [
        [1, 10, 'A', ''],
        [8, 20, 'B', 'A'],
      ],
      at(8, 'its segment names A, which ends at block 10, as the one before it'),
    ],
    [
      'a link to itself',
      [
        [1, 10, 'A', 'A'],
        [11, 20, 'B', 'A'],
      ],
      at(1, 'its segment names itself as the one before it'),
    ],
    [
      'a link to a later one',
      [
        [1, 10, 'A', 'B'],
        [11, 20, 'B', 'A'],
      ],
      at(1, 'its segment names B, which ends at block 20, as the one before it'),
    ],
    [
      'a link past the one before',
      [
        [1, 10, 'A', ''],
        [11, 20, 'B', 'A'],
        [21, 30, 'C', 'A'],
      ],
      at(21, 'its segment names A before it, not B'),
    ],
    [
      'a link of another case',
      [
        [1, 10, 'Qma', ''],
        [11, 20, 'QmB', 'QmA'],
      ],
      at(11, 'its segment names QmA before it, not Qma'),
    ],
    [
      'some',
      [
        [1, 9, 'A', ''],
        [10, 19, 'B', ''],
        [20, 29, 'C', ''],
        [30, 39, 'D', 'C'],
      ],
      `${at(10, 'its segment names none as the one before it, which is A')}; nor at 20`,
    ],
    [
      'many',
      [1, 2, 3, 4, 5, 6].map(n => [n, n, `Q${n}`, ''] as const),
      `${at(2, 'its segment names none as the one before it, which is Q1')}; nor at 4 other blocks`,
    ],
  ])('The segments do not form one chain: %s', (_, segments, sentence) => {
    expect(said(...segments)).toBe(sentence);
  });

  it('The segments of a range are judged by what is inside it', () => {
    const breaks = findChainBreaks(linked([1, 10, 'A', ''], [11, 20, 'B', 'X'], [21, 30, 'C', 'B']));
    const within = (from: number, to: number) => breaksInRange(breaks, { from: BigInt(from), to: BigInt(to) }).length;
    expect([within(1, 30), within(1, 20), within(1, 10), within(11, 30)]).toEqual([1, 1, 0, 0]);
  });

  it('The segments of a partly kept chain form one chain, and any changed link or ID in it is found', () => {
    const chain = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => [index * 10 + 1, index * 10 + 10, `Q${index + 1}`, index === 0 ? '' : `Q${index}`] as const,
      );
    const kept = fc.integer({ min: 2, max: 30 }).chain(count =>
      fc.record({
        list: fc.subarray([...chain(count)], { minLength: 2 }),
        at: fc.nat(count),
        to: fc.constantFrom('', 'other', 'Q1', `Q${count}`),
      }),
    );
    fc.assert(
      fc.property(kept, ({ list, at, to }) => {
        expect(said(...list)).toBeUndefined();
        const index = 1 + (at % (list.length - 1));
        const [before, segment] = [list[index - 1], list[index]];
        if (before === undefined || segment === undefined || before[1] + 1 !== segment[0] || segment[3] === to) return;
        const changed = list.with(index, [segment[0], segment[1], segment[2], to]);
        expect(said(...changed)).toContain(`at block ${segment[0]}:`);
      }),
    );
  });

  it('A hundred thousand segments are judged at once', () => {
    const many = Array.from({ length: 100_000 }, (_, n) => [n + 1, n + 1, `Q${n}`, 'Q'] as const);
    expect(findChainBreaks(linked(...many))).toHaveLength(99_999);
  });
});
