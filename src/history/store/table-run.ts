import { join } from 'node:path';
import type { Client } from '../../chain/api/client.ts';
import { RefusedError } from '../../chain/api/errors.ts';
import { shownAddress } from '../../chain/api/request.ts';
import type { Range } from '../../chain/insight/range.ts';
import type { Boundaries } from '../../chain/range/segment-boundaries.ts';
import type { Segment } from '../../chain/range/segment-history.ts';
import type { DownloadOptions } from '../download/download.ts';
import { renameChangedFile } from '../download/earlier-slices.ts';
import type { ExportResult } from '../download/export-result.ts';
import { type FailedSlice, SliceRun } from '../download/slice-run.ts';
import {
  createManifest,
  MANIFEST_FILE_NAME,
  type Manifest,
  readManifest,
  type SliceRecord,
} from '../manifest/manifest.ts';
import { type ArrangeSlices, SliceBook } from '../manifest/slice-book.ts';
import { createFolder, isPathTaken } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import type { ExportPlan } from '../plan/export-plan.ts';
import type { ExportTable } from '../plan/export-tables.ts';
import { readTableManifest, requireManifestOf, sliceRange } from './chain-history.ts';
import type { PlannedSlice } from './missing-slices.ts';

export interface TableRunOptions extends Omit<DownloadOptions, 'plan' | 'readsRows'> {
  readonly client: Client;
  readonly table: ExportTable;
  readonly chainId: string;
  /** Of the table; the caller holds its lock. */
  readonly folder: string;
  readonly boundaries: Boundaries;
  readonly slices: readonly PlannedSlice[];
  readonly sliceSegments: number;
  readonly program: string;
  readonly retryMs?: number;
  readonly onSaved: (record: SliceRecord) => void;
}

/** What a run brought, and why it did not bring the rest. */
export interface TableRunEnd {
  readonly saved: readonly SliceRecord[];
  readonly failed: readonly FailedSlice[];
  readonly failure: ExportResult | undefined;
  readonly notes: readonly string[];
}

/** After this many, the node is assumed not to serve the table. */
const MAX_FAILED_SLICES = 3;

/** Fetches slices of a table into the history. A failed slice does not stop the others. Throws DestinationError or UnreadableError. */
export async function runTable(options: TableRunOptions): Promise<TableRunEnd> {
  const { slices, nowMs = Date.now } = options;
  const { book, notes: ofBook } = await openBook(options);
  const run = new SliceRun({
    ...options,
    ...{ plan: tablePlan(options), book, parallel: 1, startedMs: nowMs() },
    ...{ isSkipped: isOfOneSlice, mostFailed: MAX_FAILED_SLICES },
  });
  await run.findMissing();
  const adopted = run.done;
  if (adopted.length > 0) await book.write();
  for (const record of adopted) options.onSaved(record);
  if (slices.length > adopted.length) await run.fetchMissing();
  const left = slices.length - run.done.length - run.failed.length;
  const isGivenUp = run.failed.length >= MAX_FAILED_SLICES && left > 0 && run.failure === undefined;
  const notes = isGivenUp
    ? [`${options.table.id}: given up after ${MAX_FAILED_SLICES} slices that could not be downloaded`]
    : [];
  return { saved: run.done, failed: run.failed, failure: run.failure, notes: [...ofBook, ...notes] };
}

/** A damaged slice, or one that the node refuses, says nothing of the others. */
const isOfOneSlice = (result: ExportResult): boolean =>
  result.kind === 'not-complete' || (result.kind === 'failed' && result.error instanceof RefusedError);

const tablePlan = ({ table, chainId, slices, folder }: TableRunOptions): ExportPlan => ({
  ...{ table, chainId, destination: folder, mayOverwrite: false },
  fromBlock: slices.reduce(
    (least, { fromBlock }) => (fromBlock < least ? fromBlock : least),
    slices[0]?.fromBlock ?? 0n,
  ),
  toBlock: slices.reduce((most, { toBlock }) => (toBlock > most ? toBlock : most), 0n),
});

