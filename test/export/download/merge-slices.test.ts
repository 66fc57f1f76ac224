import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkArchive } from '../../../src/export/check/check-archive.ts';
import { UnreadableError } from '../../../src/export/check/unreadable-error.ts';
import { mergeSlices } from '../../../src/export/download/merge-slices.ts';
import { type SliceRecord, sliceRecordOf } from '../../../src/export/manifest/manifest.ts';
import { DestinationError } from '../../../src/export/plan/destination-error.ts';
import type { ExportPlan } from '../../../src/export/plan/plan.ts';
import { tableNamed } from '../../../src/export/plan/tables.ts';
import { openFiles } from '../check/open-files.ts';
import { balancesHeader, blocksCsv, csv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';
import { blocksPlan, runOf, sliceOnDisk } from './slice-on-disk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-merge-'));
});
afterEach(() => rm(folder, { recursive: true }));

const range = (from: number, to: number) => `${String(from).padStart(6, '0')}-${String(to).padStart(6, '0')}`;
const slice = { fromBlock: 1n, toBlock: 2000n };

/** A slice of two schema versions, and its record. */
async function sliceOf(rows: readonly (readonly string[])[]): Promise<SliceRecord> {
  const file = `c-balances-${range(1, 2000)}.zip`;
  const entries = rows.map((texts, index) => ({
    name: `c-balances-09${index}-${range(index * 1000 + 1, index * 1000 + 1000)}.csv`,
    content: csv(balancesHeader, ...texts),
  }));
  await writeFile(join(folder, file), zipOf(entries));
  const verdict = await checkArchive(join(folder, file), undefined);
  return sliceRecordOf(slice, file, verdict, { started: '', finished: '' });
}

async function merge(record: SliceRecord): Promise<readonly string[]> {
  const table = tableNamed('balances');
  if (table === undefined) throw new Error('no such table');
  const plan: ExportPlan = { table, ...slice, chainId: 'c', destination: folder, mayOverwrite: false };
  return mergeSlices(folder, plan, [record], new AbortController().signal);
}

it('merges each CSV from the place where the check found it', async () => {
  const merged = await merge(await sliceOf([['\\x01,,"",1'], ['\\x02,,"",2']]));
  const texts = await Promise.all(merged.map(path => readFile(path, 'utf8')));
  expect(texts).toEqual([csv(balancesHeader, '\\x01,,"",1'), csv(balancesHeader, '\\x02,,"",2')]);
});

it('leaves nothing behind when a slice holds other bytes than were checked', async () => {
  const record = await sliceOf([['\\x01,,"",1'], ['\\x02,,"",2']]);
  await sliceOf([['\\x01,,"",1'], ['\\x02,,"",3']]);
  await expect(merge(record)).rejects.toThrow('changed after it was checked (c-balances-091-001001-002000.csv)');
  expect((await readdir(folder)).filter(name => name.includes('-091-'))).toEqual([]);
});

it('leaves nothing behind when a CSV is not where the check found it', async () => {
  const record = await sliceOf([['\\x01,,"",1'], ['\\x02,,"",2']]);
  await sliceOf([['\\x01,,"",1', '\\x05,,"",12345'], ['\\x02,,"",2']]);
  await expect(merge(record)).rejects.toThrow(': run the export again');
  expect((await readdir(folder)).filter(name => name.endsWith('.csv') || name.endsWith('.part'))).toEqual([]);
});

const left = async () => (await readdir(folder)).filter(name => !name.endsWith('.zip'));

it('says what is in the way of the CSV, and leaves nothing behind', async () => {
  const record = await sliceOf([['\\x01,,"",1']]);
  await mkdir(join(folder, 'c-balances-090-000001-001000.csv'));
  await expect(merge(record)).rejects.toBeInstanceOf(DestinationError);
  expect(await left()).toEqual(['c-balances-090-000001-001000.csv']);
});

it('blames the slice, not the place, when it is the slice that cannot be read back', async () => {
  const record = await sliceOf([['\\x01,,"",1']]);
  const path = join(folder, record.file);
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0xff, 30 + (record.csvs[0]?.name.length ?? 0), bytes.length - 150));
  await expect(merge(record)).rejects.toThrow(`${path} changed after it was checked`);
  await rm(path);
  await expect(merge(record)).rejects.toBeInstanceOf(UnreadableError);
  await mkdir(path);
  await expect(merge(record)).rejects.toThrow(`${path} is a folder`);
  expect(await left()).toEqual([]);
});

