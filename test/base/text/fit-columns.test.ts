import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FittableColumn, fitColumns, lineCells, scrollColumns } from '../../../src/base/text/fit-columns.ts';

const GAP = 2;
const column = (...[least = 0, ...more]: readonly number[]): FittableColumn => ({ steps: [least, ...more] });
const widths = (columns: readonly FittableColumn[], room: number): readonly number[] =>
  fitColumns(columns, { room, gap: GAP }).map(({ cells }) => cells);

const anyColumn = fc
  .record({
    steps: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
    yields: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ steps, yields }) => ({ ...column(...steps.toSorted((one, other) => one - other)), yields }));

describe('Columns that fit into a line', () => {
  it('The columns of a line have their last width where all have room, and none has more', () => {
    expect(widths([column(2, 8), column(3, 20)], 30)).toEqual([8, 20]);
    expect(widths([column(2, 8), column(3, 20)], 90)).toEqual([8, 20]);
    expect(widths([column(2, 8), column(0, Number.POSITIVE_INFINITY)], 90)).toEqual([8, 80]);
  });

  it('The columns of a line that are cut have equally many cells more than their fewest', () => {
    expect(widths([column(2, 8), column(3, 20)], 20)).toEqual([8, 10]);
    expect(widths([column(2, 8), column(3, 20)], 15)).toEqual([6, 7]);
    expect(widths([column(2, 8), column(10, 20)], 17)).toEqual([3, 11]);
    expect(widths([column(2, 8), column(10, 20)], 13)).toEqual([2, 9]);
  });

  it('The columns of a line take a step only when all have taken the one before', () => {
    const [figure, text] = [column(4, 10), column(5, 5, 20)];
    expect(widths([figure, text], 13)).toEqual([6, 5]);
    expect(widths([figure, text], 19)).toEqual([10, 7]);
  });

  it('The columns of a line that yield are left out before others have less than the step they yield at', () => {
    const bars = { ...column(3, 3, 20), yields: 1, yieldsAt: 1 };
    expect(widths([column(2, 8), bars], 13)).toEqual([8, 3]);
    expect(widths([column(2, 8), bars], 12)).toEqual([8]);
    const [soon, late] = [
      { ...column(4), yields: 2 },
      { ...column(4), yields: 1 },
    ];
    expect(fitColumns([soon, column(4), late], { room: 10, gap: GAP }).map(one => one.column)).toEqual([
      column(4),
      late,
    ]);
  });

  it('The columns of a line never pass its end, leave no room that all of those cut could have, and stay in order', () => {
    fc.assert(
      fc.property(fc.array(anyColumn, { maxLength: 6 }), fc.integer({ min: 0, max: 120 }), (columns, room) => {
        const fitted = fitColumns(columns, { room, gap: GAP });
        const shown = fitted.map(one => one.column);
        const used = fitted.reduce((sum, { cells }) => sum + cells + GAP, -GAP);
        expect(shown).toEqual(columns.filter(one => shown.includes(one)));
        for (const one of columns) if (one.yields === 0) expect(shown).toContain(one);
        const fits = lineCells(shown, GAP) <= room;
        if (fits && shown.length > 0) expect(used).toBeLessThanOrEqual(room);
        for (const { column: one, cells } of fitted) {
          const [least, most = 0] = [one.steps[0], one.steps.at(-1)];
          expect(cells).toBeLessThanOrEqual(most);
          if (fits) expect(cells).toBeGreaterThanOrEqual(least);
          if (fits && cells < most) expect(used).toBeGreaterThan(room - shown.length);
        }
      }),
    );
  });
});

describe('Columns that scroll', () => {
  const scrolled = (past: number, room: number, leastCut?: number) => {
    const columns = [10, 20, 30, 8].map(cells => column(cells));
    const made = scrollColumns(columns, { past, room, gap: GAP, leastCut: () => leastCut });
    return [made.hiddenLeft, widths(made.columns, room), made.hiddenRight];
  };

  it('The columns that scroll stand next to the first, as many as have room', () => {
    expect(scrolled(0, 74)).toEqual([0, [10, 20, 30, 8], 0]);
    expect(scrolled(0, 73)).toEqual([0, [10, 20, 30], 1]);
    expect(scrolled(1, 54)).toEqual([1, [10, 30, 8], 0]);
    expect(scrolled(0, 9)).toEqual([0, [9], 3]);
  });

  it('The columns that scroll go no further than to see the last', () => {
    expect(scrolled(9, 20)).toEqual([2, [10, 8], 0]);
    expect(scrolled(9, 52)).toEqual([1, [10, 30, 8], 0]);
    expect(scrolled(9, 90)).toEqual([0, [10, 20, 30, 8], 0]);
  });

  it('The column behind those that have room is cut where it may be, and there is enough for it', () => {
    expect(scrolled(0, 46, 12)).toEqual([0, [10, 20, 12], 1]);
    expect(scrolled(0, 45, 12)).toEqual([0, [10, 20], 2]);
  });
});
