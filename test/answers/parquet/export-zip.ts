import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnsAtVersion } from '../../../src/tables/columns.ts';
import { zipOf } from '../../history/check/zip-bytes.ts';

export type Value = string | null;

/** A CSV of an export: NULL is an unquoted empty field, and a value is quoted where it has to be. */
export interface ExportCsv {
  readonly table: string;
  readonly version: number;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly (readonly Value[])[];
  readonly columns?: readonly string[];
}

export const csvField = (value: Value): string =>
  value === null ? '' : value === '' || /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

export function entryOf({
  table,
  version,
  from,
  to,
  rows,
  columns = columnsAtVersion(table, version) ?? [],
}: ExportCsv) {
  const lines = [columns, ...rows].map(row => `${row.map(csvField).join(',')}\n`);
  const heights = [from, to].map(height => String(height).padStart(6, '0')).join('-');
  return { name: `c-${table}-${String(version).padStart(3, '0')}-${heights}.csv`, content: lines.join('') };
}

export const exportZip = (csvs: readonly ExportCsv[]): Buffer => zipOf(csvs.map(entryOf));

/** A folder for a test, and what is in it when the test is over is gone. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-parquet-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function writeZip(folder: string, csvs: readonly ExportCsv[], name = 'x.zip'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, exportZip(csvs));
  return path;
}

export const NEVER = new AbortController().signal;
