import fc from 'fast-check';
import { expect } from 'vitest';
import { isoTime, microText, readTime, secondText, timeOfDay } from '../../../../src/base/text/time.ts';
import { createComparison, exampleValue } from '../../../../src/chain/insight/comparison.ts';
import { KIND_FORMATS, type Kind, statusKind } from '../../../../src/chain/insight/kind.ts';
import { intersectRanges, joinRanges } from '../../../../src/chain/insight/range.ts';
import { anyText, nowMs } from '../../../support/any-text.ts';
import { runs } from '../../../support/runs.ts';
import { type Feed, feed } from './feed.ts';

const isNamed = (kind: string): kind is keyof typeof KIND_FORMATS => Object.hasOwn(KIND_FORMATS, kind);
const kind: fc.Arbitrary<Kind> = fc.oneof(
  fc.constantFrom(...Object.keys(KIND_FORMATS).filter(isNamed)),
  fc.constant(statusKind('STATUS_', { ACTIVE: 'good' })),
);
const written = fc.oneof(
  anyText,
  fc.constantFrom('2h', '1 h 30 min', '-2d', '66 %', '10 000 VEGA', '1e3', '2026-02-30', '2026-11', '1_000.5'),
);

/** With a year of four digits. */
const timeMs = fc.integer({ min: Date.UTC(0) - 1_899 * 31_556_952_000, max: 253_402_300_799_000 });

const block = fc.bigInt({ min: 0n, max: 40n });
const range = fc.tuple(block, block).map(([from, blocks]) => ({ from, to: from + blocks }));
const ranges = fc.array(range).map(each => each.toSorted((one, other) => Number(one.from - other.from)));

/** Where the value lies of each text, of every kind. */
const placed = (of: Kind, wanted: string, value: string, now: number) =>
  createComparison(of, wanted, now)?.placeOf(value);

/** Of the modules that compare values with what a person has written. */
export const COMPARISON_FEEDS: readonly Feed[] = [
  {
    ...feed(placed, [kind, written, written, nowMs], {
      check: place => expect([-1, 0, 1, undefined]).toContain(place),
      numRuns: runs(200, 2000),
    }),
    of: createComparison,
  },
  feed(exampleValue, [kind], {
    check: (example, [of]) => expect(createComparison(of, example.replace(/^[^\w]+/, ''), 0)).toBeDefined(),
  }),
  feed(joinRanges, [ranges], {
    check: joined => {
      for (const [index, { from, to }] of joined.entries()) {
        expect(from <= to).toBe(true);
        expect(from > (joined[index - 1]?.to ?? -2n) + 1n).toBe(true);
      }
    },
  }),
  feed(intersectRanges, [ranges, ranges], {
    check: common => expect(common.every(({ from, to }) => from <= to)).toBe(true),
  }),
  feed(readTime, [written], {
    check: stretch => expect(stretch === undefined || stretch.fromNs < stretch.untilNs).toBe(true),
  }),
  feed(secondText, [timeMs], {
    check: (text, [ms]) => expect(readTime(text)?.fromNs).toBe(BigInt(Math.floor(ms / 1000)) * 1_000_000_000n),
  }),
  feed(timeOfDay, [timeMs], { check: text => expect(text).toMatch(/^\d\d:\d\d:\d\d$/) }),
  feed(microText, [timeMs.map(ms => BigInt(ms) * 1000n + 7n)], {
    check: (text, [us]) => expect(readTime(text)).toMatchObject({ fromNs: us * 1000n, untilNs: us * 1000n + 1000n }),
  }),
  feed(isoTime, [timeMs.map(ms => BigInt(ms) * 1_000_000n + 7n)], {
    check: (text, [ns]) => expect(readTime(text)?.fromNs).toBe(ns),
  }),
];
