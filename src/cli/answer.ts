import type {
  DialectName,
  ExportNamesFound,
  Question,
  QuestionValues,
  ReadyAnswer,
  SelectedExports,
} from '../answers/index.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { type SafeText, safeLine, safeLines, sanitize } from '../base/text/safe-text.ts';
import type { CellText, RecordsToSerialise } from '../base/text/serialise.ts';
import { textTable } from '../base/text/text-table.ts';
import { NodeError } from '../chain/api/errors.ts';
import { cacheFolder } from '../chain/directory/cache-folder.ts';
import type { Directory } from '../chain/directory/directory.ts';
import { tablesFor } from '../history/store/purposes.ts';
import type { Command } from './command.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import type { Connection, Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { FETCH_FLAG, type FetchNeeds } from './fetch-first.ts';
import { CONNECTION_FLAGS, type Flag, type ParsedFlags } from './flags.ts';
import { userAliases } from './load-names.ts';
import { findExports, findSource, openExports } from './open-exports.ts';
import { FORMATS, type Format, type PrintedForms, printAll, readFormat } from './output.ts';
import { PERIOD_FLAGS, readPeriod } from './period-flags.ts';
import { BOUND_FLAGS, readWorkBounds, runWithinBounds } from './query/work-bounds.ts';
import { PARTY_FLAG, resolveIdFlags } from './resolve-id-flags.ts';
import type { Sink } from './sink.ts';
import { HISTORY_FLAGS } from './stored-history.ts';
import { UsageError } from './usage-error.ts';

/** The flag that sets each value. */
const VALUE_FLAGS: { readonly [value in keyof Required<QuestionValues>]: Flag } = {
  parties: { name: 'party', kind: 'text', value: 'ID', repeats: true, about: 'only this party; can be repeated' },
  asset: { name: 'asset', kind: 'text', value: 'ID', about: 'only this asset, by id or name' },
  market: { name: 'market', kind: 'text', value: 'ID', about: 'only this market, by id or name' },
  from: {
    name: 'from',
    kind: 'text',
    group: 'Range',
    value: 'PLACE',
    about:
      'start at this epoch (e20), day or UTC time (2026-10-01 12:00); default: everything on disk, or the exported range',
  },
  to: {
    name: 'to',
    kind: 'text',
    group: 'Range',
    value: 'PLACE',
    about: 'end of this epoch, day or minute (inclusive)',
  },
  isWhole: {
    name: 'whole',
    kind: 'switch',
    group: 'Range',
    about: 'everything in the files, even outside the requested range',
  },
  by: { name: 'by', kind: 'text', group: 'Output', value: 'PERIOD', about: 'add up amounts by day or month' },
  types: {
    name: 'types',
    kind: 'switch',
    group: 'Output',
    about: 'one line per transfer or reward type',
  },
  at: { name: 'at', kind: 'text', group: 'Range', value: 'PLACE', about: 'at the end of this epoch, day or minute' },
};

