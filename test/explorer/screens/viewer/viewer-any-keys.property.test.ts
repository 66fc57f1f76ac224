import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnShape, ViewerColumn, ViewerRow } from '../../../../src/answers/index.ts';
import { sanitize } from '../../../../src/base/text/safe-text.ts';
import { widthCells } from '../../../../src/base/text/width.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { runs } from '../../../support/runs.ts';
import { press, told } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { viewing } from '../../support/viewer-scenes.ts';

const KEYS = [
  ...['j', 'k', 'down', 'up', 'left', 'right', 'pagedown', 'pageup', 'g', 'G', 'enter', 'enter', 'escape', 'escape'],
  ...['s', 'F', 'C', '=', 'x', 'y', 'T', 'n', 'N', '/', 'r', 'm', '?', '.', '8', '1', 'w', 'S', 'a', 'o', 'backspace'],
];

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '__proto__',
    'quantity',
    '\u001b[31mred',
    '\u202eabc',
    '',
    'x'.repeat(3000),
    '漢字'.repeat(30),
    '\n\t\r',
  ),
);
const number = fc.oneof(
  fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }).map(String),
  fc.constantFrom('0', '-1', '0.5', '-0.000000000000000001', '9'.repeat(38), `-${'9'.repeat(38)}`, '1e400', 'NaN'),
);
const time = fc.constantFrom(
  '2026-10-01 00:00:00',
  '2026-10-01 00:00:00.000001',
  '2026-10-09 23:59:59',
  '0001-01-01 00:00:00',
);

const SHAPES: readonly ColumnShape[] = ['number', 'ordinal', 'id', 'time', 'word', 'text'];

const cellFor = (shape: ColumnShape) =>
  fc.option(shape === 'number' || shape === 'ordinal' ? number : shape === 'time' ? time : hostile, { freq: 3 });

const column = fc.record({
  name: hostile,
  shape: fc.constantFrom(...SHAPES),
  about: hostile,
  unit: fc.constantFrom('', 'asset decimals of whatever', 'market decimals'),
  words: fc.dictionary(hostile, hostile, { maxKeys: 2 }),
});

const tables = fc
  .tuple(
    fc.uniqueArray(column, { selector: ({ name }) => name, maxLength: 8 }),
    fc.boolean(),
    fc.integer({ min: 0, max: 70 }),
  )
  .chain(([others, hasTime, rows]) => {
    const ofTime = { ...{ name: 'vega_time', shape: 'time' as ColumnShape, about: '', unit: '', words: {} } };
    const columns: readonly ViewerColumn[] = [...(hasTime ? [ofTime] : []), ...others].map(known => ({
      ...known,
      type: 'VARCHAR',
    }));
    const row = fc.tuple(...columns.map(({ shape }) => cellFor(shape)));
    return fc.record({ columns: fc.constant(columns), all: fc.array(row, { minLength: rows, maxLength: rows }) });
  });

const screens = fc.constantFrom(
  { columns: 80, rows: 24 },
  { columns: 60, rows: 16 },
  { columns: 120, rows: 40 },
  { columns: 20, rows: 6 },
  { columns: 1, rows: 1 },
);

describe('Viewer under any keys', () => {
  it('A table with any values is drawn within the screen under any keys at any size', async () => {
    const step = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: screens });
    await fc.assert(
      fc.asyncProperty(
        tables,
        screens,
        fc.array(step, { minLength: 20, maxLength: 60 }),
        async ({ columns, all }, screen, steps) => {
          const row = (place: number): ViewerRow => all[place] ?? [];
          const { session } = await viewing({
            screen,
            table: { rows: all.length, columns, row, tables: ['ledger', 'blocks'] },
          });
          for (const one of steps) {
            if (typeof one === 'string') press(session, one);
            else session.dispatch({ type: 'resized', screen: one });
            await told();
            const state = session.state();
            const lines = paintedLines(state).map(plain);
            expect(lines.length).toBeLessThanOrEqual(state.screen.rows);
            for (const line of lines) expect(widthCells(sanitize(line))).toBeLessThanOrEqual(state.screen.columns);
          }
        },
      ),
      { numRuns: runs(15, 30) },
    );
  }, 60_000);
});
