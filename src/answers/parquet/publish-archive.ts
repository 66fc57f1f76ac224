import type { Archive } from './archives.ts';
import type { ArchiveOutcome } from './convert-archive.ts';
import type { StagedFile } from './day-files.ts';
import { hasColumns, isSameRange, tableIn } from './known-table.ts';
import { fetchedBy } from './missing-blocks.ts';
import type { OutFolder } from './out-folder.ts';
import type { ParquetFile, ParquetSource, ParquetTable } from './parquet-manifest.ts';
import { columnRecord, type TableColumn } from './table-column.ts';
import type { TablePlan } from './table-plan.ts';

/** An archive converted to files with temporary names. */
export interface ConvertedArchive {
  readonly plan: TablePlan;
  readonly archive: Archive;
  readonly columns: readonly TableColumn[];
  readonly outcome: Extract<ArchiveOutcome, { kind: 'converted' }>;
}

/** Gives the files of an archive their final names and adds them to the manifest. */
export async function publishArchive(converted: ConvertedArchive, out: OutFolder): Promise<void> {
  const { plan, outcome } = converted;
  const table = tableWith(converted, tableIn(out.manifest, plan.name));
  const others = out.manifest.tables.filter(({ name }) => name !== plan.name);
  const next = {
    ...out.manifest,
    finished: null,
    tables: [...others, table].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const publications = outcome.files.map(file => ({
    stagedPath: file.stagedPath,
    path: pathOf(converted, file),
  }));
  await out.publish(next, publications);
}

const pathOf = ({ plan, archive }: ConvertedArchive, { date, csv, part }: StagedFile): string =>
  `table=${plan.name}/date=${date ?? '__HIVE_DEFAULT_PARTITION__'}/part-${archive.fromBlock}-${archive.toBlock}-${csv}-${part}.parquet`;

function tableWith(converted: ConvertedArchive, known: ParquetTable | undefined): ParquetTable {
  const { plan, archive, columns } = converted;
  // The first file with these columns replaces all files with other columns.
  const existing = known !== undefined && hasColumns(known, columns) ? known : undefined;
  const others = (existing?.sources ?? []).filter(other => !isSameRange(archive, other));
  const stays = new Set(others.map(({ sha256 }) => sha256));
  const sources = [...others, sourceOf(converted)].toSorted(byBlocks);
  return {
    name: plan.name,
    ...coverageOf(plan.name, sources),
    columns: [...columns.map(columnRecord)],
    files: [...(existing?.files ?? []).filter(file => stays.has(file.source ?? '')), ...filesOf(converted)].toSorted(
      byPath,
    ),
    sources,
  };
}

const filesOf = (converted: ConvertedArchive): readonly ParquetFile[] =>
  converted.outcome.files.map(file => {
    const { rows, bytes, sha256, firstTime, lastTime, sums } = file;
    const facts = { rows, bytes, sha256, firstTime, lastTime, sums };
    return { path: pathOf(converted, file), ...facts, source: converted.outcome.verdict.sha256 };
  });

const sourceOf = ({ archive, outcome: { verdict, files } }: ConvertedArchive): ParquetSource => ({
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
    .map(({ name }) => `${name} is not complete: rows may be missing`);
  return {
    fromBlock: sources[0]?.fromBlock ?? '0',
    toBlock: sources.at(-1)?.toBlock ?? '0',
    isComplete: gaps.length + flawed.length === 0,
    notes: [...flawed, ...gaps],
  };
}
