import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeManifest } from '../../../src/history/manifest/manifest.ts';
import { type ChainRecord, writeChainRecord } from '../../../src/history/store/chain-file.ts';
import { manifestOf, runOf, sliceOnDisk } from '../download/slice-on-disk.ts';

/** A folder that is removed when the test ends. */
export async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

export const chainFileOf = (members: Partial<ChainRecord> = {}): ChainRecord => ({
  format: 1,
  chainId: 'c',
  genesisTime: '2026-01-01T00:00:00Z',
  sliceSegments: 1,
  nodes: [{ address: 'http://127.0.0.1:1', lastFetched: '2026-02-01T00:00:00.000Z', bytesPerS: null }],
  blockTimes: [],
  named: null,
  ...members,
});

/** A history of chain `c` that has these slices of blocks. */
export async function historyOnDisk(
  folder: string,
  slices: readonly (readonly [bigint, bigint])[],
  members: Partial<ChainRecord> = {},
): Promise<void> {
  await mkdir(join(folder, 'blocks'), { recursive: true });
  await writeChainRecord(folder, chainFileOf(members));
  const records = [];
  for (const [from, to] of slices) records.push(await sliceOnDisk(join(folder, 'blocks'), runOf(from, to)));
  await writeManifest(join(folder, 'blocks'), manifestOf(records));
}
