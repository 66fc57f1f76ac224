import { AnswerError } from '../engine/answer-error.ts';
import type { Database } from '../engine/database.ts';
import type { Archive } from './archives.ts';
import { type ArchiveOutcome, convertArchive } from './convert-archive.ts';
import { fetchedBy } from './missing-blocks.ts';
import { bothNeeds, USUAL } from './need.ts';
import { type OutFolder, sha256Of } from './out-folder.ts';
import type { ParquetFile, ParquetManifest, ParquetSource, ParquetTable } from './parquet-manifest.ts';
import { columnRecord, needBehind, type TableColumn } from './table-column.ts';
import type { TablePlan } from './table-plan.ts';

export interface TableTarget {
  readonly out: OutFolder;
  readonly database: Database;
  readonly program: string;
  readonly signal: AbortSignal;
  readonly partBytes: number;
  readonly onProgress: (archive: Archive, progress: { readonly bytes: number; readonly rows: number }) => void;
  readonly onWritten?: ((path: string) => Promise<void>) | undefined;
}

/**
 * Makes a table of its archives, but for those that are there already with the same columns. Where a value does not fit
 * into its column, what is there is made again, until all files of the table have the same columns.
 */
export async function convertTable(plan: TablePlan, target: TableTarget): Promise<void> {
  let columns = columnsToBeginWith(plan, tableIn(target.out.manifest, plan.name));
  refuseWhatWouldBeLost(plan, columns, target.out.manifest);
  // What was made in this run need not be looked at once more.
  let made: ReadonlySet<Archive> = new Set();
  for (;;) {
    const todo = await archivesToDo(plan, columns, made, target);
    if (todo.length === 0) break;
    for (const archive of todo) {
      const outcome = await convertArchive(archive, {
        ...target,
        folder: target.out.work,
        columns,
        nameOf: plan.nameOf,
        metadata: metadataOf(plan, archive, target.program),
        onProgress: progress => target.onProgress(archive, progress),
      });
      if (outcome.kind === 'converted') {
        await publishArchive({ plan, archive, columns, outcome }, target);
        made = new Set([...made, archive]);
      } else {
        made = new Set();
        columns = columns.map(column => withNeed(column, outcome.needs));
        refuseWhatWouldBeLost(plan, columns, target.out.manifest);
      }
    }
  }
}

const tableIn = ({ tables }: ParquetManifest, name: string): ParquetTable | undefined =>
  tables.find(table => table.name === name);

/** What an earlier run found out of values counts on. */
function columnsToBeginWith({ columns }: TablePlan, known: ParquetTable | undefined): readonly TableColumn[] {
  return columns.map(column => {
    const record = known?.columns.find(({ name }) => name === column.name);
    return record === undefined || column.besides !== undefined
      ? column
      : { ...column, need: needBehind(column, record) };
  });
}

function withNeed(column: TableColumn, needs: Extract<ArchiveOutcome, { kind: 'misfit' }>['needs']): TableColumn {
  return column.besides === undefined
    ? { ...column, need: bothNeeds(column.need, needs.get(column.name) ?? USUAL) }
    : column;
}

/** Files of other columns can be made again only from what was given. */
function refuseWhatWouldBeLost(plan: TablePlan, columns: readonly TableColumn[], manifest: ParquetManifest): void {
  const known = tableIn(manifest, plan.name);
  if (known === undefined) return;
  const isSame = hasColumns(known, columns);
  for (const source of known.sources ?? []) {
    const given = plan.archives.find(archive => isOverlap(archive, source));
    const isGiven = given !== undefined && isSameRange(given, source);
    const range = `blocks ${source.fromBlock} to ${source.toBlock} of ${plan.name}`;
    if (isGiven && source.isComplete && given.flaw !== undefined)
      throw new AnswerError(
        `the folder has ${range} whole, of ${source.name}, and ${given.path} is not complete`,
        'leave it out, or choose another folder',
      );
    if (isGiven || (given === undefined && isSame)) continue;
    if (given !== undefined)
      throw new AnswerError(
        `the folder has ${range} already, of ${source.name}, and ${given.path} has some of them too`,
        'choose another folder, or give each block once',
      );
    throw new AnswerError(
      `the folder has ${range} with other columns, and ${source.name} is not given to make them again`,
      'give all that the folder is to hold, or choose another folder',
    );
  }
}

const isOverlap = (archive: Archive, source: ParquetSource): boolean =>
  archive.fromBlock <= BigInt(source.toBlock) && archive.toBlock >= BigInt(source.fromBlock);

const isSameRange = (archive: Archive, source: ParquetSource): boolean =>
  archive.fromBlock === BigInt(source.fromBlock) && archive.toBlock === BigInt(source.toBlock);

const hasColumns = (table: ParquetTable, columns: readonly TableColumn[]): boolean =>
  JSON.stringify(table.columns.map(({ name, type, note }) => [name, type, note])) ===
  JSON.stringify(columns.map(columnRecord).map(({ name, type, note }) => [name, type, note]));

