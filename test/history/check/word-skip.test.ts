import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HighByteSkipper } from '../../../src/history/check/csv-scan.ts';

/** The same, a byte at a time. */
function plainSkip(piece: Buffer, from: number, limit: number): number {
  let at = from;
  if ((piece.byteOffset + at) % 4 !== 0) return at;
  while (at + 4 <= piece.length && piece.subarray(at, at + 4).every(byte => byte > limit)) at += 4;
  return at;
}

/** Bytes that are mostly above the limit, so that there is something to skip, and those that may borrow. */
const bytes = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0x23, max: 0xff }) },
  fc.constantFrom(0, 0x0a, 0x22, 0x23, 0x7f, 0x80, 0x81, 0xff),
);

it('`WordSkip` skips exactly the words that are all above the limit, wherever the piece lies in memory', () => {
  fc.assert(
    fc.property(
      fc.array(bytes, { maxLength: 40 }),
      fc.nat({ max: 7 }),
      fc.nat({ max: 7 }),
      fc.constantFrom(0x22, 0x2c, 0x7e),
      (memory, before, behind, limit) => {
        const { buffer } = Uint8Array.from(memory);
        const start = Math.min(before, memory.length);
        const piece = Buffer.from(buffer, start, Math.max(0, memory.length - start - behind));
        const words = new HighByteSkipper(piece);
        for (let at = 0; at <= piece.length; at++) expect(words.skip(at, limit)).toBe(plainSkip(piece, at, limit));
      },
    ),
    { numRuns: 500 },
  );
});
