import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SelectionOptions } from '../../../src/answers/dataset/choose-exports.ts';
import { selectExports } from '../../../src/answers/dataset/select-exports.ts';
import { readExportNames } from '../../../src/answers/questions/export-names.ts';
import { saveNamesFile } from '../../../src/chain/directory/names-file.ts';
import { exportZip } from '../parquet/export-zip.ts';

let folder = '';
const sha256 = '0'.repeat(64);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'select-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const csv = (table: string, from: number, to: number, rows: readonly (readonly string[])[] = []) => ({
  ...{ table, version: 93, from, to, rows },
});
const archive = async (name: string, ...[table, from, to, rows]: Parameters<typeof csv>): Promise<void> =>
  writeFile(join(folder, name), exportZip([csv(table, from, to, rows)]));

async function parquet(name: string, tables: readonly (readonly [table: string, from: number, to: number])[]) {
  await mkdir(join(folder, name));
  const manifest = {
    ...{ format: 1, program: 'blockglass', chainId: 'c', finished: '2026-10-01T00:00:00Z' },
    tables: tables.map(([table, from, to]) => ({
      ...{ name: table, fromBlock: `${from}`, toBlock: `${to}`, isComplete: true, columns: [], notes: [], files: [] },
    })),
  };
  await writeFile(join(folder, name, '_blockglass.json'), JSON.stringify(manifest));
}

async function slices(name: string, table: string, to: number, ranges: readonly (readonly [number, number])[]) {
  await mkdir(join(folder, name));
  const times = { started: '', finished: '' };
  const manifest = {
    ...{ format: 1, program: 'blockglass', node: '', chainId: 'c', table, fromBlock: '1', toBlock: `${to}` },
    ...{ segmentsPerSlice: 1, ...times, finished: null },
    slices: ranges.map(([fromBlock, toBlock]) => ({
      ...{ fromBlock: `${fromBlock}`, toBlock: `${toBlock}`, file: 'x.zip', bytes: 1, sha256, rows: 0, csvs: [] },
      ...{ notes: [], ...times },
    })),
  };
  await writeFile(join(folder, name, 'manifest.json'), JSON.stringify(manifest));
}

/** What is selected in the folder, or of these names in it: names only. */
async function selected(names: readonly string[] = ['.'], wanted: SelectionOptions = {}) {
  const found = await selectExports(
    names.map(name => join(folder, name)),
    wanted,
  );
  const short = (path: string): string => path.replaceAll(`${folder}/`, '');
  return {
    paths: found.paths.map(path => relative(folder, path)),
    left: found.left.map(({ path, why }) => `${short(path)}: ${short(why)}`),
    names: found.names.map(short),
    without: [...found.without].map(([path, tables]) => [short(path), ...tables]),
  };
}

describe('Export detection', () => {
  test.each(['ledger.zip', 'LEDGER.ZIP', 'august', 'c-rewards-000001-000009.zip', 'my export (1).zip', '-x.zip'])(
    'An export is recognised by its content, whatever its file name: %s',
    async name => {
      await archive(name, 'ledger', 1, 9);
      await writeFile(join(folder, 'c-ledger-000010-000020.zip'), 'no archive');
      expect(await selected()).toMatchObject({ paths: [name], left: [] });
      expect(await selected(['.'], { tables: ['ledger'] })).toMatchObject({ paths: [name] });
    },
  );

  test('An export is recognised through a link, but never through a pipe or a broken link', async () => {
    await mkdir(join(folder, 'in'));
    await archive('ledger.zip', 'ledger', 1, 9);
    await symlink(join(folder, 'ledger.zip'), join(folder, 'in', 'a.zip'));
    await symlink(join(folder, 'nowhere'), join(folder, 'in', 'b.zip'));
    expect(await selected(['in'])).toMatchObject({ paths: ['in/a.zip'], left: [] });
  });

  test('The saved range stays with its export when only one of the two files was renamed', async () => {
    const range = { table: 'ledger', fromBlock: '1', toBlock: '9', name: 'e2', from: null, until: null };
    const names = { markets: new Map(), assets: new Map(), validators: new Map() };
    await archive('moved.zip', 'ledger', 1, 9);
    const other = { ...range, fromBlock: '1', toBlock: '20', name: 'e3' };
    await saveNamesFile(join(folder, 'x.names.json'), { chainId: 'c', names, ranges: [range] });
    await saveNamesFile(join(folder, 'y.names.json'), { chainId: 'c', names, ranges: [other] });
    const { saved } = readExportNames(await selectExports([folder]), 'c');
    expect(saved.ranges.map(({ name }) => name)).toEqual(['e2']);
  });
});

