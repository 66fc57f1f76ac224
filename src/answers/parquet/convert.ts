import { join, resolve } from 'node:path';
import { Database } from '../engine/database.ts';
import { type Archive, type LeftSlice, openArchives } from './archives.ts';
import { convertTable } from './convert-table.ts';
import { OutFolder } from './out-folder.ts';
import type { ParquetManifest } from './parquet-manifest.ts';
import { MACROS } from './table-column.ts';
import { type ColumnChoice, planTables } from './table-plan.ts';

export interface ConvertOptions extends ColumnChoice {
  /** ZIP files and folders of slices. */
  readonly paths: readonly string[];
  /** The folder for the Parquet files; created if missing. */
  readonly out: string;
  /** Also accepts incomplete archives; the result and the metadata of their files record that. */
  readonly evenIncomplete?: boolean;
  /** The paths are folders of a history: blocks may be missing, and a slice that cannot be used is left out. */
  readonly isHistory?: boolean;
  /** The files only mirror a history: those made from other slices are removed, and damaged ones are made again. */
  readonly isMirror?: boolean;
  /** Called for each slice of a history that is left out. */
  readonly onLeft?: (left: LeftSlice) => void;
  /** Called while another process converts into the same folder; undefined fails at once. */
  readonly onWait?: (processId: number) => void;
  /** Program name and version for the manifest. */
  readonly program?: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ConvertProgress) => void;
  /** Bytes of CSV to read at a time. */
  readonly partBytes?: number;
  readonly now?: () => Date;
  /** Called with each file before it is read back; for tests. */
  readonly onWritten?: (path: string) => Promise<void>;
}

export interface ConvertProgress {
  /** Bytes of the archives read so far. */
  readonly bytes: number;
  readonly rows: number;
  readonly totalBytes: number | null;
}

const PART_BYTES = 64 * 1024 * 1024;

/**
 * Writes the CSVs of verified exports as Parquet files, a folder per table and day. Throws AnswerError for a bad export,
 * and the reason of the signal on abort. Finished files stay and are not converted again.
 */
export async function convertToParquet(options: ConvertOptions): Promise<ParquetManifest> {
  const { signal, program = 'blockglass', isHistory = false, isMirror = false, onWait, onLeft = () => {} } = options;
  const { archives, notes, left } = await openArchives(options.paths, {
    evenIncomplete: options.evenIncomplete ?? false,
    isHistory,
    signal,
  });
  for (const each of left) onLeft(each);
  const plans = planTables(archives, options);
  const how = { isMirror, signal, ...(onWait !== undefined && { onWait }) };
  // The engine would interpret a path that begins with ~ or a protocol.
  const out = await OutFolder.open(resolve(options.out), { program, chainId: plans[0]?.chainId ?? '' }, how);
  try {
    const database = await openDatabase(out, signal);
    try {
      const onProgress = createProgress(archives, options.onProgress);
      const { partBytes = PART_BYTES, onWritten } = options;
      for (const plan of plans)
        await convertTable(plan, {
          out,
          database,
          program,
          signal,
          partBytes,
          onProgress,
          onWritten,
          isHistory,
          isMirror,
          onLeft,
        });
    } finally {
      await database.close();
    }
    const given = new Set(plans.map(({ name }) => name));
    const now = options.now ?? (() => new Date());
    await out.publish(finishManifest(out.manifest, { given, notes }, { program, now }), []);
    return out.manifest;
  } finally {
    await out.close();
  }
}

/** Half of the memory for a conversion; the program, libraries and write buffers need the other half. */
const MEMORY_MIB = 320;

async function openDatabase({ work }: OutFolder, signal: AbortSignal): Promise<Database> {
  const limits = { memoryMiB: MEMORY_MIB, threads: 2, spillTo: join(work, 'spill'), temporary: work };
  const database = await Database.open(limits, signal);
  for (const macro of MACROS) await database.run(macro);
  return database;
}

/** Missing data in the given archives does not affect tables that already existed. */
function finishManifest(
  manifest: ParquetManifest,
  { given, notes }: { readonly given: ReadonlySet<string>; readonly notes: readonly string[] },
  { program, now }: { readonly program: string; readonly now: () => Date },
): ParquetManifest {
  const tables = manifest.tables.map(table =>
    given.has(table.name)
      ? {
          ...table,
          isComplete: table.isComplete && notes.length === 0,
          notes: [...new Set([...table.notes, ...notes])],
        }
      : table,
  );
  return { ...manifest, program, finished: now().toISOString(), tables };
}

/** Archives are read one after another, some twice; the progress includes those already read. */
function createProgress(archives: readonly Archive[], report: ConvertOptions['onProgress']) {
  const read = new Map<Archive, { readonly bytes: number; readonly rows: number }>();
  const totalBytes = archives.reduce((sum, { bytes }) => sum + bytes, 0);
  return (archive: Archive, progress: { readonly bytes: number; readonly rows: number }): void => {
    read.set(archive, progress);
    const all = [...read.values()];
    report?.({
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      rows: all.reduce((sum, { rows }) => sum + rows, 0),
      totalBytes,
    });
  };
}
