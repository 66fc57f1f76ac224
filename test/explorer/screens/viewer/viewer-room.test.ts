import { describe, expect, it } from 'vitest';
import { placedColumns } from '../../../../src/explorer/screens/viewer/columns.ts';
import { currentRowFormat } from '../../../../src/explorer/screens/viewer/row-format.ts';
import { tableOf, viewing } from '../../support/viewer-scenes.ts';

const column = (name: string, shape: 'text' | 'number', isAnswer: boolean) => ({
  ...{ name, shape, type: 'VARCHAR', about: '', unit: '', words: {} },
  isAnswer,
});

/** The cells that columns of these widths have, by name. */
async function cellsOf(widths: readonly (readonly [name: string, cells: number])[], columns: number, isAnswer = true) {
  const table = {
    columns: widths.map(([name]) => column(name, name === 'amount' ? 'number' : 'text', isAnswer)),
    row: () =>
      widths.map(([name, cells]) => (name === 'amount' ? `${'1'.repeat(cells - 6)}.00000` : 'x'.repeat(cells))),
    rows: 3,
  };
  const { session } = await viewing({ screen: { columns, rows: 16 }, table });
  const known = tableOf(session);
  return placedColumns(known, currentRowFormat(known, session.state()), columns).placed.map(
    ({ column: { name }, cells }) => [name, cells] as const,
  );
}

const BALANCE = [
  ['a', 5],
  ['b', 17],
  ['c', 20],
  ['d', 10],
  ['amount', 21],
  ['e', 19],
] as const;

describe('Column widths of an answer', () => {
  it('The columns of a balance at 80 columns show the amount, for which names are cut, the widest first', async () => {
    const placed = await cellsOf(BALANCE, 80);
    const amount = placed.find(([name]) => name === 'amount')?.[1] ?? 0;
    expect(amount).toBeGreaterThan(21);
    const names = Math.floor((80 - 4 - 8 - 5 - 10 - amount) / 2);
    expect(placed.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'amount']);
    expect(placed.slice(0, 4)).toEqual([
      ['a', 5],
      ['b', names],
      ['c', 80 - 4 - 8 - 15 - amount - names],
      ['d', 10],
    ]);
  });

  it('The columns of an answer are whole where all have room', async () => {
    for (const [name, cells] of await cellsOf(BALANCE, 140))
      if (name !== 'amount') expect([name, cells]).toEqual(BALANCE.find(([of]) => of === name));
  });

  it('The text columns of any other table are not cut for the next', async () => {
    const placed = await cellsOf(BALANCE, 80, false);
    expect(placed.slice(0, 4)).toEqual(BALANCE.slice(0, 4));
  });
});
