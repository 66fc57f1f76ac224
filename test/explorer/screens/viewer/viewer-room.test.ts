import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ViewerColumn } from '../../../../src/answers/index.ts';
import { COLUMN_GAP, EDGE_CELLS, withRoomForAmounts } from '../../../../src/explorer/screens/viewer/columns.ts';

const column = (shape: 'text' | 'number', cells: number, isAnswer = true) => {
  const known: ViewerColumn = { name: shape, type: 'VARCHAR', shape, about: '', unit: '', words: {}, isAnswer };
  return { column: known, cells };
};

const anyColumn = fc.tuple(fc.constantFrom('text', 'number'), fc.integer({ min: 4, max: 60 }));
const widthOf = (columns: readonly { readonly cells: number }[]): number =>
  columns.reduce((sum, { cells }) => sum + cells + COLUMN_GAP, EDGE_CELLS - COLUMN_GAP);

describe('Column widths of an answer', () => {
  it('The name columns of an answer are cut, and never its amounts, as far as that makes an amount fit', () => {
    fc.assert(
      fc.property(fc.array(anyColumn), fc.integer({ min: 20, max: 200 }), (given, room) => {
        const columns = given.map(([shape, cells]) => column(shape, cells));
        const made = withRoomForAmounts(columns, room);
        expect(made.map(({ column: { shape } }) => shape)).toEqual(given.map(([shape]) => shape));
        for (const [at, { column: of, cells }] of made.entries()) {
          const before = columns[at]?.cells ?? 0;
          expect(cells).toBeLessThanOrEqual(before);
          if (of.shape === 'number') expect(cells).toBe(before);
          else expect(cells).toBeGreaterThanOrEqual(Math.min(before, 10));
        }
        if (widthOf(columns) <= room) expect(made).toEqual(columns);
      }),
    );
  });

  it('The columns of a balance at 80 columns show the amount', () => {
    const columns = [5, 17, 20, 10].map(cells => column('text', cells));
    const made = withRoomForAmounts([...columns, column('number', 27), column('text', 19)], 80);
    expect(made.map(({ cells }) => cells)).toEqual([5, 13, 13, 10, 27, 19]);
    expect(widthOf(made.slice(0, 5))).toBe(80);
  });

  it('The columns of any other table stay as they are', () => {
    const columns = [column('text', 60, false), column('number', 60, false)];
    expect(withRoomForAmounts(columns, 80)).toEqual(columns);
  });
});