describe('slices of one schema version', () => {
  const merging = (records: readonly SliceRecord[], signal = new AbortController().signal) =>
    mergeSlices(folder, blocksPlan(1n, 40n), records, signal);
  const whole = 'c-blocks-093-000001-000030.csv';

  async function threeSlices(): Promise<readonly SliceRecord[]> {
    const runs = [runOf(1n, 10n), runOf(11n, 20n), runOf(21n, 30n)];
    return Promise.all(runs.map(run => sliceOnDisk(folder, run)));
  }

  it('become one CSV of all their rows, the header once, named after the blocks it holds', async () => {
    const records = await threeSlices();
    const other = await sliceOnDisk(folder, runOf(31n, 40n, 94));
    const [path = '', second] = await merging([...records, other]);
    expect(path).toBe(join(folder, whole));
    expect(await readFile(path, 'utf8')).toBe(blocksCsv(1, 30));
    expect(second).toBe(join(folder, 'c-blocks-094-000031-000040.csv'));
  });

  it('become one CSV though each is read in many pieces, and no file stays open', async () => {
    const records = [await sliceOnDisk(folder, runOf(1n, 2000n)), await sliceOnDisk(folder, runOf(2001n, 5000n))];
    const [path = ''] = await merging(records);
    expect(await readFile(path, 'utf8')).toBe(blocksCsv(1, 5000));
    expect(openFiles(folder)).toEqual([]);
  });

  it('become one CSV though the header alone is read in several pieces', async () => {
    const more = Array.from({ length: 4000 }, (_, column) => `column_${column * 7919}`);
    const records = [];
    for (const [from, to] of [[1, 2] as const, [3, 4] as const]) {
      const range = `00000${from}-00000${to}`;
      const [header, ...lines] = blocksCsv(from, to).trimEnd().split('\n');
      const content = csv(`${header},${more.join()}`, ...lines.map(line => `${line}${',1'.repeat(more.length)}`));
      const file = `c-blocks-${range}.zip`;
      await writeFile(join(folder, file), zipOf([{ name: `c-blocks-093-${range}.csv`, content }]));
      const found = await checkArchive(join(folder, file), undefined);
      const blocks = { fromBlock: BigInt(from), toBlock: BigInt(to) };
      records.push(sliceRecordOf(blocks, file, found, { started: '', finished: '' }));
    }
    const [path = ''] = await merging(records);
    const merged = (await readFile(path, 'utf8')).split('\n').map(line => line.split(',')[1]);
    expect(merged).toEqual(['height', '1', '2', '3', '4', undefined]);
  });

  it('take the place of a CSV that was merged before', async () => {
    const records = await threeSlices();
    await writeFile(join(folder, whole), 'of before');
    await merging(records);
    expect(await readFile(join(folder, whole), 'utf8')).toBe(blocksCsv(1, 30));
    expect(await left()).toEqual([whole]);
  });

  it('are named after the plan where their CSVs do not say what they hold', async () => {
    const records = (await threeSlices()).map(record => ({
      ...record,
      csvs: record.csvs.map(csv => ({ ...csv, schemaVersion: null, fromBlock: null, toBlock: null })),
    }));
    expect(await merging(records)).toEqual([join(folder, 'c-blocks-000-000001-000040.csv')]);
  });

  it('are none where there is no slice', async () => {
    expect(await merging([])).toEqual([]);
  });

  it('are not merged when their columns differ, though the schema is the same', async () => {
    const [first, second, third] = await threeSlices();
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three');
    const csvs = third.csvs.map(csv => ({ ...csv, columns: ['height', 'hash'] }));
    await expect(merging([first, second, { ...third, csvs }])).rejects.toThrow(
      new DestinationError(
        'c-blocks-093-000021-000030.csv and c-blocks-093-000001-000010.csv have the same schema version but different columns: they cannot be merged',
      ),
    );
    expect(await left()).toEqual([]);
  });

  it.each<[string, (csv: SliceRecord['csvs'][number]) => object]>([
    ['size', ({ bytes }) => ({ bytes: bytes + 1 })],
    ['CRC-32', () => ({ crc32: '00000001' })],
    ['place', ({ byteOffset }) => ({ byteOffset: byteOffset + 1 })],
  ])('are not merged when one has another %s than was checked, and a CSV of before stays', async (_title, edit) => {
    const records = (await threeSlices()).map((record, index) => ({
      ...record,
      csvs: record.csvs.map(csv => ({ ...csv, ...(index === 2 && edit(csv)) })),
    }));
    await writeFile(join(folder, whole), 'of before');
    await expect(merging(records)).rejects.toThrow(
      new DestinationError(
        `${join(folder, 'c-blocks-000021-000030.zip')} changed after it was checked (c-blocks-093-000021-000030.csv): run the export again`,
      ),
    );
    expect(await left()).toEqual([whole]);
    expect(await readFile(join(folder, whole), 'utf8')).toBe('of before');
  });

  it('are left when it is stopped', async () => {
    const records = await threeSlices();
    await expect(merging(records, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    expect(await left()).toEqual([]);
  });
});
