import { AnswerError } from '../engine/answer-error.ts';
import type { Database } from '../engine/database.ts';
import { type Archive, type LeftSlice, leftSlice } from './archives.ts';
import { type ArchiveOutcome, convertArchive } from './convert-archive.ts';
import type { StagedFile } from './day-files.ts';
import { exportCommandHint } from './export-command-hint.ts';
import { type OutFolder, sha256Of } from './out-folder.ts';
import { TEXT_COLUMN_TYPE } from './parquet-column-type.ts';
import type { ParquetFile, ParquetManifest, ParquetSource, ParquetTable } from './parquet-manifest.ts';
import { columnRecord, readColumnType, type TableColumn } from './table-column.ts';
import type { TablePlan } from './table-plan.ts';

interface TableTarget {
  readonly out: OutFolder;
  readonly database: Database;
  readonly program: string;
  readonly signal: AbortSignal;
  readonly partBytes: number;
  readonly onProgress: (archive: Archive, progress: { readonly bytes: number; readonly rows: number }) => void;
  readonly onWritten?: ((path: string) => Promise<void>) | undefined;
  /** As in ConvertOptions. */
  readonly isHistory: boolean;
  readonly isMirror: boolean;
  readonly onLeft: (left: LeftSlice) => void;
}

/**
 * Converts the archives of a table, except those already converted with the same columns. If a value does not fit its
 * column, existing files are converted again, until all files of the table have the same columns.
 */
export async function convertTable(plan: TablePlan, target: TableTarget): Promise<void> {
  if (target.isMirror) await removeOthers(plan, target.out);
  let columns = initialColumns(plan, findTable(target.out.manifest, plan.name));
  refuseWhatWouldBeLost(plan, columns, target.out.manifest);
  // Files from this run need no second check.
  let made: ReadonlySet<Archive> = new Set();
  const left = new Set<Archive>();
  for (;;) {
    const todo = (await archivesToConvert(plan, columns, made, target)).filter(archive => !left.has(archive));
    if (todo.length === 0) break;
    for (const archive of todo) {
      const outcome = await convertArchive(archive, {
        ...target,
        folder: target.out.work,
        columns,
        nameOf: plan.nameOf,
        metadata: fileMetadata(plan, archive, target.program),
        onProgress: progress => target.onProgress(archive, progress),
      }).catch((error: unknown) => {
        if (!target.isHistory || !(error instanceof AnswerError) || error.because !== 'untrusted') throw error;
        left.add(archive);
        target.onLeft(leftSlice(plan.name, archive, error));
        return undefined;
      });
      if (outcome === undefined) {
        await target.out.discardStaged();
        continue;
      }
      if (outcome.kind === 'converted') {
        await publishArchive({ plan, archive, columns, outcome }, target.out);
        made = new Set([...made, archive]);
      } else {
        made = new Set();
        columns = columns.map(column =>
          column.besides === undefined && outcome.misfits.has(column.name)
            ? { ...column, columnType: TEXT_COLUMN_TYPE }
            : column,
        );
        refuseWhatWouldBeLost(plan, columns, target.out.manifest);
      }
    }
  }
}

/** Removes Parquet made from other archives than these. */
async function removeOthers(plan: TablePlan, out: OutFolder): Promise<void> {
  const known = findTable(out.manifest, plan.name);
  const isGiven = (source: ParquetSource): boolean =>
    plan.archives.some(archive => isSameRange(archive, source) && archive.sha256 === source.sha256);
  const sources = known?.sources?.filter(isGiven) ?? [];
  if (known === undefined || sources.length === known.sources?.length) return;
  const stays = new Set(sources.map(({ sha256 }) => sha256));
  const files = known.files.filter(file => stays.has(file.source ?? ''));
  const table = { ...known, ...tableCoverage(plan.name, sources), sources, files };
  const others = out.manifest.tables.filter(({ name }) => name !== plan.name);
  const tables = sources.length === 0 ? others : [...others, table];
  await out.publish({ ...out.manifest, finished: null, tables }, []);
}

