import fc from 'fast-check';
import { expect } from 'vitest';
import { comparisonWith, exampleOf, timeRange } from '../../../src/insight/comparison.ts';
import { type Kind, LOOKS, statusKind } from '../../../src/insight/kind.ts';
import { areSameRanges, commonRanges, joinRanges, rangeLabel } from '../../../src/insight/range.ts';
import { anyText, nowMs } from '../../support/any-text.ts';
import { runs } from '../../support/runs.ts';
import { type Feed, feed } from './feed.ts';

const isNamed = (kind: string): kind is keyof typeof LOOKS => Object.hasOwn(LOOKS, kind);
const kind: fc.Arbitrary<Kind> = fc.oneof(
  fc.constantFrom(...Object.keys(LOOKS).filter(isNamed)),
  fc.constant(statusKind('STATUS_', { ACTIVE: 'good' })),
);
const written = fc.oneof(
  anyText,
  fc.constantFrom('2h', '1 h 30 min', '-2d', '66 %', '10 000 VEGA', '1e3', '2026-02-30', '2026-11', '1_000.5'),
);

const block = fc.bigInt({ min: 0n, max: 40n });
const range = fc.tuple(block, block).map(([from, blocks]) => ({ from, to: from + blocks }));
const ranges = fc.array(range).map(each => each.toSorted((one, other) => Number(one.from - other.from)));

/** Where the value lies of each text, of every kind. */
const placed = (of: Kind, wanted: string, value: string, now: number) =>
  comparisonWith(of, wanted, now)?.placeOf(value);

/** Of the modules that compare values with what a person has written. */
export const COMPARISON_FEEDS: readonly Feed[] = [
  {
    ...feed(placed, [kind, written, written, nowMs], {
      check: place => expect([-1, 0, 1, undefined]).toContain(place),
      numRuns: runs(200, 2000),
    }),
    of: comparisonWith,
  },
  feed(exampleOf, [kind], {
    check: (example, [of]) => expect(comparisonWith(of, example.replace(/^[^\w]+/, ''), 0)).toBeDefined(),
  }),
  feed(joinRanges, [ranges], {
    check: joined => {
      for (const [index, { from, to }] of joined.entries()) {
        expect(from <= to).toBe(true);
        expect(from > (joined[index - 1]?.to ?? -2n) + 1n).toBe(true);
      }
    },
  }),
  feed(commonRanges, [ranges, ranges], {
    check: common => expect(common.every(({ from, to }) => from <= to)).toBe(true),
  }),
  feed(areSameRanges, [ranges, ranges]),
  feed(rangeLabel, [range]),
  feed(timeRange, [written], {
    check: stretch => expect(stretch === undefined || stretch.fromNs < stretch.untilNs).toBe(true),
  }),
];
