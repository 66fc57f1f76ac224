import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversionPlan, ConvertProgress, ParquetManifest } from '../answers/index.ts';
import { countOf } from '../insight/count-of.ts';
import { groupDigits } from '../insight/decimal.ts';
import { duration } from '../insight/duration.ts';
import { byteCount } from '../text/byte-count.ts';
import { joinSafe, type SafeText, safeLine } from '../text/safe-text.ts';
import { wholeTable } from '../text/text-table.ts';
import { isInBucket, STAGING, sendAll } from './bucket-place.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { COLUMN_FLAGS, columnOptions } from './convert-flags.ts';
import { copyParquetNames } from './copy-parquet-names.ts';
import { EXIT } from './exit-code.ts';
import { exportsNamed } from './opened-exports.ts';
import type { Given } from './options.ts';
import { formatOf, printReport, REPORT_FORMATS } from './output.ts';
import { hasNamesOf, type ParquetPlace, parquetPlace, putParquet } from './parquet-to-bucket.ts';
import { UsageError } from './usage-error.ts';

export const convert: Command = {
  form: '<file or folder>...',
  about:
    'convert exports to Parquet files with exact types: ZIPs, and folders of slices. Run the same command again to continue',
  examples: [
    'convert rewards.zip --parquet --out rewards-parquet --dry',
    'convert rewards.zip --parquet --out rewards-parquet',
  ],
  formats: REPORT_FORMATS,
  flags: [
    { name: 'parquet', kind: 'switch', about: 'write Parquet files, the only format' },
    {
      name: 'out',
      kind: 'text',
      value: 'DIR',
      about: 'folder for the files, by table and day; or s3://BUCKET/PREFIX',
    },
    STAGING,
    { name: 'overwrite', kind: 'switch', about: 'with --out s3://: replace objects of these names' },
    { name: 'dry', kind: 'switch', about: 'show the planned columns and files, and write nothing' },
    ...COLUMN_FLAGS,
    {
      name: 'even-incomplete',
      kind: 'switch',
      about: 'convert incomplete exports too; each of their files says so',
    },
  ],
  uses: ['output'],
  run: async (given, context) => {
    const format = formatOf(given, REPORT_FORMATS);
    if (given.words.length === 0)
      throw new UsageError(
        'missing argument <file or folder>. Usage: blockglass convert <file or folder>... --parquet --out DIR',
      );
    const named = given.text('out');
    if (named === undefined || named === '')
      throw new UsageError('missing --out DIR: the folder for the Parquet files');
    if (given.has('overwrite') && !isInBucket(named))
      throw new UsageError('--overwrite needs --out s3://BUCKET/PREFIX');
    const place = await parquetPlace(given, context);
    try {
      return await converted({ given, context, format, out: place?.out ?? named }, place);
    } finally {
      await place?.release();
    }
  },
};

interface Asked {
  readonly given: Given;
  readonly context: Context;
  readonly format: 'table' | 'json';
  readonly out: string;
}

async function converted({ given, context, format, out }: Asked, place: ParquetPlace | undefined): Promise<number> {
  const { convertToParquet, planConversion } = await import('../answers/index.ts');
  const columns = columnOptions(given);
  const evenIncomplete = given.has('even-incomplete');
  const { paths } = await exportsNamed(given.words, context, {
    ...{ isToConvert: true, evenIncomplete },
    verb: 'converting',
  });
  const options = { paths, out, ...columns, evenIncomplete, signal: context.signal };
  if (given.has('dry')) {
    const plan = await planConversion(options);
    await (format === 'json' ? printReport(plan, context.stdout) : context.stdout.safe(planText(plan)));
    return EXIT.done;
  }
  const program = `blockglass ${context.version}`;
  const elsewhere = place?.elsewhere ?? new Map();
  const converting = convertToParquet({ ...options, program, elsewhere, onProgress: conversionProgress(context) });
  const manifest = await converting.finally(() => context.stderr.progress(''));
  await copyParquetNames(paths, { chainId: manifest.chainId, out }, context);
  const code = place === undefined ? EXIT.done : await sentTo(place, { manifest, out }, context);
  if (code !== EXIT.done) return code;
  if (format === 'json') await printReport(manifest, context.stdout);
  else await reportParquet(manifest, place === undefined ? out : place.address, context);
  return EXIT.done;
}