/** The column types of an existing folder do not change. */
function initialColumns({ columns }: TablePlan, known: ParquetTable | undefined): readonly TableColumn[] {
  return columns.map(column => {
    const record = known?.columns.find(({ name }) => name === column.name);
    return record === undefined || column.besides !== undefined
      ? column
      : { ...column, columnType: readColumnType(column, record) };
  });
}

/** Files with other columns can only be converted again if their archives were given. */
function refuseWhatWouldBeLost(plan: TablePlan, columns: readonly TableColumn[], manifest: ParquetManifest): void {
  const known = findTable(manifest, plan.name);
  if (known === undefined) return;
  const isSame = hasColumns(known, columns);
  for (const source of known.sources ?? []) {
    const given = plan.archives.find(archive => isOverlap(archive, source));
    const isGiven = given !== undefined && isSameRange(given, source);
    const range = `blocks ${source.fromBlock} to ${source.toBlock} of ${plan.name}`;
    if (isGiven && source.isComplete && given.flaw !== undefined)
      throw new AnswerError(
        `the folder already has ${range} from ${source.name}, and ${given.path} is not complete`,
        'leave it out, or choose another folder',
      );
    if (isGiven || (given === undefined && isSame)) continue;
    if (given !== undefined)
      throw new AnswerError(
        `the folder already has ${range} from ${source.name}, and ${given.path} has some of these blocks too`,
        'choose another folder, or give each block once',
      );
    throw new AnswerError(
      `the folder has ${range} with other columns, and ${source.name} was not given to convert again`,
      'give every archive of the folder, or choose another folder',
    );
  }
}

const isOverlap = (archive: Archive, source: ParquetSource): boolean =>
  archive.fromBlock <= BigInt(source.toBlock) && archive.toBlock >= BigInt(source.fromBlock);

async function archivesToConvert(
  plan: TablePlan,
  columns: readonly TableColumn[],
  made: ReadonlySet<Archive>,
  target: TableTarget,
): Promise<readonly Archive[]> {
  const known = findTable(target.out.manifest, plan.name);
  if (known === undefined || !hasColumns(known, columns)) return plan.archives;
  const todo: Archive[] = [];
  for (const archive of plan.archives)
    if (!made.has(archive) && !(await isThere(archive, known, target))) todo.push(archive);
  return todo;
}

async function isThere(
  archive: Archive,
  { sources = [], files }: ParquetTable,
  { out, signal, isMirror }: Pick<TableTarget, 'out' | 'signal' | 'isMirror'>,
): Promise<boolean> {
  const source = sources.find(known => isSameRange(archive, known) && known.bytes === archive.bytes);
  if (source === undefined || source.isComplete !== (archive.flaw === undefined)) return false;
  // A mirror has what the manifest of the slices records, whatever became of the ZIP since.
  const sha256 = isMirror ? archive.sha256 : await sha256Of(archive.path, signal);
  if (sha256 !== source.sha256) return false;
  for (const file of files) if (file.source === source.sha256 && !(await out.has(file, signal))) return false;
  return true;
}

/** The metadata of each file; the verdict on the archive is known before a file gets its final name. */
function fileMetadata(plan: TablePlan, archive: Archive, program: string): Readonly<Record<string, string>> {
  return {
    'blockglass.program': program,
    'blockglass.chain': plan.chainId,
    'blockglass.table': plan.name,
    'blockglass.blocks': `${archive.fromBlock}-${archive.toBlock}`,
    'blockglass.complete': archive.flaw === undefined ? 'true' : 'false',
    ...(archive.flaw !== undefined && { 'blockglass.incomplete_because': archive.flaw }),
  };
}

/** An archive converted to files with temporary names. */
interface ConvertedArchive {
  readonly plan: TablePlan;
  readonly archive: Archive;
  readonly columns: readonly TableColumn[];
  readonly outcome: Extract<ArchiveOutcome, { kind: 'converted' }>;
}

