import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiText } from '../../../src/base/text/ascii.ts';
import { HISTORY_MARKS, historyLegend, historyLine } from '../../../src/chain/range/history-line.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import { segment } from '../../explorer/support/export-scenes.ts';

// 1-1000 and 3001-4000: two thousand blocks between them are missing.
const GAPPED = listedBoundaries([segment(1, 500), segment(501, 1000), segment(3001, 4000)]);
const drawn = (from: number, to: number, cells: number): string =>
  historyLine(GAPPED, { from: BigInt(from), to: BigInt(to) }, cells)
    ?.cells.map(cell => HISTORY_MARKS.ascii[cell])
    .join('') ?? '';

describe('History line', () => {
  it('The history line has the chosen range, what is available and what is missing', () => {
    expect(drawn(501, 1000, 16)).toBe('--##........----');
    expect(drawn(3001, 4000, 8)).toBe('--....##');
    expect(historyLine(GAPPED, null, 8)?.cells.join(' ')).toBe(
      'available available missing missing missing missing available available',
    );
  });

  it('The history line is absent when nothing is known of the history', () => {
    expect(historyLine({ kind: 'rule' }, null, 20)).toBeNull();
    expect(historyLine(listedBoundaries([]), null, 20)).toBeNull();
    expect(historyLine(GAPPED, null, 0)).toBeNull();
  });

  it('The history line says the same in ASCII, with a legend of its characters', () => {
    const line = historyLine(GAPPED, { from: 1n, to: 500n }, 12);
    if (line === null) throw new Error('no line');
    const [wide, plain] = [HISTORY_MARKS['utf-8'], HISTORY_MARKS.ascii];
    for (const cell of ['available', 'missing', 'chosen'] as const) expect(asciiText(wide[cell])).toBe(plain[cell]);
    expect(new Set(Object.values(plain)).size).toBe(3);
    expect(historyLegend(line, plain)).toBe('# chosen  . missing');
  });

  it('The history line hides nothing shorter than a cell: each block has a cell that shows it, at any width', () => {
    const bounds = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 5000 }));
    const gapped = fc.record({
      kept: bounds,
      gap: fc.integer({ min: 1, max: 100_000 }),
      more: fc.integer({ min: 1, max: 5000 }),
    });
    fc.assert(
      fc.property(
        gapped,
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        ({ kept: [first, length], gap, more }, cells, at) => {
          const [end, next] = [first + length - 1, first + length + gap];
          const boundaries = listedBoundaries([segment(first, end), segment(next, next + more - 1)]);
          const block = BigInt(first + (at % length));
          const line = historyLine(boundaries, { from: block, to: block }, cells);
          if (line === null) throw new Error('no line');
          expect(line.cells.length).toBeLessThanOrEqual(cells);
          expect(line.cells.filter(cell => cell === 'chosen')).toHaveLength(1);
          if (cells > 2) expect(historyLine(boundaries, null, cells)?.cells).toContain('missing');
        },
      ),
    );
  });
});
