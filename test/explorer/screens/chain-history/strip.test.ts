import { describe, expect, it } from 'vitest';
import { historyParts, partState, stripCells } from '../../../../src/explorer/screens/chain-history/strip.ts';
import { storedTable } from '../../support/history-scenes.ts';

const range = (from: number, to: number) => ({ from: BigInt(from), to: BigInt(to) });
const SEGMENTS = [range(1, 1000), range(1001, 2000), range(3001, 4000)];

describe('Strip of a history', () => {
  it('The strip has a part for each segment of the node and for each gap', () => {
    expect(historyParts(SEGMENTS, [])).toEqual([
      { ...range(1, 1000), isServed: true },
      { ...range(1001, 2000), isServed: true },
      { ...range(2001, 3000), isServed: false },
      { ...range(3001, 4000), isServed: true },
    ]);
  });

  it('The strip has the slices on disk that the node does not have any more', () => {
    const parts = historyParts([range(2001, 3000)], [storedTable('ledger', 2000)]);
    expect(parts).toEqual([
      { ...range(1, 1000), isServed: false },
      { ...range(1001, 2000), isServed: false },
      { ...range(2001, 3000), isServed: true },
    ]);
  });

  it('The strip is that of the disk alone without a node', () => {
    expect(historyParts([], [storedTable('ledger', 2000), storedTable('trades', 1000)])).toHaveLength(2);
  });

  it('The strip tells what is on disk, under way, damaged, on the node and missing', () => {
    const parts = historyParts(SEGMENTS, []);
    const table = storedTable('ledger', 1000, { damaged: [range(1001, 2000)] });
    expect(parts.map(part => partState(part, table, null))).toEqual(['on-disk', 'damaged', 'missing', 'on-node']);
    expect(parts.map(part => partState(part, table, range(1001, 2000)))[1]).toBe('fetching');
    expect(parts.map(part => partState(part, undefined, null))).toEqual(['on-node', 'on-node', 'missing', 'on-node']);
  });

  it('The strip has a cell for each part where there is room', () => {
    expect(stripCells(['on-disk', 'missing', 'on-node'], 9)).toEqual(['on-disk', 'missing', 'on-node']);
    expect(stripCells([], 9)).toEqual([]);
  });

  it('The strip shows in a cell of several parts what needs someone', () => {
    const cell = (...states: Parameters<typeof stripCells>[0]) => stripCells(states, 1)[0];
    expect(cell('on-disk', 'on-disk')).toBe('on-disk');
    expect(cell('on-disk', 'on-node')).toBe('partly');
    expect(cell('on-disk', 'missing')).toBe('partly');
    expect(cell('on-disk', 'damaged', 'fetching')).toBe('damaged');
    expect(cell('on-node', 'fetching', 'on-disk')).toBe('fetching');
    expect(cell('on-node', 'missing')).toBe('on-node');
    expect(cell('missing', 'missing')).toBe('missing');
  });

  it('The strip of thousands of parts is as wide as asked for, and has each part once', () => {
    const states = Array.from({ length: 4999 }, (_, at) => (at === 2500 ? ('damaged' as const) : ('on-disk' as const)));
    const cells = stripCells(states, 40);
    expect(cells).toHaveLength(40);
    expect(cells.filter(cell => cell === 'damaged')).toHaveLength(1);
  });
});
