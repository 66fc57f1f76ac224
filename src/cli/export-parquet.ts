import type { ConvertOptions } from '../answers/index.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { type ExportResult, parquetFolderFor } from '../history/download/export-result.ts';
import { columnsAtVersion } from '../tables/columns.ts';
import { NEWEST_KNOWN_SCHEMA_VERSION } from '../tables/exported-tables.ts';
import type { Context } from './context.ts';
import { COLUMN_FLAGS, columnOptions } from './convert-flags.ts';
import { copyParquetNames } from './copy-parquet-names.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { conversionProgress, reportParquet } from './report-parquet.ts';
import { UsageError } from './usage-error.ts';

export const PARQUET_FLAGS: readonly Flag[] = [
  {
    name: 'parquet',
    kind: 'switch',
    group: 'Parquet',
    about: 'also write Parquet files after verification: NAME-parquet next to the ZIP, or parquet in the folder',
  },
  ...COLUMN_FLAGS,
];

export type ParquetOptions = Pick<ConvertOptions, 'ids' | 'columns' | 'exclude' | 'withF64'>;

/** The Parquet options; undefined without --parquet. Throws before any request if the engine is missing. */
export async function readParquetOptions(given: ParsedFlags, table: string): Promise<ParquetOptions | undefined> {
  if (given.has('parquet')) {
    const { checkEngine } = await import('../answers/index.ts');
    await checkEngine();
    const options = columnOptions(given);
    refuseUnknownColumns(options, table);
    return options;
  }
  const lone = COLUMN_FLAGS.find(({ name }) => given.has(name));
  if (lone !== undefined) throw new UsageError(`--${lone.name} needs --parquet`);
  return undefined;
}

function refuseUnknownColumns({ columns, exclude }: ParquetOptions, table: string): void {
  const known = columnsAtVersion(table, NEWEST_KNOWN_SCHEMA_VERSION) ?? [];
  for (const [flag, names] of Object.entries({ columns, exclude })) {
    const unknown = names?.find(name => !known.includes(name));
    if (unknown !== undefined)
      throw new UsageError(`--${flag}: ${table} has no column "${unknown}"${didYouMean(unknown, known)}`, [
        `its columns: ${known.join(', ')}`,
      ]);
  }
}

/** Converts a saved export and reports the result; an incomplete export is not converted. */
export async function convertExport(result: ExportResult, choice: ParquetOptions, context: Context): Promise<void> {
  const place = parquetLocation(result);
  if (place === undefined) return;
  const { convertToParquet } = await import('../answers/index.ts');
  const options = { ...choice, paths: [place.path], out: place.out, signal: context.signal };
  try {
    const program = `blockglass ${context.version}`;
    const converting = convertToParquet({ ...options, program, onProgress: conversionProgress(context) });
    const manifest = await converting.finally(() => context.stderr.progress(''));
    await copyParquetNames([place.path], { chainId: manifest.chainId, out: place.out }, context);
    await reportParquet(manifest, place.out, context);
  } catch (error) {
    await context.stderr.safe(safeLine(`The export in ${place.path} is complete, but was not converted to Parquet.`));
    throw error;
  }
}

function parquetLocation(result: ExportResult): { readonly path: string; readonly out: string } | undefined {
  if (result.kind !== 'saved' && result.kind !== 'saved-slices') return undefined;
  const isFolder = result.kind === 'saved-slices';
  const path = isFolder ? result.folder : result.path;
  return { path, out: parquetFolderFor({ path, isFolder }) };
}