export const answer: Command = {
  group: 'Read exports',
  form: 'received|balance|rewards|fills|trades [file or folder]...',
  about:
    'answer questions from the history on disk: what a party received and sent, its balances, rewards and fills, and trades; or from given exports. Amounts are exact, and it works offline',
  examples: [
    'answer received demo-chain-1-ledger-020501-023500.zip --party c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c --types',
    'answer rewards rewards.zip --asset VEGA -o csv',
  ],
  flags: [
    ...Object.values(VALUE_FLAGS),
    ...PERIOD_FLAGS,
    FETCH_FLAG,
    ...HISTORY_FLAGS,
    {
      name: 'sql',
      kind: 'switch',
      group: 'Output',
      about: 'print the SQL for blockglass query instead of the answer',
    },
    {
      name: 'for',
      kind: 'text',
      value: 'ENGINE',
      about:
        'print the SQL for duckdb, spark, trino or clickhouse instead: it runs on the tables that blockglass convert --ddl makes of the same folder of Parquet',
    },
    ...BOUND_FLAGS,
    {
      name: 'even-incomplete',
      kind: 'switch',
      group: 'History on disk',
      about: 'answer from incomplete exports too, with a note',
    },
  ],
  // --timeout limits the query, and each request to a node.
  uses: [...CONNECTION_FLAGS.filter(flag => flag !== 'timeout'), 'output'],
  run: async (given, context) => {
    const format = readFormat(given, FORMATS);
    const [name, ...files] = given.words;
    const answers = await import('../answers/index.ts');
    if (name === undefined)
      throw new UsageError(
        `missing argument: ${answers.QUESTIONS.map(question => question.name).join(', ')}. Usage: blockglass answer received --party ID [file or folder]`,
      );
    const question = answers.findQuestion(name);
    const nowMs = context.nowMs();
    const values = readValues(given, question, nowMs);
    const bounds = readWorkBounds(given);
    const engine = readEngine(given, answers.DIALECT_NAMES);
    return runWithinBounds(bounds, context, async bounded => {
      const evenIncomplete = given.has('even-incomplete');
      const { tables } = question;
      const needs = { tables: tablesFor('answer', question.name), range: neededRange(values) };
      const source = await findSource(files, { given, context, needs, asksNode: true });
      const selected = await findExports(source, context, {
        tables,
        // Other engines read one folder of Parquet.
        naming: engine === undefined ? question.naming : undefined,
        evenIncomplete,
      });
      if (engine !== undefined) await checkParquet(selected.paths);
      const limits = { memoryMiB: bounds.memoryMiB };
      const dataset = await openExports(selected, { evenIncomplete, limits, signal: bounded.signal }, context);
      try {
        const { names, saved } = await loadExportNames(selected, dataset.chainId, { given, values, context });
        // A history that is deleted now may have lost its names already.
        await dataset.unchanged();
        const named = await resolveIdFlags(given, PARTY_FLAG, { names: async () => names });
        bounded.begin();
        const ground = { dataset, names, saved, values: readValues(named, question, nowMs), signal: bounded.signal };
        if (engine !== undefined) {
          const made = await answers.buildQuestionSql(engine, question.name, ground);
          await bounded.elsewhere(printSql(`${made.sql};`, made.notes, context));
          return EXIT.done;
        }
        const made = await answers.answerQuestion(question.name, ground);
        const how = { format, isSql: given.has('sql'), whenEmpty: question.whenEmpty, context };
        await bounded.elsewhere(printResult(made, how));
      } finally {
        await dataset.close();
      }
      return source.exitCode;
    });
  },
};

/** The blocks that the history must have. A balance at a moment depends on all rows before it. */
const neededRange = ({ from, to, at }: QuestionValues): FetchNeeds['range'] =>
  at === undefined ? { ...(from !== undefined && { from }), ...(to !== undefined && { to }) } : { to: at };

function readValues(given: ParsedFlags, { name, takes }: Question, nowMs: number): QuestionValues {
  for (const [value, flag] of Object.entries(VALUE_FLAGS)) {
    if (given.has(flag.name) && !takes.some(taken => taken === value))
      throw new UsageError(
        `answer ${name} does not accept --${flag.name}. It accepts ${takes.map(taken => `--${VALUE_FLAGS[taken].name}`).join(', ')}`,
      );
  }
  const text = <Value extends string>(value: Value, flag: string) => {
    const found = given.text(flag);
    return found === undefined ? {} : ({ [value]: found } as const);
  };
  const period = readPeriod(given, nowMs);
  const by = given.text('by');
  if (given.has('whole') && (given.has('from') || given.has('to')))
    throw new UsageError('--whole cannot be used with --from or --to');
  if (by !== undefined && by !== 'day' && by !== 'month')
    throw new UsageError(`--by must be day or month, not "${by}"`);
  return {
    ...(given.has('party') && { parties: given.texts('party') }),
    ...text('asset', 'asset'),
    ...text('market', 'market'),
    ...(period === undefined ? { ...text('from', 'from'), ...text('to', 'to') } : { from: period.from }),
    ...(period?.to !== undefined && { to: period.to }),
    ...text('at', 'at'),
    ...(by !== undefined && { by }),
    ...(given.has('whole') && { isWhole: true }),
    ...(given.has('types') && { types: true }),
  };
}

