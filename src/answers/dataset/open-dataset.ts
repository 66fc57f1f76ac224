import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Range } from '../../chain/insight/range.ts';
import { columnSchema } from '../../tables/columns.ts';
import type { ColumnKind, DecimalsSource } from '../../tables/table.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { Database, type DatabaseLimits, type ResultColumn } from '../engine/database.ts';
import { type LeftSlice, leftNote } from '../parquet/archives.ts';
import { type ConvertOptions, convertToParquet } from '../parquet/convert.ts';
import { exportCommandHint } from '../parquet/export-command-hint.ts';
import { type ParquetManifest, type ParquetTable, readParquetManifest } from '../parquet/parquet-manifest.ts';
import { historyChange, parquetChange } from './history-change.ts';
import { type SlicedTable, type TableSource, updateParquet } from './history-parquet.ts';
import type { TablePart } from './parquet-folder.ts';
import { readTableParts } from './parquet-folder.ts';
import { makePrivateFolder, toTemporaryFolderError } from './private-folder.ts';
import { makeView } from './table-view.ts';

/** Exports on disk, opened in an engine that can read nothing else. */
export interface Dataset {
  /** '' if the files do not give it. */
  readonly chainId: string;
  /** Each is a view with the same name. */
  readonly tables: readonly DatasetTable[];
  readonly database: Database;
  /** What readers of any answer must know: incomplete exports and missing blocks. */
  readonly notes: readonly string[];
  /** Throws AnswerError if a file has changed or gone since it was opened. */
  readonly unchanged: () => Promise<void>;
  /** Removes its temporary files. */
  readonly close: () => Promise<void>;
}

export interface DatasetTable {
  readonly name: string;
  readonly rows: bigint;
  /** ISO 8601, UTC; null without rows. */
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly fromBlock: string | null;
  readonly toBlock: string | null;
  readonly isComplete: boolean;
  /** The blocks that a history has; absent for exports. */
  readonly runs?: readonly BlockRun[];
  /** The archives and folders it is made of, sorted by blocks. */
  readonly parts: readonly DatasetPart[];
  readonly columns: readonly DatasetColumn[];
}

/** Blocks that were exported together, and the times of their rows; null without rows. */
interface DatasetPart {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  /** The archive that was read; absent if a Parquet folder does not record it. */
  readonly archive?: DatasetArchive;
}

