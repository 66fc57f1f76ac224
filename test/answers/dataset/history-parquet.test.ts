import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HistoryParquetOptions, updateParquet } from '../../../src/answers/dataset/history-parquet.ts';
import { openDataset } from '../../../src/answers/dataset/open-dataset.ts';
import { PARQUET_MANIFEST, readParquetManifest } from '../../../src/answers/parquet/parquet-manifest.ts';
import { createTableOpener } from '../../../src/explorer/services/tables.ts';
import { readManifest } from '../../../src/history/manifest/manifest.ts';
import { writeChainRecord } from '../../../src/history/store/chain-file.ts';
import { type ExportCsv, inFolder, NEVER } from '../parquet/export-zip.ts';
import { writeSlices } from '../parquet/slices-folder.ts';

const A = `\\x${'ab'.repeat(32)}`;

/** Balances of a hundred blocks, on a day of their own. */
const balances = (from: number, amounts: readonly string[], table = 'balances'): ExportCsv => ({
  ...{ table, version: 93, from, to: from + 99 },
  rows: amounts.map(amount => [
    A,
    `2026-10-${String(1 + Math.floor(from / 100)).padStart(2, '0')} 00:00:00+00`,
    A,
    amount,
  ]),
});

const stored = async (chain: string, table = 'balances') => {
  const folder = join(chain, table);
  return { table, folder, slices: (await readManifest(folder))?.slices ?? [] };
};

const options = (chainFolder: string, more: Partial<HistoryParquetOptions> = {}): HistoryParquetOptions => ({
  ...{ chainFolder, chainId: 'c', budgetBytes: 1024 ** 3, program: 'blockglass 1', signal: NEVER },
  ...more,
});

/** A chain in a history with these slices. */
async function inChain<T>(there: readonly ExportCsv[], act: (chain: string) => Promise<T>): Promise<T> {
  return inFolder(async root => {
    const chain = join(root, 'c');
    await writeSlices(join(chain, 'balances'), there, { table: 'balances' });
    return act(chain);
  });
}

/** The sum over the Parquet of a history, or over its slices. */
async function sumOf(path: string | undefined): Promise<string | null | undefined> {
  const dataset = await openDataset({ paths: [path ?? ''], evenIncomplete: true, signal: NEVER });
  try {
    return (await dataset.database.all('SELECT sum(balance)::VARCHAR FROM balances')).rows[0]?.[0];
  } finally {
    await dataset.close();
  }
}

const parquetFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.parquet')).toSorted();

