import { join } from 'node:path';
import { systemErrorReason } from '../../base/disk/ordinary-file.ts';
import type { FolderVerdict } from '../../history/verify/verify-folder.ts';
import { sha256Of } from './out-folder.ts';
import { type ParquetManifest, readParquetManifest } from './parquet-manifest.ts';

/** Whether every file of a Parquet folder is the one in its manifest, which was read back when it was written. */
export async function verifyParquet(folder: string, signal: AbortSignal): Promise<FolderVerdict> {
  const manifest = await readParquetManifest(folder);
  if (manifest === undefined) throw new Error(`${folder} has no Parquet manifest`);
  const files = manifest.tables.flatMap(table => table.files);
  for (const { path, sha256 } of files) {
    const found = await sha256Of(join(folder, path), signal).catch((error: unknown) => {
      signal.throwIfAborted();
      return { problem: systemErrorReason(error) };
    });
    if (typeof found === 'object') return verdict('damaged', `${path} cannot be read: ${found.problem}.`);
    if (found !== sha256) return verdict('damaged', `${path} is not the file in the manifest: its SHA-256 differs.`);
  }
  if (manifest.finished === null) return verdict('incomplete', 'The conversion is not finished: run it again.');
  const incomplete = manifest.tables.find(({ isComplete }) => !isComplete);
  if (incomplete !== undefined)
    return verdict(
      'incomplete',
      `${incomplete.name} is not complete${incomplete.notes.map(note => `; ${note}`).join('')}.`,
    );
  return verdict(
    'complete',
    `Every file is the one in the manifest: ${manifest.tables.map(tableRangeText).join(', ')}.`,
  );
}

const verdict = (kind: FolderVerdict['kind'], reason: string): FolderVerdict => ({
  kind,
  reason,
  notes: [],
  slices: [],
});

const tableRangeText = ({ name, fromBlock, toBlock }: ParquetManifest['tables'][number]): string =>
  `${name} of blocks ${fromBlock} to ${toBlock}`;
