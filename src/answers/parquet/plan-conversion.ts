import { leftNote, openArchives } from './archives.ts';
import type { ConvertOptions } from './convert.ts';
import { readParquetManifest } from './parquet-manifest.ts';
import { columnRecord, type TableColumn } from './table-column.ts';
import { planTables } from './table-plan.ts';

/** What a conversion would do, from the headers and directories of the archives, which are not checked yet. */
export interface ConversionPlan {
  readonly chainId: string;
  readonly out: string;
  readonly tables: readonly PlannedTable[];
  /** The data missing in the given archives. */
  readonly notes: readonly string[];
}

interface PlannedTable {
  readonly name: string;
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly columns: readonly PlannedColumn[];
  readonly archives: readonly PlannedArchive[];
}

interface PlannedColumn {
  readonly name: string;
  /** The type; text if a value does not fit. */
  readonly type: string;
  readonly unit: string;
  readonly about: string;
  readonly note?: string;
}

interface PlannedArchive {
  readonly path: string;
  readonly bytes: number;
  /** The size of its unpacked CSVs. */
  readonly csvBytes: number;
  readonly csvs: number;
  readonly fromBlock: string;
  readonly toBlock: string;
  /** Whether the folder already has Parquet files of these blocks. They are checked, and converted again if broken. */
  readonly isThere: boolean;
}

/** Reads only headers and directories, and writes nothing. Throws AnswerError if nothing can be converted. */
export async function planConversion(
  options: Pick<
    ConvertOptions,
    'paths' | 'out' | 'ids' | 'columns' | 'exclude' | 'withF64' | 'evenIncomplete' | 'isHistory' | 'signal'
  >,
): Promise<ConversionPlan> {
  const { paths, out, evenIncomplete = false, isHistory = false, signal } = options;
  const { archives, notes, left } = await openArchives(paths, { evenIncomplete, isHistory, signal });
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
  return { chainId: plans[0]?.chainId ?? '', out, tables, notes: [...notes, ...left.map(leftNote)] };
}

function plannedColumn(column: TableColumn): PlannedColumn {
  return { ...columnRecord(column), unit: column.schema?.unit?.text ?? '', about: column.schema?.about ?? '' };
}