function readEngine(given: ParsedFlags, engines: readonly DialectName[]): DialectName | undefined {
  const wanted = given.text('for');
  const engine = engines.find(name => name === wanted);
  if (wanted === undefined || engine !== undefined) return engine;
  throw new UsageError(`--for must be one of ${engines.join(', ')}, not "${wanted}"${didYouMean(wanted, engines)}`);
}

/** Other engines read the tables of one folder of Parquet. */
async function checkParquet(paths: readonly string[]): Promise<void> {
  const { readParquetManifest } = await import('../answers/index.ts');
  const [only = '', ...others] = paths;
  if (others.length === 0 && (await readParquetManifest(only)) !== undefined) return;
  throw new UsageError(
    `--for needs one folder of Parquet, not ${others.length === 0 ? only : `${paths.length} exports`}. Make one with blockglass convert, and print its tables with blockglass convert --ddl`,
  );
}

async function printSql(sql: string, notes: readonly string[], { stdout, stderr }: Context): Promise<void> {
  await stdout.data(`${sql}\n`, text => safeLines(text));
  for (const note of notes) await stderr.safe(safeLine(`note: ${note}`));
}

interface NameLoadOptions {
  readonly given: ParsedFlags;
  readonly values: Pick<QuestionValues, 'from' | 'to' | 'at'>;
  readonly context: Context;
}

/** Names and ranges saved with the exports. Missing ones come from the named node or its cache. */
export async function loadExportNames(
  selected: SelectedExports,
  chainId: string,
  { given, values, context }: NameLoadOptions,
): Promise<Pick<ExportNamesFound, 'saved' | 'witnesses'> & { readonly names: Directory }> {
  const { readExportNames, unsavedEpochs } = await import('../answers/index.ts');
  const { directory, saved, witnesses, notes } = readExportNames(selected, chainId);
  for (const note of notes) await context.stderr.safe(safeLine(`note: ${note}`));
  const words = { aliases: await userAliases(context) };
  const isOffline = selected.history !== undefined && unsavedEpochs(values, saved).length === 0;
  if (isOffline || (!given.has('node') && !given.has('demo')))
    return { names: { ...directory, ...words }, saved, witnesses };
  const node = await connectToChosenNode(given, context);
  const said = await fetchNames(node, chainId, context).catch((error: unknown) => {
    if (selected.history === undefined || !(error instanceof NodeError)) throw error;
    return undefined;
  });
  if (said === undefined) {
    await context.stderr.safe(safeLine('note: the node cannot be reached, so only the history on disk is known'));
    return { names: { ...directory, ...words }, saved, witnesses };
  }
  const names = {
    ...words,
    markets: new Map([...directory.markets, ...said.markets]),
    assets: new Map([...directory.assets, ...said.assets]),
    validators: new Map([...directory.validators, ...said.validators]),
  };
  const unknown = unsavedEpochs(values, saved);
  if (unknown.length === 0) return { names, saved, witnesses };
  const isHistory = selected.history !== undefined;
  const { epochs, isOffered } = await fetchEpochTimes(node, { chainId, unknown, isHistory }, context);
  const found = {
    epochs: [...saved.epochs, ...epochs],
    ...(!isOffered && { unknownAtNode: 'the node does not serve epochs' }),
  };
  return { names, saved: { ...saved, ...found }, witnesses };
}

