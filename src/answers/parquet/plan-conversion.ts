import { openArchives } from './archives.ts';
import type { ConvertOptions } from './convert.ts';
import { readParquetManifest } from './parquet-manifest.ts';
import { columnRecord, type TableColumn } from './table-column.ts';
import { planTables } from './table-plan.ts';

/** What a conversion would do, by what the archives say of themselves: nothing of them is checked yet. */
export interface ConversionPlan {
  readonly chainId: string;
  readonly out: string;
  readonly tables: readonly PlannedTable[];
  /** What is missing of what was given. */
  readonly notes: readonly string[];
}

export interface PlannedTable {
  readonly name: string;
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly columns: readonly PlannedColumn[];
  readonly archives: readonly PlannedArchive[];
}

export interface PlannedColumn {
  readonly name: string;
  /** Unless a value does not fit: then it is text. */
  readonly type: string;
  readonly unit: string;
  readonly about: string;
  readonly note?: string;
}

export interface PlannedArchive {
  readonly path: string;
  readonly bytes: number;
  /** Of its CSVs, unpacked. */
  readonly csvBytes: number;
  readonly csvs: number;
  readonly fromBlock: string;
  readonly toBlock: string;
  /** Whether the folder has Parquet files of these blocks. They are looked at, and made again unless they are whole. */
  readonly isThere: boolean;
}

/** Reads headers and directories alone, and writes nothing. Throws AnswerError where nothing could be converted. */
export async function planConversion(
  options: Pick<
    ConvertOptions,
    'paths' | 'out' | 'ids' | 'columns' | 'exclude' | 'withF64' | 'evenIncomplete' | 'signal'
  >,
): Promise<ConversionPlan> {
  const { paths, out, evenIncomplete = false, signal } = options;
  const { archives, notes } = await openArchives(paths, { evenIncomplete, signal });
  const plans = planTables(archives, options);
  const manifest = await readParquetManifest(out);
  const tables = plans.map(({ name, archives: ofTable, columns }): PlannedTable => {
    const sources = manifest?.tables.find(table => table.name === name)?.sources ?? [];
    return {
      name,
      fromBlock: String(ofTable[0]?.fromBlock ?? ''),
      toBlock: String(ofTable.at(-1)?.toBlock ?? ''),
      columns: columns.map(plannedColumn),
      archives: ofTable.map(({ path, bytes, csvs, fromBlock, toBlock }) => ({
        path,
        bytes,
        csvBytes: csvs.reduce((sum, csv) => sum + csv.bytes, 0),
        csvs: csvs.length,
        fromBlock: String(fromBlock),
        toBlock: String(toBlock),
        isThere: sources.some(known => known.fromBlock === String(fromBlock) && known.toBlock === String(toBlock)),
      })),
    };
  });
  return { chainId: plans[0]?.chainId ?? '', out, tables, notes };
}

function plannedColumn(column: TableColumn): PlannedColumn {
  return { ...columnRecord(column), unit: column.schema?.unit ?? '', about: column.schema?.about ?? '' };
}
