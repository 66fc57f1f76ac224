import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import { type ExportCsv, entryOf, inFolder, NEVER, writeZip } from './export-zip.ts';

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

describe('Export folder with missing slices', () => {
  const slices = async (folder: string, there: readonly ExportCsv[]): Promise<string> => {
    const path = join(folder, 'slices');
    const times = { started: '2026-10-01T00:00:00.000Z', finished: null };
    await mkdir(path);
    const files = await Promise.all(
      there.map(async csv => {
        const name = `c-${csv.table}-${String(csv.from).padStart(6, '0')}-${String(csv.to).padStart(6, '0')}.zip`;
        const bytes = await readFile(await writeZip(path, [csv], name));
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const range = { fromBlock: String(csv.from), toBlock: String(csv.to) };
        const entry = {
          ...range,
          name: entryOf(csv).name,
          schemaVersion: 93,
          rows: csv.rows.length,
          columns: [],
          bytes: 0,
          crc32: '',
        };
        const facts = { bytes: bytes.length, sha256, rows: csv.rows.length, csvs: [entry], notes: [] };
        return { ...range, ...facts, ...times, file: name, finished: times.started };
      }),
    );
    const of = { chainId: 'c', table: 'balances', fromBlock: '1', toBlock: '200', segmentsPerSlice: 1 };
    const about = { format: 1, program: 'x', node: 'http://127.0.0.1', notes: [] };
    await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...about, ...of, ...times, slices: files }));
    return path;
  };

  test('A table with missing slices is marked incomplete, and a complete table in the same folder is not mentioned', () =>
    inFolder(async folder => {
      const values = ['1', '1', '1', A, '2026-10-01 00:00:00+00', '1'];
      const whole = { ...balances(1, []), table: 'checkpoints', rows: [values] };
      await convertInto(folder, [await writeZip(folder, [whole])]);
      const path = await slices(folder, [balances(1, ['1'])]);
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
      const path = await slices(folder, []);
      const converted = convertInto(folder, [path], { evenIncomplete: true });
      await expect(converted).rejects.toMatchObject({
        because: 'untrusted',
        message: expect.stringMatching(/nothing to convert in/),
      });
      expect(await readdir(folder)).toEqual(['slices']);
    }));
});
