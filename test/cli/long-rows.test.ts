import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inPieces, isTooLong } from '../../src/cli/query/long-rows.ts';

const cell = fc.option(fc.string({ maxLength: 12 }));

it('rows are written in pieces that are short, or one row, and none is lost or moved', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { maxLength: 3 }), { minLength: 1 }),
      fc.integer({ min: 0, max: 40 }),
      (rows, most) => {
        const pieces = [...inPieces(rows, most)];
        expect(pieces.flat()).toEqual(rows);
        for (const piece of pieces) {
          const length = piece.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);
          expect(piece.length === 1 || (piece.length > 1 && length <= most)).toBe(true);
        }
      },
    ),
  );
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

it('a text that cannot be made is told from other faults', () => {
  expect(isTooLong(thrownBy(() => 'x'.repeat(2 ** 29)))).toBe(true);
  expect(isTooLong(thrownBy(() => ['x'.repeat(2 ** 29 - 30), 'x'.repeat(30)].join()))).toBe(true);
  expect(isTooLong(thrownBy(() => Buffer.alloc(2 ** 28).toString('hex')))).toBe(true);
  expect(isTooLong(thrownBy(() => 'x'.repeat(-1)))).toBe(false);
  expect(isTooLong(thrownBy(() => JSON.parse('{')))).toBe(false);
});
