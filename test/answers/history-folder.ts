import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Directory } from '../../src/chain/directory/directory.ts';
import { saveNamesFile } from '../../src/chain/directory/names-file.ts';
import { chainFileOf } from '../history/store/chain-on-disk.ts';
import type { ExportCsv } from './parquet/export-zip.ts';
import { writeSlices } from './parquet/slices-folder.ts';

interface HistoryContent {
  readonly chainId?: string;
  /** The address of the node that it was fetched from. */
  readonly node?: string;
  readonly blockTimes?: readonly { readonly height: string; readonly timeMs: number }[];
  readonly names?: Omit<Directory, 'aliases'>;
}

/** Writes the history of a chain: of each table the slices of its CSVs. */
export async function writeHistory(
  folder: string,
  csvs: readonly ExportCsv[],
  { chainId = 'c', node = 'http://127.0.0.1:1', blockTimes = [], names }: HistoryContent = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const nodes = [{ address: node, lastFetched: '2026-10-01T00:00:00.000Z', bytesPerS: null }];
  await writeFile(
    join(folder, 'chain.json'),
    JSON.stringify(chainFileOf({ chainId, nodes, blockTimes: [...blockTimes] })),
  );
  for (const [table, own] of Map.groupBy(csvs, each => each.table))
    await writeSlices(join(folder, table), own, { table, chainId });
  if (names !== undefined)
    await saveNamesFile(join(folder, 'names.json'), { chainId, names, ranges: [], epochs: [], witnesses: [] });
  return folder;
}
