import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  archiveNamesPath,
  parquetNamesPath,
  readNamesFile,
  saveNamesFile,
} from '../../src/chain/directory/names-file.ts';
import { inFolder, writeZip } from '../answers/parquet/export-zip.ts';
import { run } from './run-command.ts';

const BLOCKS = [{ table: 'blocks', version: 93, from: 1, to: 2, rows: [1, 2].map(blockRow) }];
const LATER = [{ table: 'blocks', version: 93, from: 2, to: 3, rows: [2, 3].map(blockRow) }];

function blockRow(height: number): readonly string[] {
  return [`2026-10-01 00:00:0${height}+00`, String(height), `\\x0${height}`];
}

test('`convert` prints the summary to stderr and the output path to stdout', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, BLOCKS);
    const out = join(folder, 'out');
    const { code, out: said, err } = await run(['convert', zip, '--parquet', '--out', out]);
    expect([code, said]).toEqual([0, `${out}\n`]);
    expect(err).toMatch(
      /^complete: blocks, blocks 1 to 2, 2 rows in 1 file of \d+ B; each was read back and compared\n$/,
    );
  }));

test('`convert --dry` shows columns, files and work, and writes nothing', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, BLOCKS);
    const { code, out, err } = await run(['convert', zip, '--out', join(folder, 'out'), '--dry']);
    expect([code, err]).toEqual([0, '']);
    expect(out.replaceAll(folder, '')).toMatchInlineSnapshot(`
      "table blocks, with the column types that the files declare; a column becomes text if one of its values is of another type
      COLUMN     TYPE       UNIT  MEANING
      vega_time  TIMESTAMP        time of the block
      height     BIGINT           block height
      hash       BLOB             block hash

      BLOCKS  CSV  UNPACKED  FILE
      1 to 2    1      82 B  /x.zip

      1 of 1 to read: 234 B, unpacked 82 B; nothing was written
      "
    `);
    expect(await readdir(folder)).toEqual(['x.zip']);
    const json = await run(['convert', zip, '--out', join(folder, 'out'), '--dry', '-o', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ chainId: 'c', tables: [{ name: 'blocks', archives: [{ csvs: 1 }] }] });
  }));

test('`convert -o json` prints the manifest, and the files have only the selected columns', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, BLOCKS);
    const line = ['convert', zip, '--out', join(folder, 'out'), '-o', 'json'];
    const { out } = await run([...line, '--columns', 'height,hash', '--ids', 'hex', '--with-f64']);
    expect(JSON.parse(out)).toMatchObject({
      program: 'blockglass 1.2.3',
      tables: [
        {
          columns: [
            { name: 'height', type: 'BIGINT' },
            {
              name: 'height_f64',
              type: 'DOUBLE',
              note: 'about height, as a binary fraction: the exact value is there',
            },
            { name: 'hash', type: 'VARCHAR' },
          ],
        },
      ],
    });
  }));

test.each([
  [['convert'], 'missing --out DIR: the folder for the Parquet files'],
  [['convert', 'x.zip'], 'missing --out DIR: the folder for the Parquet files'],
  [['convert', 'x.zip', '--out', ''], 'missing --out DIR: the folder for the Parquet files'],
  [['convert', 'x.zip', '--out', 'y', '--ids', 'base58'], '--ids must be bytes or hex, not "base58"'],
  [['convert', 'x.zip', '--out', 'y', '--columns', 'a,,b'], '--columns needs column names with commas between them'],
  [['convert', 'x.zip', '--out', 'y', '-o', 'csv'], 'this command does not print csv. Use -o table or -o json'],
  [['convert', '/nowhere/x.zip', '--out', 'y'], 'there is no /nowhere/x.zip'],
  [['export', '--table', 'ledger', '--last', '1', '--with-f64'], '--with-f64 needs --parquet'],
])('`convert` reports %j as a usage error', async (line, words) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(`blockglass: ${words}\n`);
});

