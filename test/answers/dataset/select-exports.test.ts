import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { selectExports, type Wanted } from '../../../src/answers/dataset/select-exports.ts';
import { savedNames } from '../../../src/answers/questions/export-names.ts';
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
async function selected(names: readonly string[] = ['.'], wanted: Wanted = {}) {
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

describe('an export is known by its content', () => {
  test.each(['ledger.zip', 'LEDGER.ZIP', 'august', 'c-rewards-000001-000009.zip', 'my export (1).zip', '-x.zip'])(
    'whatever its name is: %s',
    async name => {
      await archive(name, 'ledger', 1, 9);
      await writeFile(join(folder, 'c-ledger-000010-000020.zip'), 'no archive');
      expect(await selected()).toMatchObject({ paths: [name], left: [] });
      expect(await selected(['.'], { tables: ['ledger'] })).toMatchObject({ paths: [name] });
    },
  );

  test('also through a link, and never through a pipe or a link that leads nowhere', async () => {
    await mkdir(join(folder, 'in'));
    await archive('ledger.zip', 'ledger', 1, 9);
    await symlink(join(folder, 'ledger.zip'), join(folder, 'in', 'a.zip'));
    await symlink(join(folder, 'nowhere'), join(folder, 'in', 'b.zip'));
    expect(await selected(['in'])).toMatchObject({ paths: ['in/a.zip'], left: [] });
  });

  test('and its saved range goes with it where only one of the two was renamed', async () => {
    const range = { table: 'ledger', fromBlock: '1', toBlock: '9', name: 'e2', from: null, until: null };
    const names = { markets: new Map(), assets: new Map(), validators: new Map() };
    await archive('moved.zip', 'ledger', 1, 9);
    const other = { ...range, fromBlock: '1', toBlock: '20', name: 'e3' };
    await saveNamesFile(join(folder, 'x.names.json'), { chainId: 'c', names, ranges: [range] });
    await saveNamesFile(join(folder, 'y.names.json'), { chainId: 'c', names, ranges: [other] });
    const { saved } = savedNames(await selectExports([folder]), 'c');
    expect(saved.ranges.map(({ name }) => name)).toEqual(['e2']);
  });
});

describe('in a folder or among several names', () => {
  test('the saved names are no export', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    const names = { markets: new Map(), assets: new Map(), validators: new Map() };
    await saveNamesFile(join(folder, 'a.names.json'), { chainId: 'c', names });
    expect(await selected()).toMatchObject({ paths: ['a.zip'], left: [], names: ['a.names.json'] });
    expect(await selected(['a.names.json', 'a.zip'])).toMatchObject({ paths: ['a.zip'], left: [] });
  });

  test('what is not finished is left out, with the reason', async () => {
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

  test('a cut archive is opened all the same, which says what is wrong with it', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await writeFile(join(folder, 'cut.zip'), exportZip([csv('blocks', 1, 9)]).subarray(0, 80));
    expect(await selected(['.'], { tables: ['blocks'] })).toMatchObject({ paths: ['cut.zip'] });
  });

  test('other files are no reason to stop, and are mentioned only if they were named', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await writeFile(join(folder, 'report.html'), '<html>');
    await mkdir(join(folder, 'empty'));
    expect(await selected()).toMatchObject({ paths: ['a.zip'], left: [] });
    expect(await selected(['a.zip', 'empty', 'report.html'])).toMatchObject({
      paths: ['a.zip'],
      left: ['report.html: not an export'],
    });
  });

  test('and if nothing can be used, it is said why', async () => {
    await expect(selectExports([folder])).rejects.toThrow(`there is no export in ${folder}`);
    await archive('b.zip.part', 'ledger', 10, 19);
    await expect(selectExports([folder])).rejects.toThrow(
      `no export in ${folder} can be used: ${join(folder, 'b.zip.part')} (an unfinished download)`,
    );
    await expect(selectExports([join(folder, 'nothing.zip')])).rejects.toThrow('there is no ');
  });
});

describe('for each table and block one export is read', () => {
  test('of equal ones Parquet, and everything else beside it', async () => {
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

  test('of unequal ones the one with more, also instead of one table of Parquet', async () => {
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

  test('also where Parquet was written into the folder of its ZIPs', async () => {
    await parquet('p', [['rewards', 1, 9]]);
    await archive('p/rewards.zip', 'rewards', 1, 9);
    await archive('p/ledger.zip', 'ledger', 1, 9);
    expect(await selected(['p'])).toMatchObject({
      ...{ paths: ['p', 'p/ledger.zip'], left: ['p/rewards.zip: its blocks are read from p'] },
    });
    expect(await selected(['p'], { isToConvert: true })).toMatchObject({ paths: ['p/ledger.zip', 'p/rewards.zip'] });
  });

  test('several small ones, or the large one that has all of their blocks', async () => {
    await archive('a.zip', 'ledger', 1, 9);
    await archive('b.zip', 'ledger', 10, 19);
    await archive('middle.zip', 'ledger', 5, 14);
    expect((await selected()).paths).toEqual(['a.zip', 'b.zip']);
    await slices('s', 'ledger', 19, [[1, 19]]);
    expect((await selected()).paths).toEqual(['s']);
  });

  test('none that would lose blocks, and none of two that differ', async () => {
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
