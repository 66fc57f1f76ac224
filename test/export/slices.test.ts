import fc from 'fast-check';
import { expect, it } from 'vitest';
import { proposedSlice } from '../../src/export/slices.ts';

it('the slice that is proposed makes at most a hundred slices, and grows with the range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), segments => {
      const size = proposedSlice(BigInt(segments));
      expect(Math.ceil(segments / size)).toBeLessThanOrEqual(100);
      expect(size).toBeLessThanOrEqual(segments);
      expect(proposedSlice(BigInt(segments + 1))).toBeGreaterThanOrEqual(size);
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
])('for %d segments it is %d', (segments, size) => expect(proposedSlice(BigInt(segments))).toBe(size));