/** Start and end of epochs, from a node of the same chain. */
async function fetchEpochTimes(
  { client }: Connection,
  {
    chainId,
    unknown,
    isHistory,
  }: { readonly chainId: string; readonly unknown: readonly string[]; readonly isHistory: boolean },
  { signal }: Context,
) {
  const { fetchChainId } = await import('../chain/directory/load-directory.ts');
  const { fetchEpochTimesBySeq } = await import('../chain/range/epoch.ts');
  const there = await fetchChainId(client, signal);
  if (chainId !== '' && there !== '' && there !== chainId) throw otherChainError(there, chainId);
  const found = await fetchEpochTimesBySeq(client, unknown, signal);
  const [first] = found.unknown;
  // A history answers for the epochs it has.
  if (first !== undefined && !isHistory) throw new UsageError(`that node does not know epoch ${first}`);
  return found;
}

const otherChainError = (there: string, wanted: string): UsageError =>
  new UsageError(`the node is on chain ${there}, but the exports are from ${wanted}. Use a node of that chain`);

async function fetchNames({ client, label }: Connection, chainId: string, context: Context): Promise<Directory> {
  const { loadChainNames } = await import('../chain/directory/load-directory.ts');
  const folder = label === 'demo' ? null : cacheFolder(context.env);
  const found = await loadChainNames(client, chainId, { folder, nowMs: Date.now(), signal: context.signal });
  if (found.kind === 'other-chain') throw otherChainError(found.chainId, chainId);
  return found.directory;
}

interface PrintOptions {
  readonly format: Format;
  readonly isSql: boolean;
  readonly whenEmpty: string;
  readonly context: Context;
}

async function printResult(made: ReadyAnswer, { format, isSql, whenEmpty, context }: PrintOptions): Promise<void> {
  const { stdout, stderr } = context;
  const { sql, rows, notes } = made;
  if (isSql) await stdout.data(`${sql}\n`, text => safeLines(text));
  else await printAnswer(made, format, stdout);
  if (made.more !== undefined) await (format === 'table' && !isSql ? stdout : stderr).safe(safeLine(made.more));
  if (rows.length === 0) await stderr.safe(safeLine(whenEmpty));
  for (const note of notes) await stderr.safe(safeLine(`note: ${note}`));
  if (!isSql && format === 'table') await stderr.safe(safeLine('Use --sql to print the SQL that was run'));
}

/** Prints an answer: names and units for people; ids and smallest units as well for programs. */
export const printAnswer = (answer: ReadyAnswer, format: Format, stdout: Sink): Promise<void> =>
  printAll(format, answerForms(answer, format, stdout), stdout);

type AnswerRow = readonly CellText[];

function answerForms(
  answer: ReadyAnswer,
  format: Format,
  stdout: Sink,
): RecordsToSerialise<AnswerRow> & PrintedForms<AnswerRow> {
  const { columns, rows } = answerPart(answer, format === 'table' ? 'table' : 'data');
  const ids = columns.map(({ id }) => id);
  return {
    records: rows,
    head: () => ids,
    cells: row => [row],
    json: row => JSON.stringify(Object.fromEntries(ids.map((id, at) => [id, row[at] ?? null]))),
    table: () => answerText(columns, rows, stdout),
  };
}

function answerText(
  columns: ReadyAnswer['columns'],
  rows: readonly AnswerRow[],
  { isTerminal, columns: room = 80 }: Sink,
): SafeText {
  const titled = columns.map(({ title, align }) => ({ title: sanitize(title.toUpperCase()), align }));
  return textTable(titled, isTerminal ? room : undefined).lines(rows.map(row => row.map(cell => sanitize(cell ?? ''))));
}

function answerPart({ columns, rows }: ReadyAnswer, part: 'table' | 'data'): Pick<ReadyAnswer, 'columns' | 'rows'> {
  const at = columns.flatMap((column, index) => (column.in === part || column.in === 'both' ? [index] : []));
  const only = <T>(cells: readonly T[]): readonly T[] => cells.filter((_, index) => at.includes(index));
  return { columns: only(columns), rows: rows.map(only) };
}
