import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkArchive } from '../../../src/history/check/check-archive.ts';
import type { ExpectedCsv } from '../../../src/history/check/verdict.ts';
import { createSliceRecord, type Manifest, type SliceRecord } from '../../../src/history/manifest/manifest.ts';
import { archiveName, csvName, type ExportPlan } from '../../../src/history/plan/export-plan.ts';
import { type ExportTable, findExportTable } from '../../../src/history/plan/export-tables.ts';
import { blocksCsv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';

export function tableOf(id: string): ExportTable {
  const table = findExportTable(id);
  if (table === undefined) throw new Error('no such table');
  return table;
}

/** Blocks of chain `c`, in the folder of slices itself. */
export const blocksPlan = (fromBlock: bigint, toBlock: bigint, members: Partial<ExportPlan> = {}): ExportPlan => ({
  table: tableOf('blocks'),
  fromBlock,
  toBlock,
  chainId: 'c',
  destination: '',
  mayOverwrite: false,
  ...members,
});

export const runOf = (fromBlock: bigint, toBlock: bigint, schemaVersion = 93): ExpectedCsv => ({
  schemaVersion,
  fromBlock,
  toBlock,
});

/** Writes a whole slice of blocks, with a CSV for each run; returns what a check finds to record. */
export async function sliceOnDisk(folder: string, ...runs: readonly ExpectedCsv[]): Promise<SliceRecord> {
  const plan = blocksPlan(runs[0]?.fromBlock ?? 0n, runs.at(-1)?.toBlock ?? 0n);
  const file = archiveName(plan);
  const entries = runs.map(run => ({
    name: csvName(plan, run),
    content: blocksCsv(Number(run.fromBlock), Number(run.toBlock)),
  }));
  await writeFile(join(folder, file), zipOf(entries));
  const verdict = await checkArchive(join(folder, file), undefined);
  const record = createSliceRecord(plan, file, verdict, { started: 'then', finished: 'now' });
  return { ...record, segmentIds: ['id'] };
}

/** Of blocks 1 to 20 of chain `c`. */
export const manifestOf = (slices: readonly SliceRecord[], members: Partial<Manifest> = {}): Manifest => ({
  format: 1,
  program: 'blockglass test',
  node: 'http://127.0.0.1:1/',
  chainId: 'c',
  table: 'blocks',
  fromBlock: '1',
  toBlock: '20',
  segmentsPerSlice: 1,
  started: 'then',
  finished: 'now',
  notes: [],
  witnesses: [],
  slices: [...slices],
  ...members,
});