interface DatasetArchive {
  /** The file name without its folder. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface DatasetColumn {
  readonly name: string;
  /** The engine's name of the type. */
  readonly type: string;
  /** Null for an unknown column. */
  readonly kind: ColumnKind | null;
  readonly unit: string;
  /** Left out for numbers that are not amounts. */
  readonly counted?: DecimalsSource;
  readonly about: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface DatasetOptions {
  /** Any number of ZIP files, folders of slices and folders of Parquet files. */
  readonly paths: readonly string[];
  /** Tables of a Parquet folder that are read from other exports. */
  readonly without?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly evenIncomplete?: boolean;
  /**
   * Set if the paths are slice folders of a history, which may have gaps. They are read as Parquet, kept next to them.
   */
  readonly history?: DatasetHistory | undefined;
  /** Program name and version: the Parquet of a history is made again by another one. */
  readonly program?: string | undefined;
  /** The Parquet of all histories may take so much; 20 by default. */
  readonly maxParquetGiB?: number | undefined;
  readonly limits?: Pick<DatabaseLimits, 'memoryMiB' | 'threads'>;
  /** Adds a view with the place of each row (`placedView`). SQL queries do not need it and would see it among the tables. */
  readonly hasPlaces?: boolean;
  /** An abort closes everything and removes the temporary files. */
  readonly signal: AbortSignal;
  readonly onProgress?: ConvertOptions['onProgress'];
  /** Another process converts the same history. */
  readonly onWait?: ConvertOptions['onWait'];
}

/** A history, apart from the rows of its files. */
export interface DatasetHistory {
  /** The folder of the chain. */
  readonly folder: string;
  readonly chainId: string;
  /** In the order of the paths. */
  readonly tables: readonly SlicedTable[];
  /** A sentence for each gap, and for each file left out. */
  readonly notes: readonly string[];
  /** The blocks of each table, in runs without gaps. */
  readonly runs: ReadonlyMap<string, readonly BlockRun[]>;
}

/** Blocks that follow each other, both ends included, and about when the first and the last were (Unix milliseconds). */
export interface BlockRun extends Range {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** Throws AnswerError if an export cannot be read, cannot be trusted, or does not match the others. */
export async function openDataset(options: DatasetOptions): Promise<Dataset> {
  const { limits = {}, hasPlaces = false, signal } = options;
  signal.throwIfAborted();
  const folder = await makePrivateFolder(signal);
  let database: Database | undefined;
  const close = async (): Promise<void> => {
    await database?.close();
    await folder.remove();
  };
  try {
    const spill = { spillTo: join(folder.path, 'spill'), spillMiB: Math.min(MAX_SPILL_MIB, folder.roomMiB) };
    database = await Database.open({ ...limits, ...spill, temporary: folder.path }, signal);
    const { parts, notes: asides } = await collectParts(options, folder.path);
    const tables = joinParts(parts);
    const files = parts.flatMap(part => part.files.map(({ path }) => path));
    const unchanged = await createChangeCheck(files, options.history);
    await database.seal(files);
    database.explainErrors(error => (signal.aborted ? Promise.resolve(error) : changeOr(error, unchanged)));
    const made: DatasetTable[] = [];
    const notes = [...asides, ...(options.history?.notes ?? []), ...datasetNotes(tables, options)];
    for (const [, ofTable] of tables) {
      const view = await makeView(database, ofTable, { hasPlaces, signal });
      notes.push(...view.notes);
      const table = describedTable(ofTable, view.columns);
      const runs = options.history && (options.history.runs.get(table.name) ?? []);
      made.push(runs === undefined ? table : { ...table, runs });
    }
    const chainId = parts.find(part => part.chainId !== '')?.chainId ?? '';
    return { chainId, tables: made, database, notes, unchanged, close };
  } catch (error) {
    await close();
    // After an abort the folder is removed under the work, whose error then is not the reason.
    signal.throwIfAborted();
    throw options.history === undefined ? error : ((await historyChange(options.history)) ?? error);
  }
}

/** What a change check says; the error where nothing has changed. */
const changeOr = (error: unknown, unchanged: Dataset['unchanged']): Promise<unknown> =>
  unchanged().then(
    () => error,
    (change: unknown) => change,
  );

const MAX_SPILL_MIB = 4096;

interface CollectedParts {
  readonly parts: readonly TablePart[];
  readonly notes: readonly string[];
}

/** Parquet folders unchanged, and archives converted to Parquet in a private folder. */
async function collectParts(options: DatasetOptions, folder: string): Promise<CollectedParts> {
  const { without, evenIncomplete = false, history } = options;
  const { paths, notes } = history === undefined ? { ...options, notes: [] } : await historySources(history, options);
  if (paths.length === 0) throw new AnswerError('no export given', 'pass a ZIP file or a folder');
  const parts: TablePart[] = [];
  const archives: string[] = [];
  for (const path of paths) {
    const whole = await readParquetManifest(path);
    if (whole === undefined) archives.push(path);
    else {
      const left = without?.get(path);
      const manifest = { ...whole, tables: whole.tables.filter(({ name }) => left?.has(name) !== true) };
      if (!evenIncomplete && history === undefined) refuseIncomplete(path, manifest);
      parts.push(...(await readTableParts({ folder: path, label: path, signal: options.signal }, manifest)));
    }
  }
  if (archives.length === 0) return { parts, notes };
  const made = await convertToParts(archives, join(folder, 'parquet'), options);
  return { parts: [...parts, ...made.parts], notes: [...notes, ...made.notes] };
}

/** The files to read for each table of a history, and notes about those left out. */
async function historySources(
  { folder, chainId, tables }: DatasetHistory,
  { program = 'blockglass', maxParquetGiB = 20, signal, onProgress, onWait }: DatasetOptions,
): Promise<{ readonly paths: readonly string[]; readonly notes: readonly string[] }> {
  const sources: TableSource[] = [];
  const how = {
    chainFolder: folder,
    chainId,
    budgetBytes: maxParquetGiB * 1024 ** 3,
    program,
    signal,
    onProgress,
    onWait,
  };
  for (const table of tables) sources.push(await updateParquet(table, how));
  const notes = sources.flatMap(source => source.notes);
  const paths = sources.flatMap(({ path }) => path ?? []);
  if (paths.length > 0) return { paths, notes };
  throw new AnswerError(
    `no slice of the history of ${chainId} can be used: ${notes[0]}`,
    'fetch them again: blockglass fetch --check',
    'untrusted',
  );
}

/** Converts archives to Parquet in a folder that is removed with the dataset. */
async function convertToParts(
  archives: readonly string[],
  out: string,
  { evenIncomplete = false, history, signal, onProgress }: DatasetOptions,
): Promise<CollectedParts> {
  const beganMs = performance.now();
  const progress = onProgress === undefined ? {} : { onProgress };
  const isHistory = history !== undefined;
  const left: LeftSlice[] = [];
  const onLeft = (each: LeftSlice): void => void left.push(each);
  const how = { evenIncomplete, isHistory, onLeft, signal };
  const converting = convertToParquet({ paths: archives, out, ...how, ...progress });
  const manifest = await converting.catch((error: unknown) => {
    throw toTemporaryFolderError(error, out);
  });
  const tookMs = performance.now() - beganMs;
  const [only = '', ...others] = archives;
  const label = others.length === 0 ? only : 'the exports';
  return {
    parts: await readTableParts({ folder: out, label, signal }, manifest),
    notes: [
      ...left.map(leftNote),
      ...(tookMs > LONG_CONVERSION_MS && !isHistory
        ? [`converted ${label} to Parquet first; blockglass convert keeps the Parquet`]
        : []),
    ],
  };
}

const LONG_CONVERSION_MS = 1000;

function refuseIncomplete(label: string, { finished, tables }: ParquetManifest): void {
  const table = tables.find(({ isComplete }) => !isComplete);
  if (finished !== null && table === undefined) return;
  throw new AnswerError(
    table === undefined
      ? `${label} is not finished`
      : `${table.name} of ${label} is not complete${incompleteReasons(table)}`,
    'convert the missing part into it too, or use --even-incomplete to query the rest',
    'untrusted',
  );
}

/** Missing blocks, as the end of a sentence. */
function incompleteReasons({ notes: [first, ...others] }: ParquetManifest['tables'][number]): string {
  if (first === undefined) return '';
  return others.length === 0 ? `: ${first}` : ` (the first of ${others.length + 1} reasons): ${first}`;
}

function describedTable(parts: readonly TablePart[], columns: readonly ResultColumn[]): DatasetTable {
  const [first, last] = [parts[0], parts.at(-1)];
  const name = first?.table.name ?? '';
  const files = parts.flatMap(({ table }) => table.files);
  return {
    name,
    rows: files.reduce((sum, { rows }) => sum + BigInt(rows), 0n),
    ...firstAndLastTime(files),
    fromBlock: first?.table.fromBlock ?? null,
    toBlock: last?.table.toBlock ?? null,
    isComplete: parts.every(({ table }) => table.isComplete),
    parts: parts.flatMap(({ table }) => datasetParts(table)),
    columns: columns.map(column => describedColumn(name, column)),
  };
}

/** A Parquet folder has a part for each source archive, or one part if its sources are unknown. */
function datasetParts({ fromBlock, toBlock, files, sources = [] }: ParquetTable): readonly DatasetPart[] {
  if (sources.length === 0) return [{ fromBlock, toBlock, ...firstAndLastTime(files) }];
  return sources.map(source => ({
    ...{ fromBlock: source.fromBlock, toBlock: source.toBlock },
    ...firstAndLastTime(files.filter(file => file.source === source.sha256)),
    archive: { name: source.name, sha256: source.sha256, bytes: source.bytes },
  }));
}

function firstAndLastTime(files: ParquetTable['files']): Pick<DatasetPart, 'firstTime' | 'lastTime'> {
  const times = files
    .flatMap(({ firstTime, lastTime }) => [firstTime, lastTime])
    .filter(time => time !== null)
    .toSorted();
  return { firstTime: times[0] ?? null, lastTime: times.at(-1) ?? null };
}

function describedColumn(table: string, { name, type }: ResultColumn): DatasetColumn {
  const known = columnSchema(table, name.replace(/_f64$/, ''));
  if (name === 'date') return { name, type, kind: 'time', unit: '', about: 'day of the block (UTC)' };
  if (known === undefined) return { name, type, kind: null, unit: '', about: '' };
  const about = name === known.name ? known.about : `${known.about}, rounded`;
  const { kind, unit, values } = known;
  // A rounded number is not a whole number of smallest units.
  const counted = name === known.name ? unit?.countedBy : undefined;
  return {
    ...{ name, type, kind, unit: unit?.text ?? '', about },
    ...(counted !== undefined && { counted }),
    ...(values !== undefined && { values }),
  };
}

/** The parts of each table by name, sorted by blocks. Throws AnswerError if they cannot be one table. */
function joinParts(parts: readonly TablePart[]): ReadonlyMap<string, readonly TablePart[]> {
  refuseSeveralChains(parts);
  const tables = new Map<string, readonly TablePart[]>();
  for (const name of parts.map(({ table }) => table.name).toSorted()) {
    if (tables.has(name)) continue;
    const ordered = parts.filter(({ table }) => table.name === name).toSorted(byBlocks);
    refuseOverlap(ordered);
    tables.set(name, ordered);
  }
  return tables;
}

/** Notes on tables made of these parts: missing blocks between parts, and incomplete parts. */
function datasetNotes(
  tables: ReadonlyMap<string, readonly TablePart[]>,
  { history }: Pick<DatasetOptions, 'history'>,
): readonly string[] {
  return [...tables].flatMap(([name, parts]) => [
    // The notes of a history also name the blocks that can be fetched.
    ...(history === undefined ? coverageNotes(name, parts) : []),
    ...parts.flatMap(({ table }) =>
      table.columns.flatMap(({ name: column, note }) => (note === undefined ? [] : [`${name}.${column}: ${note}`])),
    ),
  ]);
}

function coverageNotes(name: string, parts: readonly TablePart[]): readonly string[] {
  return [
    ...parts
      .filter(({ table, isFinished }) => !table.isComplete || !isFinished)
      .map(({ label }) => `${name} of ${label} is not complete`),
    // Missing blocks within a part are in its own notes.
    ...neighbours(parts).flatMap(([one, other]) => {
      const [from, to] = [BigInt(one.table.toBlock) + 1n, BigInt(other.table.fromBlock) - 1n];
      return from > to
        ? []
        : [`${name}: blocks ${from} to ${to} are in none of the exports${exportCommandHint(name, from, to)}`];
    }),
    ...parts.flatMap(({ table }) => table.notes.map(note => `${name}: ${note}`)),
  ];
}

function refuseSeveralChains(parts: readonly TablePart[]): void {
  const [first, ...others] = parts.filter(({ chainId }) => chainId !== '');
  const other = others.find(({ chainId }) => chainId !== first?.chainId);
  if (first === undefined || other === undefined) return;
  throw new AnswerError(
    `${first.label} is from chain ${first.chainId}, ${other.label} from chain ${other.chainId}`,
    'query one chain at a time',
  );
}

function refuseOverlap(ordered: readonly TablePart[]): void {
  for (const [one, other] of neighbours(ordered)) {
    const [from, to] = [BigInt(other.table.fromBlock), BigInt(one.table.toBlock)];
    if (from > to) continue;
    const least = to < BigInt(other.table.toBlock) ? to : BigInt(other.table.toBlock);
    throw new AnswerError(
      `${one.label} and ${other.label} both have ${one.table.name} of blocks ${from} to ${least}, which would be counted twice`,
      'leave one out',
    );
  }
}

const neighbours = <T>(items: readonly T[]): readonly (readonly [T, T])[] =>
  items.flatMap((item, index) => {
    const next = items[index + 1];
    return next === undefined ? [] : [[item, next] as const];
  });

function byBlocks(one: TablePart, other: TablePart): number {
  const [a, b] = [BigInt(one.table.fromBlock), BigInt(other.table.fromBlock)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Remembers the state of files. The resolved function throws AnswerError if a file has changed or been deleted. */
async function createChangeCheck(
  paths: readonly string[],
  history: DatasetHistory | undefined,
): Promise<() => Promise<void>> {
  const before = await Promise.all(paths.map(fileStamp));
  return async () => {
    const now = await Promise.all(paths.map(fileStamp));
    const changed = paths.find((_, index) => now[index] !== before[index]);
    if (changed === undefined) return;
    if (history !== undefined) throw (await historyChange(history)) ?? parquetChange(history);
    if (now[paths.indexOf(changed)] === '')
      throw new AnswerError(
        `${basename(changed)} is gone: it was removed or moved while it was open`,
        'put it back and open it again, or convert it again (blockglass convert)',
        'untrusted',
      );
    throw new AnswerError(`${basename(changed)} changed while it was open`, 'open it again', 'untrusted');
  };
}

/** Empty for a missing file. */
async function fileStamp(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