test('`convert` reports a missing column, or two exports with a common block, before anything is written', () =>
  inFolder(async folder => {
    const [zip, twin] = [await writeZip(folder, BLOCKS), await writeZip(folder, LATER, 'y.zip')];
    const out = join(folder, 'out');
    expect(await run(['convert', zip, '--out', out, '--columns', 'heigth'])).toMatchObject({
      code: 2,
      err: 'blockglass: column heigth not found\n  try: list the columns with --dry\n',
    });
    const twice = await run(['convert', zip, twin, '--out', out]);
    expect(twice.err.replaceAll(folder, '')).toBe(
      'blockglass: /x.zip and /y.zip both have blocks of blocks 2 to 2, which would be counted twice\n  try: leave one out\n',
    );
    expect(await readdir(folder)).toEqual(['x.zip', 'y.zip']);
  }));

test('`convert` copies the names saved with an export', () =>
  inFolder(async folder => {
    const [zip, out] = [await writeZip(folder, BLOCKS), join(folder, 'out')];
    const asset = { name: 'Tether', symbol: 'USDT', status: 'STATUS_ENABLED', decimals: 6, quantum: '1' };
    const names = { markets: new Map(), assets: new Map([['a1', asset]]), validators: new Map() };
    await saveNamesFile(archiveNamesPath(zip), { chainId: 'c', names });
    expect((await run(['convert', zip, '--out', out])).code).toBe(0);
    expect(readNamesFile(parquetNamesPath(out))?.names.assets.get('a1')).toEqual(asset);
    await saveNamesFile(archiveNamesPath(await writeZip(folder, BLOCKS, 'other.zip')), { chainId: 'd', names });
    const other = await run(['convert', join(folder, 'other.zip'), '--out', join(folder, 'b')]);
    expect([other.code, other.err.replaceAll(folder, '')]).toEqual([
      0,
      expect.stringContaining(
        'note: the Parquet files have no names and decimals: those of /other.zip could not be copied: /other.names.json is from chain d',
      ),
    ]);
  }));

test('`convert` reports a folder with an unreadable manifest, and its suggested fix works', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, BLOCKS);
    const out = join(folder, 'out');
    await run(['convert', zip, '--parquet', '--out', out]);
    await writeFile(join(out, '_blockglass.json'), '{');
    const lines = [
      ['convert', zip, '--parquet', '--out', out],
      ['query', 'SELECT 1', out],
      ['convert', '--ddl', 'spark', out],
    ];
    for (const line of lines) {
      const { code, err } = await run(line);
      expect([line[0], code]).toEqual([line[0], 5]);
      const [, hint = ''] = /: (blockglass convert FILE\.\.\. .*)\n/.exec(err) ?? [];
      const words = hint
        .replace('FILE...', zip)
        .replace('FOLDER', join(folder, `of-${line[0]}`))
        .split(' ')
        .slice(1);
      expect((await run(words)).code).toBe(0);
      expect((await run(['query', 'SELECT count(*) FROM blocks', join(folder, `of-${line[0]}`)])).code).toBe(0);
    }
  }));

test('`convert` takes the exports inside a folder that is not one, also on a second run, and verify checks them', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, BLOCKS, 'c-blocks-000001-000002.zip');
    const out = join(folder, 'out');
    for (const place of [out, out, folder, folder]) {
      const { code, err } = await run(['convert', folder, '--out', place]);
      expect([code, err]).toEqual([0, expect.stringMatching(`^converting ${zip}\n(?:not read.*\n)?complete: blocks`)]);
    }
    const [verified, each] = [await run(['verify', out]), await run(['verify', out, zip])];
    expect([verified.code, verified.out]).toEqual([
      0,
      'complete: Every file is the one in the manifest: blocks of blocks 1 to 2.\n',
    ]);
    expect([each.code, each.out]).toEqual([
      0,
      `complete: ${out}: Every file is the one in the manifest: blocks of blocks 1 to 2.\ncomplete: ${zip}: blocks of blocks 1 to 2, 2 rows\n`,
    ]);
    const again = await run(['convert', out, '--out', join(folder, 'twice')]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining(`${out} has Parquet files and no ZIP`)]);
    expect((await run(['convert', join(folder, 'x'), '--out', out])).err).toContain(
      'pass a ZIP file, a folder of slices,',
    );
  }));