/** Gives the files of an archive their final names and adds them to the manifest. */
async function publishArchive(converted: ConvertedArchive, out: OutFolder): Promise<void> {
  const { plan, outcome } = converted;
  const table = mergeIntoTable(converted, findTable(out.manifest, plan.name));
  const others = out.manifest.tables.filter(({ name }) => name !== plan.name);
  const next = {
    ...out.manifest,
    finished: null,
    tables: [...others, table].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const publications = outcome.files.map(file => ({
    stagedPath: file.stagedPath,
    path: publishedPath(converted, file),
  }));
  await out.publish(next, publications);
}

const publishedPath = ({ plan, archive }: ConvertedArchive, { date, csv, part }: StagedFile): string =>
  `table=${plan.name}/date=${date ?? '__HIVE_DEFAULT_PARTITION__'}/part-${archive.fromBlock}-${archive.toBlock}-${csv}-${part}.parquet`;

function mergeIntoTable(converted: ConvertedArchive, known: ParquetTable | undefined): ParquetTable {
  const { plan, archive, columns } = converted;
  // The first file with these columns replaces all files with other columns.
  const existing = known !== undefined && hasColumns(known, columns) ? known : undefined;
  const others = (existing?.sources ?? []).filter(other => !isSameRange(archive, other));
  const stays = new Set(others.map(({ sha256 }) => sha256));
  const sources = [...others, toParquetSource(converted)].toSorted(byBlocks);
  return {
    name: plan.name,
    ...tableCoverage(plan.name, sources),
    columns: [...columns.map(columnRecord)],
    files: [
      ...(existing?.files ?? []).filter(file => stays.has(file.source ?? '')),
      ...publishedFiles(converted),
    ].toSorted(byPath),
    sources,
  };
}

const publishedFiles = (converted: ConvertedArchive): readonly ParquetFile[] =>
  converted.outcome.files.map(file => {
    const { rows, bytes, sha256, firstTime, lastTime, sums } = file;
    const facts = { rows, bytes, sha256, firstTime, lastTime, sums };
    return { path: publishedPath(converted, file), ...facts, source: converted.outcome.verdict.sha256 };
  });

const toParquetSource = ({ archive, outcome: { verdict, files } }: ConvertedArchive): ParquetSource => ({
  name: archive.name,
  sha256: verdict.sha256,
  bytes: verdict.bytes,
  fromBlock: String(archive.fromBlock),
  toBlock: String(archive.toBlock),
  rows: files.reduce((sum, { rows }) => sum + rows, 0),
  isComplete: verdict.kind === 'complete',
});

const byBlocks = (a: ParquetSource, b: ParquetSource): number => (BigInt(a.fromBlock) < BigInt(b.fromBlock) ? -1 : 1);

const byPath = (a: ParquetFile, b: ParquetFile): number => (a.path < b.path ? -1 : 1);

function tableCoverage(
  table: string,
  sources: readonly ParquetSource[],
): Pick<ParquetTable, 'fromBlock' | 'toBlock' | 'isComplete' | 'notes'> {
  const gaps = sources.slice(1).flatMap(({ fromBlock }, index) => {
    const [from, to] = [BigInt(sources[index]?.toBlock ?? 0) + 1n, BigInt(fromBlock) - 1n];
    return from > to ? [] : [`blocks ${from} to ${to} are in none of the exports${exportCommandHint(table, from, to)}`];
  });
  const flawed = sources
    .filter(({ isComplete }) => !isComplete)
    .map(({ name }) => `${name} is not complete: rows may be missing`);
  return {
    fromBlock: sources[0]?.fromBlock ?? '0',
    toBlock: sources.at(-1)?.toBlock ?? '0',
    isComplete: gaps.length + flawed.length === 0,
    notes: [...flawed, ...gaps],
  };
}

/** A table that is already in the folder. */
const findTable = ({ tables }: ParquetManifest, name: string): ParquetTable | undefined =>
  tables.find(table => table.name === name);

/** Whether its files have these columns, with the same types for the same reasons. */
const hasColumns = (table: ParquetTable, columns: readonly TableColumn[]): boolean =>
  JSON.stringify(table.columns.map(({ name, type, note }) => [name, type, note])) ===
  JSON.stringify(columns.map(columnRecord).map(({ name, type, note }) => [name, type, note]));

const isSameRange = (archive: Archive, source: ParquetSource): boolean =>
  archive.fromBlock === BigInt(source.fromBlock) && archive.toBlock === BigInt(source.toBlock);