describe('Parquet of a history', () => {
  test('The first question converts the slices, and the next one writes nothing', () =>
    inChain([balances(1, ['1', '2']), balances(101, ['4'])], async chain => {
      const converted: string[] = [];
      const onProgress = (): void => void converted.push('balances');
      const first = await updateParquet(await stored(chain), options(chain, { onProgress }));
      expect(first).toEqual({ path: join(chain, 'parquet', 'balances'), notes: [] });
      expect(converted).not.toEqual([]);
      expect(await sumOf(first.path)).toBe('7');
      const before = await stat(join(first.path ?? '', PARQUET_MANIFEST));
      converted.length = 0;
      expect(await updateParquet(await stored(chain), options(chain, { onProgress }))).toEqual(first);
      expect(converted).toEqual([]);
      expect((await stat(join(first.path ?? '', PARQUET_MANIFEST))).ctimeMs).toBe(before.ctimeMs);
    }));

  test('Missing blocks between slices are no refusal', () =>
    inChain([balances(1, ['1']), balances(301, ['8'])], async chain => {
      const { path, notes } = await updateParquet(await stored(chain), options(chain));
      expect([await sumOf(path), notes]).toEqual(['9', []]);
    }));

  test('Only new slices are converted, and the files of slices that are gone are removed', () =>
    inChain([balances(1, ['1']), balances(101, ['2'])], async chain => {
      const { path = '' } = await updateParquet(await stored(chain), options(chain));
      const [first = '', second = ''] = await parquetFiles(path);
      const made = await stat(join(path, second));
      await writeSlices(join(chain, 'balances'), [balances(101, ['2']), balances(201, ['16'])], { table: 'balances' });
      await updateParquet(await stored(chain), options(chain));
      const now = await parquetFiles(path);
      expect([now.includes(first), now.includes(second), now.length]).toEqual([false, true, 2]);
      expect((await stat(join(path, second))).ctimeMs).toBe(made.ctimeMs);
      expect(await sumOf(path)).toBe('18');
    }));

  test('A slice with other rows than before replaces its files', () =>
    inChain([balances(1, ['1'])], async chain => {
      await updateParquet(await stored(chain), options(chain));
      await writeSlices(join(chain, 'balances'), [balances(1, ['5'])], { table: 'balances' });
      const { path } = await updateParquet(await stored(chain), options(chain));
      expect(await sumOf(path)).toBe('5');
    }));

  test.each([
    ['a file cut short', async (file: string) => truncate(file, 10)],
    ['a file with a changed byte', async (file: string) => flipByte(file)],
    ['a missing file', async (file: string) => rm(file)],
    ['an unreadable manifest', async (_: string, path: string) => writeFile(join(path, PARQUET_MANIFEST), '{')],
    ['a file of somebody else', async (file: string) => writeFile(`${file}.csv`, 'x')],
  ])('Parquet with %s is made again rather than refused', (_, damage) =>
    inChain([balances(1, ['1']), balances(101, ['2'])], async chain => {
      const { path = '' } = await updateParquet(await stored(chain), options(chain));
      const [file = ''] = await parquetFiles(path);
      await damage(join(path, file), path);
      // New slices are converted after the damage: the manifest is newer than it.
      await writeSlices(join(chain, 'balances'), [balances(1, ['1']), balances(101, ['2']), balances(201, ['4'])], {
        table: 'balances',
      });
      expect(await updateParquet(await stored(chain), options(chain))).toEqual({ path, notes: [] });
      expect(await sumOf(path)).toBe('7');
      expect((await readdir(path)).toSorted()).toEqual([PARQUET_MANIFEST, 'table=balances']);
    }),
  );

  test('Another version of the program converts everything again', () =>
    inChain([balances(1, ['1'])], async chain => {
      await updateParquet(await stored(chain), options(chain));
      const { path = '' } = await updateParquet(await stored(chain), options(chain, { program: 'blockglass 2' }));
      expect((await readParquetManifest(path))?.program).toBe('blockglass 2');
      expect(await sumOf(path)).toBe('1');
    }));

  test('A damaged slice is left out with a note each time, and the others answer', () =>
    inChain([balances(1, ['1']), balances(101, ['2'])], async chain => {
      const [, second = ''] = (await readdir(join(chain, 'balances'))).filter(name => name.endsWith('.zip')).toSorted();
      await flipByte(join(chain, 'balances', second), 60);
      for (let question = 0; question < 2; question++) {
        const { path, notes } = await updateParquet(await stored(chain), options(chain));
        expect(notes).toEqual([expect.stringMatching(/^balances: blocks 101 to 200 are left out: .*fetch --check$/)]);
        expect(await sumOf(path)).toBe('1');
      }
    }));

  test('Two questions at once convert the slices once', () =>
    inChain([balances(1, ['1', '2']), balances(101, ['4'])], async chain => {
      const waited: string[] = [];
      const onWait = (): void => void waited.push('balances');
      const ask = async () => updateParquet(await stored(chain), options(chain, { onWait }));
      const [one, other] = await Promise.all([ask(), ask()]);
      expect(one).toEqual(other);
      expect(new Set(waited)).toEqual(new Set(['balances']));
      expect(await sumOf(one.path)).toBe('7');
    }));

  test('Where no Parquet can be written, the slices are read, and a note says so', () =>
    inChain([balances(1, ['1']), balances(301, ['2'])], async chain => {
      await writeFile(join(chain, 'parquet'), 'no folder');
      const { path, notes } = await updateParquet(await stored(chain), options(chain));
      expect(path).toBe(join(chain, 'balances'));
      expect(notes).toEqual([expect.stringMatching(/^the Parquet of balances is not kept, .*parquet/)]);
      expect(await sumOf(path)).toBe('3');
    }));

  test('A table that is larger than the budget is read from its slices', () =>
    inChain([balances(1, ['1'])], async chain => {
      const { path, notes } = await updateParquet(await stored(chain), options(chain, { budgetBytes: 10 }));
      expect(path).toBe(join(chain, 'balances'));
      expect(notes).toEqual([expect.stringMatching(/maxParquetGiB/)]);
    }));

  test('The viewer of the explorer keeps no more Parquet of a history than the setting allows', () =>
    inChain([balances(1, ['1'])], async chain => {
      const openTables = createTableOpener(
        () => undefined,
        () => ({ program: 'blockglass 1', maxParquetGiB: 0 }),
      );
      await writeChainRecord(chain, {
        ...{ format: 1, chainId: 'c', genesisTime: null, sliceSegments: 1 },
        ...{ nodes: [], named: null, blockTimes: [] },
      });
      const opened = await openTables({ paths: [chain], isEvenIncomplete: false, question: null }, () => {}, NEVER);
      await opened.close();
      expect(opened.notes).toContainEqual(expect.stringMatching(/maxParquetGiB/));
    }));

  test('The Parquet that was asked least recently makes room, unless a question may still read it', () =>
    inChain([balances(1, ['1'])], async chain => {
      const tables = ['old', 'older', 'recent'];
      for (const table of tables) {
        await updateParquet(await stored(chain), options(chain));
        const folder = join(chain, '..', 'other', 'parquet', table);
        await mkdir(folder, { recursive: true });
        const manifest = await readParquetManifest(join(chain, 'parquet', 'balances'));
        await writeFile(join(folder, PARQUET_MANIFEST), JSON.stringify(manifest));
        const asked = new Date(Date.now() - (table === 'recent' ? 0 : table === 'old' ? 3_600_000 : 7_200_000));
        await utimes(folder, asked, asked);
      }
      await rm(join(chain, 'parquet'), { recursive: true });
      const bytes = (await readFile(join(chain, 'balances', (await stored(chain)).slices[0]?.file ?? ''))).length;
      const kept = (await readParquetManifest(join(chain, '..', 'other', 'parquet', 'old')))?.tables[0]?.files[0];
      // Room for this table and two others.
      const budgetBytes = bytes * 0.75 + 2 * (kept?.bytes ?? 0) + 1;
      await updateParquet(await stored(chain), options(chain, { budgetBytes }));
      expect((await readdir(join(chain, '..', 'other', 'parquet'))).toSorted()).toEqual(['old', 'recent']);
      await rm(join(chain, 'parquet'), { recursive: true });
      await updateParquet(await stored(chain), options(chain, { budgetBytes: bytes * 0.75 + 1 }));
      expect(await readdir(join(chain, '..', 'other', 'parquet'))).toEqual(['recent']);
    }));
});

async function flipByte(path: string, at = 40): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
}