/** Uploads what is not in the bucket yet. */
async function sentTo(
  place: ParquetPlace,
  made: { readonly manifest: ParquetManifest; readonly out: string },
  context: Context,
): Promise<number> {
  const { before } = place;
  if (before !== undefined) refuseMissing(place, made);
  const isSame = before !== undefined && JSON.stringify(before.tables) === JSON.stringify(made.manifest.tables);
  if (!isSame || !(await hasNamesOf(place, made.out)))
    return await sendAll(place, context, () => putParquet(made, '', place, before !== undefined));
  const files = before.tables.flatMap(table => table.files).length;
  await context.stderr.safe(
    safeLine(
      `Nothing was uploaded: everything is there already (${countOf(files, 'file')}, of the sizes in the manifest).`,
    ),
  );
  await place.forget(made.out);
  return EXIT.done;
}

/** Throws if the manifest lists files that exist neither there nor here. */
function refuseMissing(
  { address, elsewhere }: ParquetPlace,
  { manifest, out }: { readonly manifest: ParquetManifest; readonly out: string },
): void {
  const files = manifest.tables.flatMap(table => table.files);
  const missing = files.filter(({ path, bytes }) => elsewhere.get(path) !== bytes && !existsSync(join(out, path)));
  if (missing.length > 0)
    throw new UsageError(
      `${address}: ${countOf(missing.length, 'file')} of its manifest ${missing.length === 1 ? 'is' : 'are'} missing (first: ${missing[0]?.path}). Also give the exports they were made from, or choose an empty prefix.`,
    );
}

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
  const files = `${table.files.length} ${table.files.length === 1 ? 'file' : 'files'}`;
  const how = table.isComplete ? 'complete' : 'NOT COMPLETE';
  return [
    `${how}: ${table.name}, blocks ${table.fromBlock} to ${table.toBlock}, ${groupDigits(String(rows))} rows in ${files} of ${byteCount(bytes)}; each was read back and compared`,
    ...table.notes.map(note => `  note: ${note}`),
    ...table.columns.flatMap(({ name, type, note }) => (note === undefined ? [] : [`  ${name} is ${type}: ${note}`])),
  ];
}

function planText({ tables, notes }: ConversionPlan): SafeText {
  return joinSafe([
    ...tables.flatMap(({ name, columns, archives }) => [
      safeLine(
        `table ${name}, with the column types that the files declare; a column becomes text if one of its values is of another type`,
      ),
      wholeTable(
        ['COLUMN', 'TYPE', 'UNIT', 'MEANING'],
        columns.map(column => [column.name, column.type, column.unit, column.note ?? column.about]),
      ),
      safeLine(''),
      wholeTable(
        ['BLOCKS', 'CSV', 'UNPACKED', 'FILE', ''],
        archives.map(({ fromBlock, toBlock, csvs, csvBytes, path, isThere }) => [
          `${fromBlock} to ${toBlock}`,
          String(csvs),
          byteCount(csvBytes),
          path,
          isThere ? 'already there: kept if complete' : '',
        ]),
        ['left', 'right', 'right'],
      ),
      safeLine(''),
    ]),
    ...notes.map(note => safeLine(`note: ${note}`)),
    safeLine(workText(tables.flatMap(({ archives }) => archives))),
  ]);
}

function workText(archives: ConversionPlan['tables'][number]['archives']): string {
  const todo = archives.filter(({ isThere }) => !isThere);
  const bytes = todo.reduce((sum, archive) => sum + archive.bytes, 0);
  const unpacked = todo.reduce((sum, { csvBytes }) => sum + csvBytes, 0);
  return `${todo.length} of ${archives.length} to read: ${byteCount(bytes)}, unpacked ${byteCount(unpacked)}; nothing was written`;
}

/** Shows the progress of a conversion. */
export function conversionProgress({ stderr }: Context): (progress: ConvertProgress) => void {
  const startMs = performance.now();
  return ({ bytes, rows, totalBytes }) => {
    const share = totalBytes === null || totalBytes === 0 ? '' : `, ${Math.floor((100 * bytes) / totalBytes)} %`;
    const of = totalBytes === null ? '' : ` of ${byteCount(totalBytes)}`;
    const read = `${byteCount(bytes)}${of}${share}, ${groupDigits(String(rows))} rows`;
    stderr.progress(`${read}, ${duration(performance.now() - startMs)}`);
  };
}
