import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqlText } from '../../../src/answers/engine/sql-text.ts';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import { readParquetManifest } from '../../../src/answers/parquet/parquet-manifest.ts';
import { columnSchema, columnsAtVersion } from '../../../src/tables/columns.ts';
import { zipOf } from '../../history/check/zip-bytes.ts';
import { sharedEngine } from '../shared-engine.ts';
import { type ExportCsv, inFolder, NEVER, writeZip } from './export-zip.ts';

const engine = sharedEngine({ memoryMiB: 128 });

const A = `\\x${'ab'.repeat(32)}`;

/** Balances of a hundred blocks. */
const balances = (from: number, amounts: readonly string[], more: Partial<ExportCsv> = {}): ExportCsv => ({
  table: 'balances',
  version: 93,
  from,
  to: from + 99,
  rows: amounts.map(amount => [A, '2026-10-01 00:00:00+00', A, amount]),
  ...more,
});

const convert = (folder: string, paths: readonly string[], more = {}) =>
  convertToParquet({ paths, out: join(folder, 'out'), signal: NEVER, ...more });

async function cellsIn(folder: string, columns: string, table = 'balances') {
  const files = sqlText(join(folder, 'out', `table=${table}/*/*.parquet`));
  return (await engine().all(`SELECT ${columns} FROM read_parquet(${files}) ORDER BY 1`)).rows;
}

const untrusted = (words: RegExp) => ({
  name: 'AnswerError',
  because: 'untrusted',
  message: expect.stringMatching(words),
});

describe('Archive changed during conversion', () => {
  const other = { ...balances(301, ['3']), from: 301 };
  const columns = columnsAtVersion('checkpoints', 93) ?? [];
  const checkpoints = { ...balances(101, []), table: 'checkpoints', rows: [columns.map(() => '1')] };
  test.each<[string, ExportCsv]>([
    ['other blocks', other],
    ['another table', checkpoints],
    ['other columns', balances(101, [], { columns: [...(columnsAtVersion('balances', 93) ?? []), 'more'], rows: [] })],
    [
      'more rows',
      balances(
        101,
        Array.from({ length: 50 }, (_, index) => `${index}`),
      ),
    ],
  ])('An archive that changes during conversion is refused, and nothing in it is reported: %s', (_, now) =>
    inFolder(async folder => {
      const first = await writeZip(folder, [balances(1, ['1'])], 'a.zip');
      const second = await writeZip(folder, [balances(101, ['2'])], 'b.zip');
      const third = await writeZip(folder, [now], 'c.zip');
      const changed = convert(folder, [first, second], { onWritten: () => copyFile(third, second) });
      await expect(changed).rejects.toMatchObject(untrusted(/b\.zip (?:was changed after the conversion began|is )/));
      const manifest = await readParquetManifest(join(folder, 'out'));
      expect(manifest?.finished).toBeNull();
      expect(manifest?.tables).toMatchObject([{ name: 'balances', toBlock: '100' }]);
      expect(await cellsIn(folder, 'balance')).toEqual([['1']]);
    }),
  );
});

test('A table with a column under both its old and its new name is refused, unless both are left out', () =>
  inFolder(async folder => {
    const columns = [...(columnsAtVersion('orders', 2) ?? []), 'peak_size'];
    const row = columns.map(name => {
      const { stored } = columnSchema('orders', name) ?? {};
      return stored === 'timestamp'
        ? '2026-10-01 00:00:00+00'
        : stored === 'bytea'
          ? A
          : stored === 'boolean'
            ? 't'
            : '1';
    });
    const zip = await writeZip(folder, [{ table: 'orders', version: 2, from: 1, to: 100, columns, rows: [row] }]);
    await expect(convert(folder, [zip])).rejects.toMatchObject(untrusted(/two columns called peak_size/));
    await convert(folder, [zip], { exclude: ['peak_size'] });
    expect(await cellsIn(folder, 'minimum_visible_size', 'orders')).toEqual([['1']]);
  }));

test('A table name that no manifest can hold is refused before any file has that name', () =>
  inFolder(async folder => {
    const zip = join(folder, 'x.zip');
    await writeFile(zip, zipOf([{ name: `c-${'f'.repeat(90)}-093-000001-000100.csv`, content: 'a\n1\n' }]));
    await expect(convert(folder, [zip])).rejects.toMatchObject(untrusted(/does not fit a manifest/));
    expect(await readdir(join(folder, 'out'))).toEqual([]);
  }));

test('A binary fraction can be added to numbers of any length', () =>
  inFolder(async folder => {
    const texts = ['9'.repeat(60), '7'];
    const zip = await writeZip(folder, [balances(1, texts)]);
    await convert(folder, [zip], { withF64: true });
    const found = new Map((await cellsIn(folder, 'balance, balance_f64')).map(([text, value]) => [text, value]));
    expect(texts.map(text => found.get(text))).toEqual(['1e+60', '7']);
  }));

