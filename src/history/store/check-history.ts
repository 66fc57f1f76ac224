import { lstat, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileLock } from '../../base/disk/file-lock.ts';
import type { Range } from '../../chain/insight/range.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import { nothingYet, type Progress, timeLeftOfParts } from '../download/progress.ts';
import { lockFolder } from '../manifest/folder-lock.ts';
import { readManifest, type SliceRecord } from '../manifest/manifest.ts';
import { hasErrorCode, isPathTaken, isWriteDenied } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { EXPORT_TABLES } from '../plan/export-tables.ts';
import { verifyFile } from '../verify/verify-file.ts';
import { expectedSlice } from '../verify/verify-folder.ts';
import { type ChainHistory, openHistory, readTableManifest, type StoredTable, sliceRange } from './chain-history.ts';
import { dropSlices } from './table-run.ts';
import { unrecordedFiles } from './unrecorded-files.ts';

interface CheckHistoryOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly nowMs?: () => number;
  /** Every table by default. */
  readonly tables?: readonly string[];
}

export interface HistoryCheck {
  /** Slices that are verified. */
  readonly slices: number;
  readonly rows: number;
  /** Damaged slices, now set aside: their blocks are missing. */
  readonly damaged: readonly DamagedSlice[];
  /** Tables with a damaged manifest, whose files a fetch verifies again. */
  readonly unrecorded: readonly UnrecordedTable[];
}

export interface UnrecordedTable {
  readonly table: string;
  /** What is wrong with the manifest. */
  readonly reason: string;
  /** The blocks of its files. */
  readonly ranges: readonly Range[];
}

export interface DamagedSlice {
  readonly table: string;
  readonly file: string;
  readonly range: Range;
  readonly reason: string;
  /** False where the folder cannot be written. */
  readonly isSetAside: boolean;
}

/**
 * Reads every slice again and compares it with its record. A damaged one is renamed to `.changed`, and its blocks are
 * missing from then on. Throws DestinationError when another program writes to a table, or the reason of the signal.
 */
export async function checkHistory(
  { folder, chainId, tables: all }: ChainHistory,
  { signal, onProgress, tables: only, nowMs = Date.now }: CheckHistoryOptions,
): Promise<HistoryCheck> {
  const tables = all.filter(({ table }) => only?.includes(table) ?? true);
  const of = tables.reduce((sum, { slices }) => sum + slices.length, 0);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const damaged: DamagedSlice[] = [];
  const checked = { slices: 0, whole: 0, bytes: 0, rows: 0 };
  const startedMs = nowMs();
  const report = (table: string, slice: SliceRecord): void => {
    const elapsedMs = nowMs() - startedMs;
    onProgress({
      ...{ ...nothingYet(table), phase: 'verifying', blocks: sliceRange(slice), elapsedMs },
      parts: { unit: 'file', done: checked.whole, failed: checked.slices - checked.whole, underWay: 1, of },
      ...{ bytes: checked.bytes, rows: checked.rows, slices: { done: checked.whole, total: of } },
      leftMs: timeLeftOfParts({
        ...{ done: checked.bytes, underWay: slice.bytes, left: bytes - checked.bytes },
        ...{ doneMs: elapsedMs, nowMs: elapsedMs },
      }),
    });
  };
  for (const table of tables) {
    const lock = await lockIfWritable(table.folder);
    const isSetAside = lock !== undefined;
    try {
      // Another program may have written it before the lock was taken.
      const opened = (await openHistory(folder)).tables.find(found => found.table === table.table);
      const slices = opened?.slices ?? [];
      const bad: SliceRecord[] = [];
      for (const slice of slices) {
        report(table.table, slice);
        const reason = await sliceDamage({ ...table, chainId }, slice, signal);
        checked.slices++;
        checked.bytes += slice.bytes;
        if (reason === undefined) {
          checked.whole++;
          checked.rows += slice.rows;
        } else {
          bad.push(slice);
          damaged.push({ table: table.table, file: slice.file, range: sliceRange(slice), reason, isSetAside });
        }
      }
      const lost = await lostSlices(table.folder, slices);
      for (const slice of lost)
        damaged.push({
          ...{ table: table.table, file: slice.file, range: sliceRange(slice) },
          reason: 'The file is gone or has another size.',
          isSetAside,
        });
      if (isSetAside && bad.length + lost.length > 0) await dropSlices(table.folder, [...bad, ...lost]);
    } finally {
      await lock?.release();
    }
  }
  const unrecorded = await unrecordedTables({ folder, chainId }, only);
  return { slices: checked.whole, rows: checked.rows, damaged, unrecorded };
}

