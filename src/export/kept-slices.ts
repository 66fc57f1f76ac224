import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEntryName } from './check/entry-name.ts';
import { isOutOfRoom, isThere } from './destination.ts';
import { type Manifest, type SliceRecord, sliceRecordOf } from './manifest.ts';
import { archiveName, type ExportPlan, expectationOf } from './plan.ts';
import type { ExportResult } from './result.ts';
import { verifyFile } from './verify-file.ts';

/**
 * The record of a slice that an earlier run left whole, or undefined when it has to be fetched. A file that is not
 * what the manifest says is put aside as `.changed`, never overwritten.
 */
export async function keptSlice(
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
  if (known !== undefined && tellsOf(known, plan)) {
    if (known.bytes === found.size && known.sha256 === (await sha256Of(path, signal))) return known;
  } else {
    // Finished, and then killed before the manifest told all of it: the check says whether it is whole.
    const verdict = await verifyFile(path, expectationOf(plan), { signal });
    const time = found.mtime.toISOString();
    if (verdict.kind === 'complete') {
      const record = sliceRecordOf(plan, file, verdict, { started: time, finished: time });
      return known?.sha256 === record.sha256 ? { ...record, segmentIds: known.segmentIds } : record;
    }
  }
  await putAside(path);
  return undefined;
}

/**
 * Whether a record tells of this slice and nothing else: the same bytes are merged and counted by what it says of
 * them. One that was edited, or is of a time when less was recorded, is not gone by.
 */
function tellsOf({ csvs, rows, bytes }: SliceRecord, { table, chainId, fromBlock, toBlock }: ExportPlan): boolean {
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

async function putAside(path: string): Promise<void> {
  for (let number = 1; ; number++) {
    const aside = number === 1 ? `${path}.changed` : `${path}.${number}.changed`;
    if (!(await isThere(aside))) return rename(path, aside);
  }
}

/** Removes what earlier runs left half done; nothing of it can be resumed. */
export async function removeParts(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const halfDone = entries.filter(entry => !entry.isDirectory() && HALF_DONE.test(entry.name));
  await Promise.all(halfDone.map(({ name }) => rm(join(folder, name), { force: true })));
}

/** Where there is no more room, what came of a slice is in the way of going on: nothing of it can be resumed. */
export async function withoutRemains(result: ExportResult): Promise<ExportResult> {
  if (result.kind !== 'failed' || result.partPath === null || !isOutOfRoom(result.error)) return result;
  await rm(result.partPath, { force: true });
  return { ...result, partPath: null };
}

const HALF_DONE = /\.part$|^manifest\.json\.[0-9a-f]+\.new$/;

async function sha256Of(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal !== undefined && { signal }) }))
    hash.update(chunk);
  return hash.digest('hex');
}