async function archivesToDo(
  plan: TablePlan,
  columns: readonly TableColumn[],
  made: ReadonlySet<Archive>,
  { out, signal }: TableTarget,
): Promise<readonly Archive[]> {
  const known = tableIn(out.manifest, plan.name);
  if (known === undefined || !hasColumns(known, columns)) return plan.archives;
  const todo: Archive[] = [];
  for (const archive of plan.archives)
    if (!made.has(archive) && !(await isThere(archive, known, { out, signal }))) todo.push(archive);
  return todo;
}

async function isThere(
  archive: Archive,
  { sources = [], files }: ParquetTable,
  { out, signal }: Pick<TableTarget, 'out' | 'signal'>,
): Promise<boolean> {
  const source = sources.find(known => isSameRange(archive, known) && known.bytes === archive.bytes);
  if (source === undefined || source.isComplete !== (archive.flaw === undefined)) return false;
  if ((await sha256Of(archive.path, signal)) !== source.sha256) return false;
  for (const file of files) if (file.source === source.sha256 && !(await out.has(file, signal))) return false;
  return true;
}

/** What the metadata of each file says; what its archive is found to be is known before a file gets its name. */
function metadataOf(plan: TablePlan, archive: Archive, program: string): Readonly<Record<string, string>> {
  return {
    'blockglass.program': program,
    'blockglass.chain': plan.chainId,
    'blockglass.table': plan.name,
    'blockglass.blocks': `${archive.fromBlock}-${archive.toBlock}`,
    'blockglass.complete': archive.flaw === undefined ? 'true' : 'false',
    ...(archive.flaw !== undefined && { 'blockglass.incomplete_because': archive.flaw }),
  };
}

interface Converted {
  readonly plan: TablePlan;
  readonly archive: Archive;
  readonly columns: readonly TableColumn[];
  readonly outcome: Extract<ArchiveOutcome, { kind: 'converted' }>;
}

async function publishArchive({ plan, archive, columns, outcome }: Converted, { out }: TableTarget): Promise<void> {
  const { verdict, files: staged } = outcome;
  const files = staged.map(
    ({ stagedPath, date, csv, part, ...facts }): ParquetFile & { readonly stagedPath: string } => ({
      stagedPath,
      path: `table=${plan.name}/date=${date ?? '__HIVE_DEFAULT_PARTITION__'}/part-${archive.fromBlock}-${archive.toBlock}-${csv}-${part}.parquet`,
      ...facts,
      source: verdict.sha256,
    }),
  );
  const source: ParquetSource = {
    name: archive.name,
    sha256: verdict.sha256,
    bytes: verdict.bytes,
    fromBlock: String(archive.fromBlock),
    toBlock: String(archive.toBlock),
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    isComplete: verdict.kind === 'complete',
  };
  const known = tableIn(out.manifest, plan.name);
  // Files of other columns leave with the first one of these.
  const kept = known !== undefined && hasColumns(known, columns) ? known : undefined;
  const sources = [...(kept?.sources ?? []).filter(other => !isSameRange(archive, other)), source].toSorted(byBlocks);
  const stays = new Set(sources.filter(other => other !== source).map(({ sha256 }) => sha256));
  const made = files.map(({ stagedPath: _, ...file }) => file);
  const table: ParquetTable = {
    name: plan.name,
    ...coverageOf(plan.name, sources),
    columns: [...columns.map(columnRecord)],
    files: [...(kept?.files ?? []).filter(file => stays.has(file.source ?? '')), ...made].toSorted(byPath),
    sources,
  };
  const others = out.manifest.tables.filter(({ name }) => name !== plan.name);
  const next = {
    ...out.manifest,
    finished: null,
    tables: [...others, table].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
  await out.publish(next, files);
}

const byBlocks = (a: ParquetSource, b: ParquetSource): number => (BigInt(a.fromBlock) < BigInt(b.fromBlock) ? -1 : 1);

const byPath = (a: ParquetFile, b: ParquetFile): number => (a.path < b.path ? -1 : 1);

function coverageOf(
  table: string,
  sources: readonly ParquetSource[],
): Pick<ParquetTable, 'fromBlock' | 'toBlock' | 'isComplete' | 'notes'> {
  const gaps = sources.slice(1).flatMap(({ fromBlock }, index) => {
    const [from, to] = [BigInt(sources[index]?.toBlock ?? 0) + 1n, BigInt(fromBlock) - 1n];
    return from > to ? [] : [`blocks ${from} to ${to} are in none of the exports${fetchedBy(table, from, to)}`];
  });
  const flawed = sources
    .filter(({ isComplete }) => !isComplete)
    .map(({ name }) => `${name} is not complete: rows are missing`);
  return {
    fromBlock: sources[0]?.fromBlock ?? '0',
    toBlock: sources.at(-1)?.toBlock ?? '0',
    isComplete: gaps.length + flawed.length === 0,
    notes: [...flawed, ...gaps],
  };
}
