import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import { type ExportCsv, inFolder, NEVER, writeZip } from './export-zip.ts';
import { writeSlices } from './slices-folder.ts';

const A = `\\x${'ab'.repeat(32)}`;

/** Balances of a hundred blocks. */
const balances = (from: number, amounts: readonly string[]): ExportCsv => ({
  table: 'balances',
  version: 93,
  from,
  to: from + 99,
  rows: amounts.map(amount => [A, '2026-10-01 00:00:00+00', A, amount]),
});

const convertInto = (folder: string, paths: readonly string[], more = {}) =>
  convertToParquet({ paths, out: join(folder, 'out'), signal: NEVER, ...more });

/** Two slices of a hundred blocks. */
const HUNDREDS = { table: 'balances', fromBlock: '1', toBlock: '200' };

describe('Export folder with missing slices', () => {
  test('A table with missing slices is marked incomplete, and a complete table in the same folder is not mentioned', () =>
    inFolder(async folder => {
      const values = ['1', '1', '1', A, '2026-10-01 00:00:00+00', '1'];
      const whole = { ...balances(1, []), table: 'checkpoints', rows: [values] };
      await convertInto(folder, [await writeZip(folder, [whole])]);
      const path = await writeSlices(join(folder, 'slices'), [balances(1, ['1'])], HUNDREDS);
      await expect(convertInto(folder, [path])).rejects.toMatchObject({
        because: 'untrusted',
        message: expect.stringMatching(/block 101 is in no slice/),
      });
      const { tables } = await convertInto(folder, [path], { evenIncomplete: true });
      expect(tables.map(({ name, isComplete, notes }) => [name, isComplete, notes])).toEqual([
        ['balances', false, [`${path}: block 101 is in no slice`]],
        ['checkpoints', true, []],
      ]);
    }));

  test('A folder without any slices has nothing to convert, and no output folder is created', () =>
    inFolder(async folder => {
      const path = await writeSlices(join(folder, 'slices'), [], HUNDREDS);
      const converted = convertInto(folder, [path], { evenIncomplete: true });
      await expect(converted).rejects.toMatchObject({
        because: 'untrusted',
        message: expect.stringMatching(/nothing to convert in/),
      });
      expect(await readdir(folder)).toEqual(['slices']);
    }));
});
