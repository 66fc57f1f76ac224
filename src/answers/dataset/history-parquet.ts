import { readdir, rmdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFolder } from '../../history/manifest/folder-lock.ts';
import type { SliceRecord } from '../../history/manifest/manifest.ts';
import { freeSpace } from '../../history/plan/destination.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { type LeftSlice, leftNote } from '../parquet/archives.ts';
import { type ConvertProgress, convertToParquet } from '../parquet/convert.ts';
import { removeParquet } from '../parquet/out-folder.ts';
import { type ParquetManifest, readParquetManifest } from '../parquet/parquet-manifest.ts';
import { readTableParts } from './parquet-folder.ts';

/** A table of a history on disk. */
export interface SlicedTable {
  readonly table: string;
  /** The folder of its slices. */
  readonly folder: string;
  readonly slices: readonly Pick<SliceRecord, 'file' | 'fromBlock' | 'toBlock' | 'bytes' | 'sha256'>[];
}

export interface HistoryParquetOptions {
  /** The folder of a chain. `parquet`, next to the slices, has a folder of Parquet per table. */
  readonly chainFolder: string;
  readonly chainId: string;
  /** The Parquet of all chains may take so much; that of the least recently asked tables is removed for others. */
  readonly budgetBytes: number;
  readonly program: string;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: ConvertProgress) => void) | undefined;
  /** Another process converts the table. */
  readonly onWait?: ((processId: number) => void) | undefined;
}

/** From where a table is read. */
export interface TableSource {
  /** A folder of Parquet; that of the slices, if no Parquet can be kept; undefined if no slice can be used. */
  readonly path: string | undefined;
  /** Sentences about blocks left out, or why no Parquet is kept. */
  readonly notes: readonly string[];
}

/**
 * Brings the Parquet of a table up to date with its slices. Only new slices are converted; Parquet that is damaged, or that
 * was made of other slices, is made again. It is never needed: where it cannot be written, the slices are read.
 */
export async function updateParquet(stored: SlicedTable, options: HistoryParquetOptions): Promise<TableSource> {
  const { chainFolder, signal } = options;
  const out = join(chainFolder, PARQUET_FOLDER, stored.table);
  try {
    const left: LeftSlice[] = [];
    if (!(await isUpToDate(out, stored, options))) {
      await makeRoom(out, stored, options);
      const manifest = await convert(out, { stored, left }, options);
      if (manifest.tables.length === 0) return { path: undefined, notes: left.map(leftNote) };
    }
    // The time of the folder says when it was last asked. A folder that cannot be written has no budget to keep.
    await utimes(out, new Date(), new Date()).catch(() => {});
    return { path: out, notes: left.map(leftNote) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AnswerError) || error.because === 'untrusted') throw error;
    return {
      path: stored.folder,
      notes: [`the Parquet of ${stored.table} is not kept, so each question reads its ZIPs: ${error.message}`],
    };
  }
}

const PARQUET_FOLDER = 'parquet';

/** Whether every slice was converted, and nothing else, and the files are those that were written. */
async function isUpToDate(
  out: string,
  { table, slices }: SlicedTable,
  { program, chainId, signal }: HistoryParquetOptions,
): Promise<boolean> {
  try {
    const manifest = await readParquetManifest(out);
    if (manifest?.program !== program || manifest.chainId !== chainId || manifest.finished === null) return false;
    const [only, ...others] = manifest.tables;
    if (only?.name !== table || others.length > 0) return false;
    const made = new Set((only.sources ?? []).map(sliceKey));
    if (made.size !== slices.length || !slices.every(slice => made.has(sliceKey(slice)))) return false;
    await readTableParts({ folder: out, label: out, signal }, manifest);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // Another process may have removed it in this moment.
    if (error instanceof AnswerError || (error instanceof Error && 'syscall' in error)) return false;
    throw error;
  }
}

const sliceKey = ({ fromBlock, toBlock, sha256 }: Pick<SliceRecord, 'fromBlock' | 'toBlock' | 'sha256'>): string =>
  `${fromBlock} ${toBlock} ${sha256}`;

async function convert(
  out: string,
  { stored: { folder }, left }: { readonly stored: SlicedTable; readonly left: LeftSlice[] },
  { program, signal, onProgress, onWait = () => {} }: HistoryParquetOptions,
): Promise<ParquetManifest> {
  return convertToParquet({
    ...{ paths: [folder], out, program, signal, isHistory: true, isMirror: true },
    onLeft: each => void left.push(each),
    ...{ onWait, ...(onProgress !== undefined && { onProgress }) },
  });
}

/** Removes the Parquet of other tables until that of this one has room. Throws AnswerError if there is none. */
async function makeRoom(
  out: string,
  stored: SlicedTable,
  { chainFolder, budgetBytes }: HistoryParquetOptions,
): Promise<void> {
  const needed = PARQUET_OF_ZIP * stored.slices.reduce((sum, { bytes }) => sum + bytes, 0);
  if (needed > budgetBytes)
    throw new AnswerError(
      `it would need about ${gibText(needed)}, and maxParquetGiB allows ${gibText(budgetBytes)}`,
      'raise maxParquetGiB in the settings',
    );
  const all = await listParquet(dirname(chainFolder));
  const own = all.find(({ folder }) => folder === out)?.bytes ?? 0;
  let others = all.filter(({ folder }) => folder !== out).toSorted((a, b) => a.askedMs - b.askedMs);
  for (;;) {
    const used = others.reduce((sum, { bytes }) => sum + bytes, 0);
    const free = await freeSpace(chainFolder);
    const isTooMuch = used + needed > budgetBytes || (free !== null && free < needed - own + MIN_FREE_BYTES);
    if (!isTooMuch) return;
    const [oldest, ...rest] = others;
    if (oldest === undefined || Date.now() - oldest.askedMs < RECENT_MS) {
      if (used + needed > budgetBytes) return;
      throw new AnswerError(
        `it needs about ${gibText(Math.max(0, needed - own))} of room on the disk, and ${gibText(free ?? 0)} are free`,
        'free some space',
      );
    }
    await discardParquet(oldest.folder);
    others = rest;
  }
}

/** Parquet is about half as large as the ZIPs that it is made of; this is on the safe side. */
const PARQUET_OF_ZIP = 0.75;

/** For the files that a conversion works with, and for others. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;

/** A question that was asked so recently may still read the files. */
const RECENT_MS = 10 * 60_000;

const gibText = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

interface KeptParquet {
  readonly folder: string;
  readonly bytes: number;
  readonly askedMs: number;
}

/** The Parquet of all tables of all chains. */
async function listParquet(root: string): Promise<readonly KeptParquet[]> {
  const kept: KeptParquet[] = [];
  for (const chain of await namesIn(root)) {
    const parquet = join(root, chain, PARQUET_FOLDER);
    for (const table of await namesIn(parquet)) {
      const folder = join(parquet, table);
      const facts = await stat(folder).catch(() => undefined);
      if (facts?.isDirectory() !== true) continue;
      const manifest = await readParquetManifest(folder).catch(() => undefined);
      const files = manifest?.tables.flatMap(each => each.files) ?? [];
      kept.push({ folder, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), askedMs: facts.mtimeMs });
    }
  }
  return kept;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** Removes the Parquet of a table, unless another process converts it. */
async function discardParquet(folder: string): Promise<void> {
  const lock = await lockFolder(folder).catch(() => undefined);
  if (lock === undefined) return;
  try {
    await removeParquet(folder);
  } finally {
    await lock.release();
  }
  await rmdir(folder).catch(() => {});
}
