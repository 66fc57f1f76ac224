import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkArchive } from '../../src/export/check/check-archive.ts';
import { DestinationError } from '../../src/export/destination.ts';
import { type SliceRecord, sliceRecordOf } from '../../src/export/manifest.ts';
import { mergeSlices } from '../../src/export/merge.ts';
import type { ExportPlan } from '../../src/export/plan.ts';
import { UnreadableError } from '../../src/export/regular-file.ts';
import { tableNamed } from '../../src/export/tables.ts';
import { balancesHeader, csv } from './check/samples.ts';
import { zipOf } from './check/zip-bytes.ts';

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
  await expect(merge(record)).rejects.toThrow('no longer holds c-balances-091-001001-002000.csv as it was checked');
  expect((await readdir(folder)).filter(name => name.includes('-091-'))).toEqual([]);
});

it('leaves nothing behind when a CSV is not where the check found it', async () => {
  const record = await sliceOf([['\\x01,,"",1'], ['\\x02,,"",2']]);
  await sliceOf([['\\x01,,"",1', '\\x05,,"",12345'], ['\\x02,,"",2']]);
  await expect(merge(record)).rejects.toThrow('as it was checked: run the export again');
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
  await expect(merge(record)).rejects.toThrow(`${path} no longer holds`);
  await rm(path);
  await expect(merge(record)).rejects.toBeInstanceOf(UnreadableError);
  await mkdir(path);
  await expect(merge(record)).rejects.toThrow(`${path} is a folder`);
  expect(await left()).toEqual([]);
});
