import type { ConversionPlan, ConvertOptions } from '../answers/index.ts';
import { formatByteCount } from '../base/text/byte-count.ts';
import { joinSafe, type SafeText, safeLine } from '../base/text/safe-text.ts';
import { formatTable } from '../base/text/text-table.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { DDL_FLAGS, printDdl } from './convert-ddl.ts';
import { COLUMN_FLAGS, columnOptions } from './convert-flags.ts';
import { copyParquetNames } from './copy-parquet-names.ts';
import { EXIT } from './exit-code.ts';
import { FETCH_FLAG, storedNeeds } from './fetch-first.ts';
import { CONNECTION_FLAGS, type ParsedFlags } from './flags.ts';
import { findExports, findSource } from './open-exports.ts';
import { printReport, REPORT_FORMATS, readFormat } from './output.ts';
import { conversionProgress, reportParquet } from './report-parquet.ts';
import { HISTORY_FLAGS } from './stored-history.ts';
import { UsageError } from './usage-error.ts';

export const convert: Command = {
  group: 'Export history',
  form: '[file or folder]...',
  about: 'convert the history on disk, or exports, to typed Parquet. Run the same command again to continue',
  examples: ['convert rewards.zip --parquet --out rewards-parquet', 'convert --ddl duckdb rewards-parquet'],
  formats: REPORT_FORMATS,
  flags: [
    { name: 'parquet', kind: 'switch', group: 'Parquet', about: 'write Parquet files, the only format' },
    {
      name: 'out',
      kind: 'text',
      group: 'Destination',
      value: 'DIR',
      about: 'folder for the files, by table and day',
      isDestination: true,
    },
    { name: 'dry', kind: 'switch', about: 'show the planned columns and files, and write nothing' },
    ...COLUMN_FLAGS,
    FETCH_FLAG,
    ...HISTORY_FLAGS,
    {
      name: 'even-incomplete',
      kind: 'switch',
      group: 'History on disk',
      about: 'convert incomplete exports too; their files are marked',
    },
    ...DDL_FLAGS,
  ],
  uses: [...CONNECTION_FLAGS, 'output'],
  run: async (given, context) => {
    if (given.has('ddl')) {
      const unused = [...CONVERTING, 'output'].find(name => given.has(name));
      if (unused !== undefined)
        throw new UsageError(`--${unused} cannot be used with --ddl, which converts nothing. Use only one.`);
      return await printDdl(given, context);
    }
    if (given.has('table')) throw new UsageError('--table needs --ddl ENGINE');
    const format = readFormat(given, REPORT_FORMATS);
    const named = given.text('out');
    if (named === undefined || named === '')
      throw new UsageError('missing --out DIR: the folder for the Parquet files');
    return await runConversion({ given, context, format, out: named });
  },
};

/** Flags of a conversion. */
const CONVERTING = ['parquet', 'out', 'dry', 'even-incomplete', ...COLUMN_FLAGS.map(({ name }) => name)];

interface ConvertRequest {
  readonly given: ParsedFlags;
  readonly context: Context;
  readonly format: 'table' | 'json';
  readonly out: string;
}

async function runConversion({ given, context, format, out }: ConvertRequest): Promise<number> {
  const { convertToParquet, leftNote, planConversion } = await import('../answers/index.ts');
  const columns = columnOptions(given);
  const evenIncomplete = given.has('even-incomplete');
  const needs = given.has('fetch') && given.words.length === 0 ? await storedNeeds({ given, context }) : undefined;
  const source = await findSource(given.words, { given, context, needs });
  const selected = await findExports(source, context, { isToConvert: true, evenIncomplete, verb: 'converting' });
  const { paths } = selected;
  const { isHistory } = source;
  const options = { paths, out, ...columns, evenIncomplete, isHistory, signal: context.signal };
  if (given.has('dry')) {
    const plan = await planConversion(options);
    await (format === 'json' ? printReport(plan, context.stdout) : context.stdout.safe(planText(plan)));
    return EXIT.done;
  }
  const program = `blockglass ${context.version}`;
  const left: string[] = [];
  const onLeft: ConvertOptions['onLeft'] = slice => void left.push(leftNote(slice));
  const converting = convertToParquet({ ...options, program, onLeft, onProgress: conversionProgress(context) });
  const manifest = await converting.finally(() => context.stderr.progress(''));
  for (const note of left) await context.stderr.safe(safeLine(`note: ${note}`));
  await copyParquetNames(isHistory ? source.paths : paths, { chainId: manifest.chainId, out }, context);
  if (format === 'json') await printReport(manifest, context.stdout);
  else await reportParquet(manifest, out, context);
  return source.exitCode;
}

function planText({ tables, notes }: ConversionPlan): SafeText {
  return joinSafe([
    ...tables.flatMap(({ name, columns, archives }) => [
      safeLine(
        `table ${name}, with the column types that the files declare; a column becomes text if one of its values is of another type`,
      ),
      formatTable(
        ['COLUMN', 'TYPE', 'UNIT', 'MEANING'],
        columns.map(column => [column.name, column.type, column.unit, column.note ?? column.about]),
      ),
      safeLine(''),
      formatTable(
        ['BLOCKS', 'CSV', 'UNPACKED', 'FILE', ''],
        archives.map(({ fromBlock, toBlock, csvs, csvBytes, path, isThere }) => [
          `${fromBlock} to ${toBlock}`,
          String(csvs),
          formatByteCount(csvBytes),
          path,
          isThere ? 'already there: kept if complete' : '',
        ]),
        ['left', 'right', 'right'],
      ),
      safeLine(''),
    ]),
    ...notes.map(note => safeLine(`note: ${note}`)),
    safeLine(remainingWorkText(tables.flatMap(({ archives }) => archives))),
  ]);
}

function remainingWorkText(archives: ConversionPlan['tables'][number]['archives']): string {
  const todo = archives.filter(({ isThere }) => !isThere);
  const bytes = todo.reduce((sum, archive) => sum + archive.bytes, 0);
  const unpacked = todo.reduce((sum, { csvBytes }) => sum + csvBytes, 0);
  return `${todo.length} of ${archives.length} to read: ${formatByteCount(bytes)}, unpacked ${formatByteCount(unpacked)}; nothing was written`;
}
