import type { ConvertProgress, ParquetManifest } from '../answers/index.ts';
import { formatByteCount } from '../base/text/byte-count.ts';
import { shortDuration } from '../base/text/duration.ts';
import { joinSafe, safeLine } from '../base/text/safe-text.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { groupDigits } from '../chain/insight/decimal.ts';
import type { Context } from './context.ts';

/** Prints what a folder of Parquet files holds, and its path. */
export async function reportParquet(
  manifest: ParquetManifest,
  out: string,
  { stdout, stderr }: Context,
): Promise<void> {
  await stderr.safe(joinSafe(manifest.tables.flatMap(tableLines).map(safeLine)));
  await stdout.data(`${out}\n`, () => safeLine(out));
}

function tableLines(table: ParquetManifest['tables'][number]): readonly string[] {
  const rows = table.files.reduce((sum, file) => sum + file.rows, 0);
  const bytes = table.files.reduce((sum, file) => sum + file.bytes, 0);
  const files = countOf(table.files.length, 'file');
  const how = table.isComplete ? 'complete' : 'NOT COMPLETE';
  return [
    `${how}: ${table.name}, blocks ${table.fromBlock} to ${table.toBlock}, ${groupDigits(String(rows))} rows in ${files} of ${formatByteCount(bytes)}; each was read back and compared`,
    ...table.notes.map(note => `  note: ${note}`),
    ...table.columns.flatMap(({ name, type, note }) => (note === undefined ? [] : [`  ${name} is ${type}: ${note}`])),
  ];
}

/** Shows the progress of a conversion. */
export function conversionProgress({ stderr }: Context): (progress: ConvertProgress) => void {
  const startMs = performance.now();
  return ({ bytes, rows, totalBytes }) => {
    const share = totalBytes === null || totalBytes === 0 ? '' : `, ${Math.floor((100 * bytes) / totalBytes)} %`;
    const of = totalBytes === null ? '' : ` of ${formatByteCount(totalBytes)}`;
    const read = `${formatByteCount(bytes)}${of}${share}, ${groupDigits(String(rows))} rows`;
    stderr.progress(`${read}, ${shortDuration(performance.now() - startMs)}`);
  };
}
