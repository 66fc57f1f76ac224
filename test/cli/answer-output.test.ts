import { expect, it } from 'vitest';
import { printAnswer } from '../../src/cli/answer.ts';
import { createSink } from '../../src/cli/sink.ts';
import { TextStream } from './run-command.ts';

const column = (id: string, align: 'left' | 'right') => ({ id, title: id, align, in: 'both', unit: '' }) as const;

const answer = {
  sql: '',
  columns: [column('asset', 'left'), column('received', 'right'), column('why', 'left')],
  rows: [
    ['USDT', '9 677 136 364 520.783911', 'reward or infrastructure fee share received'],
    ['VEGA', '367.193380316254877819', null],
  ],
  notes: [],
};

async function printed(columns: number, isTerminal: boolean, rows = answer.rows): Promise<string> {
  const stream = Object.assign(new TextStream(isTerminal), { columns });
  await printAnswer({ ...answer, rows }, 'table', createSink(stream));
  return stream.text;
}

it('An answer is printed as a table if it fits the terminal, and always in a pipe', async () => {
  const table = await printed(80, true);
  expect(table).toMatchInlineSnapshot(`
    "ASSET                  RECEIVED  WHY
    USDT   9 677 136 364 520.783911  reward or infrastructure fee share received
    VEGA     367.193380316254877819
    "
  `);
  expect(await printed(40, false)).toBe(table);
});

it('An answer wider than the terminal is printed as a block of lines per row, with every value complete', async () => {
  expect(await printed(40, true)).toMatchInlineSnapshot(`
    "-- 1 --
    ASSET     USDT
    RECEIVED  9 677 136 364 520.783911
    WHY       reward or infrastructure fee s
              hare received
    -- 2 --
    ASSET     VEGA
    RECEIVED  367.193380316254877819
    WHY
    "
  `);
});

it('An answer without rows is printed with its column titles, however narrow the terminal is', async () => {
  expect(await printed(10, true, [])).toBe('ASSET  RECEIVED  WHY\n');
});