describe('Export selection from folders and paths', () => {
  test('A saved names file is not treated as an export', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    const names = { markets: new Map(), assets: new Map(), validators: new Map() };
    await saveNamesFile(join(folder, 'a.names.json'), { chainId: 'c', names });
    expect(await selected()).toMatchObject({ paths: ['a.zip'], left: [], names: ['a.names.json'] });
    expect(await selected(['a.names.json', 'a.zip'])).toMatchObject({ paths: ['a.zip'], left: [] });
  });

  test('An unfinished export is left out, with the reason', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await archive('b.zip.part', 'ledger', 10, 19);
    await archive('b.incomplete.zip', 'ledger', 10, 19);
    await slices('s', 'balances', 9, [[1, 4]]);
    await mkdir(join(folder, 'broken'));
    await writeFile(join(folder, 'broken', '_blockglass.json'), '{');
    const left = [
      'b.incomplete.zip: an unfinished download',
      'b.zip.part: an unfinished download',
      'broken: its _blockglass.json cannot be read',
      's: block 5 is in no slice',
    ];
    expect(await selected()).toMatchObject({ paths: ['a.zip'], left });
    const names = ['a.zip', 'b.incomplete.zip', 'b.zip.part', 'broken', 's'];
    expect(await selected(names)).toMatchObject({ paths: ['a.zip'], left });
    expect(await selected(['.'], { evenIncomplete: true })).toMatchObject({
      paths: ['a.zip', 'b.incomplete.zip', 's'],
    });
  });

  test('A truncated archive is still selected, so that opening it reports the damage', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await writeFile(join(folder, 'cut.zip'), exportZip([csv('blocks', 1, 9)]).subarray(0, 80));
    expect(await selected(['.'], { tables: ['blocks'] })).toMatchObject({ paths: ['cut.zip'] });
  });

  test('Other files do not stop the selection, and are mentioned only if given explicitly', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await writeFile(join(folder, 'report.html'), '<html>');
    await mkdir(join(folder, 'empty'));
    expect(await selected()).toMatchObject({ paths: ['a.zip'], left: [] });
    expect(await selected(['a.zip', 'empty', 'report.html'])).toMatchObject({
      paths: ['a.zip'],
      left: ['report.html: not an export'],
    });
  });

  test('The selection reports why no export can be used', async () => {
    await expect(selectExports([folder])).rejects.toThrow(`no export found in ${folder}`);
    await archive('b.zip.part', 'ledger', 10, 19);
    await expect(selectExports([folder])).rejects.toThrow(
      `no export in ${folder} can be used: ${join(folder, 'b.zip.part')} (an unfinished download)`,
    );
    await expect(selectExports([join(folder, 'nothing.zip')])).rejects.toThrow('there is no ');
  });
});

describe('Choice between overlapping exports', () => {
  test('The selection prefers Parquet over an equal ZIP and keeps every other export', async () => {
    await parquet('p', [
      ['rewards', 1, 9],
      ['trades', 1, 9],
    ]);
    await archive('rewards.zip', 'rewards', 1, 9);
    await archive('ledger.zip', 'ledger', 1, 9);
    await archive('more.zip', 'rewards', 10, 19);
    expect(await selected()).toEqual({
      ...{ paths: ['ledger.zip', 'more.zip', 'p'], names: [], without: [] },
      left: ['rewards.zip: its blocks are read from p'],
    });
    expect(await selected(['.'], { isToConvert: true })).toMatchObject({
      paths: ['ledger.zip', 'more.zip', 'rewards.zip'],
    });
  });

  test('The selection prefers the export with more blocks, even over one table of a Parquet folder', async () => {
    await parquet('p', [
      ['rewards', 1, 9],
      ['trades', 1, 9],
    ]);
    await archive('rewards.zip', 'rewards', 1, 19);
    expect(await selected()).toEqual({
      ...{ paths: ['p', 'rewards.zip'], names: [], without: [['p', 'rewards']] },
      left: ['rewards of p: its blocks are read from rewards.zip'],
    });
  });

  test('The selection prefers Parquet that was written into the folder of its ZIPs', async () => {
    await parquet('p', [['rewards', 1, 9]]);
    await archive('p/rewards.zip', 'rewards', 1, 9);
    await archive('p/ledger.zip', 'ledger', 1, 9);
    expect(await selected(['p'])).toMatchObject({
      ...{ paths: ['p', 'p/ledger.zip'], left: ['p/rewards.zip: its blocks are read from p'] },
    });
    expect(await selected(['p'], { isToConvert: true })).toMatchObject({ paths: ['p/ledger.zip', 'p/rewards.zip'] });
  });

  test('The selection takes several small exports, or one large export that has all of their blocks', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await archive('b.zip', 'ledger', 10, 19);
    await archive('middle.zip', 'ledger', 5, 14);
    expect((await selected()).paths).toEqual(['a.zip', 'b.zip']);
    await slices('s', 'ledger', 19, [[1, 19]]);
    expect((await selected()).paths).toEqual(['s']);
  });

  test('The selection never loses blocks, and refuses two exports that differ', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await archive('copy.zip', 'ledger', 1, 9);
    expect((await selected()).paths).toEqual(['a.zip']);
    await archive('b.zip', 'ledger', 5, 14);
    await expect(selected()).rejects.toThrow('ledger of blocks 5 to 9, which would be counted twice');
    await rename(join(folder, 'b.zip'), join(folder, 'b.zip.part'));
    await archive('copy.zip', 'ledger', 1, 9, [Array.from({ length: 11 }, () => 'x')]);
    await expect(selected()).rejects.toThrow('have different rows for ledger of the same blocks');
  });
});