/** The manifest of a table that grows: all its slices stay in it. */
async function openBook(
  options: TableRunOptions,
): Promise<{ readonly book: SliceBook; readonly notes: readonly string[] }> {
  const { folder, client, program, sliceSegments, table, chainId, nowMs = Date.now } = options;
  await createFolder(folder);
  let notes: readonly string[] = [];
  const found = await readTableManifest(folder).catch(async (error: unknown) => {
    if (!(error instanceof DestinationError)) throw error;
    // Without a record every whole slice is verified again, and taken.
    await renameChangedFile(join(folder, MANIFEST_FILE_NAME));
    notes = [`${table.id}: its manifest was damaged and set aside, so its slices were verified again`];
    return undefined;
  });
  if (found !== undefined) requireManifestOf(found, { folder, table: table.id, chainId });
  const fresh: Manifest = createManifest({
    ...{ program, node: shownAddress(client.base), plan: tablePlan(options), startedMs: nowMs() },
    slices: { segmentsPerSlice: sliceSegments, parallel: 1 },
  });
  return { book: new SliceBook(folder, found ?? fresh, arrangeGrowing), notes };
}

/**
 * In block order. Of two that overlap, the one that was recorded last is meant: the file of the other was gone. Their times do
 * not tell, as a clock may have been wrong.
 */
const arrangeGrowing: ArrangeSlices = records => {
  const ordered = [...records.values()]
    .map((record, place) => ({ record, place, ...sliceRange(record) }))
    .toSorted((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0));
  const kept: typeof ordered = [];
  for (const slice of ordered) {
    while (isReplaced(kept.at(-1), slice)) kept.pop();
    const last = kept.at(-1);
    if (last === undefined || last.to < slice.from) kept.push(slice);
  }
  const [first, last] = [kept[0], kept.at(-1)];
  return {
    slices: kept.map(({ record }) => record),
    ...(first !== undefined && last !== undefined && { fromBlock: String(first.from), toBlock: String(last.to) }),
    finished: kept.reduce<string | null>(
      (newest, { record }) => (newest === null || record.finished > newest ? record.finished : newest),
      null,
    ),
  };
};

type PlacedSlice = Range & { readonly place: number };

const isReplaced = (last: PlacedSlice | undefined, { from, place }: PlacedSlice): boolean =>
  last !== undefined && last.to >= from && last.place < place;

/**
 * Sets aside the slices for whose blocks the node lists other segments now than when they were fetched in this run, by their
 * ids or their ends: it is not known which of the two histories they have. Resolves with those.
 */
export async function setAsideChanged(
  folder: string,
  saved: readonly SliceRecord[],
  { before, now }: { readonly before: readonly Segment[]; readonly now: readonly Segment[] },
): Promise<readonly SliceRecord[]> {
  // Some of the segments may be gone, but those that are left are the same.
  const known = new Set(before.map(segmentName));
  const other = now.filter(segment => !known.has(segmentName(segment)));
  const changed = saved.filter(slice => {
    const { from, to } = sliceRange(slice);
    return other.some(({ fromHeight, toHeight }) => fromHeight <= to && from <= toHeight);
  });
  if (changed.length > 0) await dropSlices(folder, changed);
  return changed;
}

const segmentName = ({ fromHeight, toHeight, historySegmentId }: Segment): string =>
  `${fromHeight}-${toHeight} ${historySegmentId}`;

/** Takes slices out of the manifest and renames their files to `.changed`. The caller holds the lock. */
export async function dropSlices(folder: string, slices: readonly SliceRecord[]): Promise<void> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) return;
  const book = new SliceBook(folder, manifest, arrangeGrowing);
  for (const { file } of slices) book.drop(file);
  // The file goes first: one without a record would be checked, and taken for whole.
  for (const { file } of slices) if (await isPathTaken(join(folder, file))) await renameChangedFile(join(folder, file));
  await book.write();
}