async function unrecordedTables(
  { folder, chainId }: Pick<ChainHistory, 'folder' | 'chainId'>,
  only: readonly string[] | undefined,
): Promise<readonly UnrecordedTable[]> {
  const tables: UnrecordedTable[] = [];
  for (const { id: table } of EXPORT_TABLES) {
    if (!(only?.includes(table) ?? true)) continue;
    const place = join(folder, table);
    const reason = await readTableManifest(place).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof DestinationError || error instanceof UnreadableError) return error.message;
        throw error;
      },
    );
    const ranges = reason === undefined ? [] : await unrecordedFiles(place, [], { table, chainId });
    if (reason !== undefined && ranges.length > 0) tables.push({ table, reason, ranges });
  }
  return tables;
}

/** Undefined for a folder that cannot be written, where no other program writes either. */
const lockIfWritable = (folder: string): Promise<FileLock | undefined> =>
  lockFolder(folder).catch((error: unknown) => {
    if (isWriteDenied(error)) return undefined;
    throw error;
  });

/** The damage of a slice; undefined if it matches its record. */
async function sliceDamage(
  { folder, table, chainId }: StoredTable & Pick<ChainHistory, 'chainId'>,
  slice: SliceRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const verdict = await verifyFile(join(folder, slice.file), expectedSlice({ table, chainId }, slice), { signal });
    signal.throwIfAborted();
    if (verdict.kind !== 'complete') return verdict.reason;
    return verdict.sha256 === slice.sha256 ? undefined : 'Its SHA-256 is not the one that was recorded.';
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnreadableError) return error.message;
    throw error;
  }
}

/** Recorded slices that were not opened, as their files are gone or changed. */
async function lostSlices(folder: string, slices: readonly SliceRecord[]): Promise<readonly SliceRecord[]> {
  const manifest = await readManifest(folder);
  const present = new Set(slices.map(({ file }) => file));
  return manifest?.slices.filter(({ file }) => !present.has(file)) ?? [];
}

/**
 * Deletes the slices of these tables, or the whole history. Other files stay, and so do the targets of links. Throws
 * DestinationError when another program writes to one of the tables.
 */
export async function forgetHistory(
  { folder }: Pick<ChainHistory, 'folder'>,
  tables?: readonly string[],
): Promise<{ readonly bytes: number }> {
  const places: string[] = [];
  const locks: FileLock[] = [];
  try {
    for (const { id } of EXPORT_TABLES) {
      const place = join(folder, id);
      if (!(tables?.includes(id) ?? true) || !(await isPathTaken(place))) continue;
      // Locks every table first: no program may write to one that is being deleted, and either all go or none.
      if (await isRealFolder(place)) locks.push(await lockFolder(place));
      places.push(place);
    }
  } catch (error) {
    for (const lock of locks) await lock.release();
    throw error;
  }
  let bytes = 0;
  for (const place of places) bytes += await removeFiles(place, isOfTable);
  const parquet = join(folder, 'parquet');
  if (tables === undefined) {
    bytes += await removeTree(parquet);
    bytes += await removeFiles(await realpath(folder), name => CHAIN_FILES.includes(name));
    // What is left of a link to the folder.
    await rm(folder).catch(() => {});
  } else if (await isRealFolder(parquet)) for (const name of tables) bytes += await removeTree(join(parquet, name));
  return { bytes };
}

const CHAIN_FILES: readonly string[] = ['names.json', 'chain.json', 'chain.json.lock'];

const isOfTable = (name: string): boolean => /^(?:manifest\.json|blockglass\.lock)(?:\.|$)|\.zip(?:\.|$)/.test(name);

const isRealFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isDirectory() === true;

/** Removes the files with these names, then the folder if nothing is left in it; of a link only the link. */
async function removeFiles(folder: string, isOurs: (name: string) => boolean): Promise<number> {
  if (!(await isRealFolder(folder))) {
    await rm(folder, { force: true });
    return 0;
  }
  let bytes = 0;
  for (const name of (await readdir(folder)).filter(isOurs)) {
    const facts = await lstat(join(folder, name)).catch(() => undefined);
    if (facts === undefined || facts.isDirectory()) continue;
    bytes += facts.size;
    await rm(join(folder, name), { force: true });
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOTEMPTY') && !hasErrorCode(error, 'EEXIST')) throw error;
  });
  return bytes;
}

/** Removes a folder with everything in it; of a link only the link. */
async function removeTree(folder: string): Promise<number> {
  const bytes = (await isRealFolder(folder)) ? await folderBytes(folder) : 0;
  await rm(folder, { recursive: true, force: true });
  return bytes;
}

/** The bytes of all files in a folder, and in those below it; 0 if there is none. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
