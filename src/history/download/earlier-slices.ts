import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEntryName } from '../check/entry-name.ts';
import { createSliceRecord, type Manifest, type SliceRecord } from '../manifest/manifest.ts';
import { isDiskFull, isPathTaken } from '../plan/destination.ts';
import { archiveName, type ExportPlan, expectedArchive } from '../plan/export-plan.ts';
import { verifyFile } from '../verify/verify-file.ts';
import type { ExportResult } from './export-result.ts';

/**
 * The record of a slice that an earlier run completed; undefined when it must be downloaded. A file that does not match
 * the manifest is renamed to `.changed`, never overwritten. Throws UnreadableError.
 */
export async function reuseEarlierSlice(
  folder: string,
  plan: ExportPlan,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<SliceRecord | undefined> {
  const file = archiveName(plan);
  const path = join(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const known = manifest.slices.find(slice => slice.file === file);
  if (known !== undefined && isRecordOfSlice(known, plan)) {
    if (known.bytes === found.size && known.sha256 === (await hashFile(path, signal))) return known;
  } else {
    // The run may have been killed before it recorded the slice, so the file is checked again.
    const verdict = await verifyFile(path, expectedArchive(plan), { signal });
    const time = found.mtime.toISOString();
    if (verdict.kind === 'complete') {
      const record = createSliceRecord(plan, file, verdict, { started: time, finished: time });
      return known?.sha256 === record.sha256
        ? { ...record, segmentIds: known.segmentIds, previousSegmentId: known.previousSegmentId ?? null }
        : record;
    }
  }
  await renameChangedFile(path);
  return undefined;
}

/**
 * Whether a record describes exactly this slice. Merging and counting rely on it, so an edited or older record is not
 * trusted.
 */
function isRecordOfSlice(
  { csvs, rows, bytes }: SliceRecord,
  { table, chainId, fromBlock, toBlock }: ExportPlan,
): boolean {
  let [nextBlock, leastOffset] = [fromBlock, 0];
  for (const csv of csvs) {
    const name = parseEntryName(csv.name);
    const isNamedSo =
      name !== undefined &&
      name.table === table.id &&
      name.chainId === (chainId || name.chainId) &&
      (name.schemaVersion ?? null) === csv.schemaVersion &&
      String(name.fromBlock) === csv.fromBlock &&
      String(name.toBlock) === csv.toBlock;
    if (!isNamedSo || name.fromBlock !== nextBlock || name.toBlock < name.fromBlock) return false;
    if (csv.byteOffset < leastOffset || csv.byteOffset >= bytes || !isCount(csv.rows)) return false;
    nextBlock = name.toBlock + 1n;
    leastOffset = csv.byteOffset + 1;
  }
  const isCounted = rows === csvs.reduce((sum, csv) => sum + csv.rows, 0);
  return (
    isCounted && nextBlock === toBlock + 1n && (table.id !== 'blocks' || BigInt(rows) === toBlock - fromBlock + 1n)
  );
}

const isCount = (rows: number): boolean => Number.isSafeInteger(rows) && rows >= 0;

/** Renames a file that is not to be used to `.changed`, or the first free `.2.changed`. */
export async function renameChangedFile(path: string): Promise<void> {
  for (let number = 1; ; number++) {
    const aside = number === 1 ? `${path}.changed` : `${path}.${number}.changed`;
    if (!(await isPathTaken(aside))) return rename(path, aside);
  }
}

/** Deletes the unfinished files of earlier runs, which cannot be resumed. */
export async function removeParts(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const halfDone = entries.filter(entry => !entry.isDirectory() && UNFINISHED_FILE.test(entry.name));
  await Promise.all(halfDone.map(({ name }) => rm(join(folder, name), { force: true })));
}

/** On a full disk, deletes the part file: it cannot be resumed and takes the space of the next attempt. */
export async function removePartOnFullDisk(result: ExportResult): Promise<ExportResult> {
  if (result.kind !== 'failed' || result.partPath === null || !isDiskFull(result.error)) return result;
  await rm(result.partPath, { force: true });
  return { ...result, partPath: null };
}

const UNFINISHED_FILE = /\.part$|^manifest\.json\.[0-9a-f]+\.new$/;

async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal !== undefined && { signal }) }))
    hash.update(chunk);
  return hash.digest('hex');
}