describe('Foreign output folder', () => {
  const manifest = (more: object) =>
    JSON.stringify({ format: 1, program: 'x', chainId: 'c', finished: null, tables: [], ...more });
  const file = { rows: 1, bytes: 1, sha256: 'a'.repeat(64), firstTime: null, lastTime: null, sums: {} };
  const telling = (path: string) => {
    const table = { name: 'balances', fromBlock: '1', toBlock: '100', isComplete: true, columns: [], notes: [] };
    return manifest({ tables: [{ ...table, files: [{ ...file, path }], sources: [] }] });
  };

  test.each<[string, RegExp, (out: string, elsewhere: string) => Promise<void>]>([
    [
      'files of a conversion whose manifest is gone',
      /which its manifest does not list: engines would read it too/,
      async out => {
        const zip = await writeZip(join(out, '..'), [balances(101, ['2'])], 'before.zip');
        await convert(join(out, '..'), [zip]);
        await rm(join(out, '_blockglass.json'));
      },
    ],
    [
      'a day that is a link',
      /is a link/,
      async (out, elsewhere) => {
        await mkdir(join(out, 'table=balances'), { recursive: true });
        await symlink(elsewhere, join(out, 'table=balances/date=2026-10-01'));
      },
    ],
    [
      'a table that is a link',
      /is a link/,
      async (out, elsewhere) => {
        await mkdir(out);
        await symlink(elsewhere, join(out, 'table=balances'));
      },
    ],
    [
      'a manifest by which files elsewhere would be removed',
      /lists d\/precious\.parquet/,
      async (out, elsewhere) => {
        await mkdir(out);
        await symlink(elsewhere, join(out, 'd'));
        await writeFile(join(out, '_blockglass.json'), manifest({ publishing: ['d/precious.parquet'] }));
      },
    ],
    [
      'a manifest by which files of its own name would be removed through a link',
      /is a link/,
      async (out, elsewhere) => {
        await mkdir(join(out, 'table=balances'), { recursive: true });
        await symlink(elsewhere, join(out, 'table=balances/date=2026-10-01'));
        const path = 'table=balances/date=2026-10-01/part-1-100-1-1.parquet';
        await writeFile(join(elsewhere, 'part-1-100-1-1.parquet'), 'precious');
        await writeFile(join(out, '_blockglass.json'), manifest({ publishing: [path] }));
      },
    ],
    [
      'a manifest that describes somebody else\u2019s file',
      /lists precious\.parquet/,
      async out => {
        await mkdir(out);
        await writeFile(join(out, 'precious.parquet'), 'precious');
        await writeFile(join(out, '_blockglass.json'), telling('precious.parquet'));
      },
    ],
    [
      'a manifest whose paths lead out of the folder',
      /not a blockglass manifest/,
      async out => {
        await mkdir(out);
        await writeFile(join(out, '_blockglass.json'), manifest({ publishing: ['../../precious.parquet'] }));
      },
    ],
  ])('A folder with content from elsewhere is refused and left unchanged: %s', (_, words, prepare) =>
    inFolder(async folder => {
      const [out, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')];
      await mkdir(elsewhere);
      await writeFile(join(elsewhere, 'precious.parquet'), 'precious');
      const zip = await writeZip(folder, [balances(1, ['1'])]);
      await prepare(out, elsewhere);
      const before = [await readdir(out, { recursive: true }), await readdir(elsewhere)];
      await expect(convert(folder, [zip])).rejects.toMatchObject(untrusted(words));
      expect([await readdir(out, { recursive: true }), await readdir(elsewhere)]).toEqual(before);
      expect(await readFile(join(elsewhere, 'precious.parquet'), 'utf8')).toBe('precious');
    }),
  );
});

test('An output path that is a file or not writable is reported with what to do', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, [balances(1, ['1'])]);
    await writeFile(join(folder, 'out'), 'x');
    await expect(convert(folder, [zip])).rejects.toMatchObject({
      name: 'AnswerError',
      because: 'usage',
      message: expect.stringMatching(/out is a file$/),
      hint: 'choose a folder with --out',
    });
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('x');
  }));

test('A complete table in the folder is not replaced by an incomplete export of the same blocks', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, [balances(1, ['1', '2'])]);
    const before = await convert(folder, [zip]);
    const cut = join(folder, 'cut.zip');
    await writeFile(cut, (await readFile(zip)).subarray(0, -22));
    await expect(convert(folder, [cut], { evenIncomplete: true })).rejects.toThrow(
      /already has blocks 1 to 100 of balances from x\.zip, and .*cut\.zip is not complete/,
    );
    expect(await readParquetManifest(join(folder, 'out'))).toEqual(before);
  }));

test.each(['/proc/none', '/dev/null/none'])('An output folder that cannot be created is reported: %s', out =>
  inFolder(async folder => {
    const zip = await writeZip(folder, [balances(1, ['1'])]);
    await expect(convertToParquet({ paths: [zip], out, signal: NEVER })).rejects.toMatchObject({
      name: 'AnswerError',
      because: 'usage',
    });
  }),
);
