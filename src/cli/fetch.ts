import { dirname } from 'node:path';
import { formatByteCount } from '../base/text/byte-count.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { NodeError } from '../chain/api/errors.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { freeSpace } from '../history/plan/destination.ts';
import { DestinationError } from '../history/plan/destination-error.ts';
import { EXPORT_TABLES, findExportTable } from '../history/plan/export-tables.ts';
import { type ChainHistory, describeHistory, openHistory } from '../history/store/chain-history.ts';
import type { FetchRange } from '../history/store/find-range.ts';
import { OtherHistoryError } from '../history/store/other-history-error.ts';
import type { FetchPlan } from '../history/store/plan-fetch.ts';
import type { Repair } from '../history/store/plan-repair.ts';
import { FETCHED_QUESTIONS, PURPOSES, type Purpose, tablesFor } from '../history/store/purposes.ts';
import { readChainFlag } from './chain-flag.ts';
import type { Command } from './command.ts';
import { warnAboutDemoData } from './connect-to-node.ts';
import { type Connection, type Context, chooseTarget, connect } from './context.ts';
import { describeError } from './describe-error.ts';
import { DOWNLOAD_WAIT_FLAGS, readDownloadWaits } from './download-waits.ts';
import { EXIT } from './exit-code.ts';
import { RANGE_FLAGS, readNamedRange } from './export-range.ts';
import { planNotes, planText, problemText, runFetch } from './fetch-run.ts';
import { CONNECTION_FLAGS, type Flag, type ParsedFlags } from './flags.ts';
import { HISTORY_FLAG, historyRootFor } from './history-flag.ts';
import { findHistory, findOnlyHistory } from './stored-history.ts';
import { TABLE_NAMES } from './table-flag.ts';
import { transferProgress } from './transfer-progress.ts';
import { UsageError } from './usage-error.ts';
import { limitYoungGeneration } from './young-generation.ts';

const FLAGS: readonly Flag[] = [
  {
    name: 'for',
    kind: 'text',
    value: 'PURPOSE',
    about: `purpose of the data: ${PURPOSES.join(', ')} (report). After answer, add the question: ${FETCHED_QUESTIONS.join(', ')}`,
    values: PURPOSES,
    check: readPurpose,
  },
  {
    name: 'tables',
    kind: 'text',
    value: 'LIST',
    check: readTableList,
    about: `tables instead of a purpose, with commas: ${TABLE_NAMES}`,
  },
  ...RANGE_FLAGS.map(flag =>
    flag.name === 'from'
      ? { ...flag, about: 'first block, epoch (e41), date or UTC time; without it the oldest segment of the node' }
      : flag.name === 'to'
        ? {
            ...flag,
            about: 'last block, epoch, date or UTC time; without it the newest segment. Whole segments are fetched',
          }
        : flag,
  ),
  { name: 'oldest-first', kind: 'switch', group: 'Range', about: 'fetch the oldest segments first, not the newest' },
  { name: 'plan', kind: 'switch', about: 'list the missing segments, and fetch nothing' },
  { name: 'check', kind: 'switch', about: 'verify everything on disk again, and replace damaged slices' },
  { name: 'forget', kind: 'switch', about: 'delete the history on disk, or only --tables, and fetch nothing' },
  {
    name: 'chain',
    kind: 'text',
    group: 'History on disk',
    value: 'ID',
    about: 'the chain: any other is refused. --check and --forget find its history without a node',
  },
  HISTORY_FLAG,
  { name: 'quiet', short: 'q', kind: 'switch', group: 'Output', about: 'print only problems' },
  ...DOWNLOAD_WAIT_FLAGS,
];

export const fetchCommand: Command = {
  group: 'Export history',
  form: '<question>',
  about:
    'fetch the history of a chain once, to ask it offline: only missing segments are fetched, verified slice by slice, and kept. Run it again to fetch new segments',
  words: FETCHED_QUESTIONS,
  examples: ['fetch --for report', 'fetch --for answer rewards --last 3 --plan'],
  flags: FLAGS,
  uses: CONNECTION_FLAGS,
  run: async (given, context) => {
    limitYoungGeneration();
    const tables = readTables(given);
    readChainFlag(given);
    if (given.has('forget') && given.has('check')) throw new UsageError('--forget and --check cannot be used together');
    for (const [action, flags] of IGNORED_FLAGS) refuseWith(given, action, flags);
    if (given.has('forget')) return await forget(given, context);
    if (given.has('check')) return await check(given, context);
    return await fetchTables({ tables, range: readRange(given) }, await connectTo(given, context), { given, context });
  },
};

const RANGE_NAMES = RANGE_FLAGS.map(({ name }) => name);

/** What would seem to limit an action, but does not. */
const IGNORED_FLAGS: readonly (readonly [string, readonly string[]])[] = [
  ['forget', ['plan', 'for', ...RANGE_NAMES, 'oldest-first']],
  ['check', ['plan', 'for', ...RANGE_NAMES]],
];

function refuseWith(given: ParsedFlags, action: string, flags: readonly string[]): void {
  const other = given.has(action) ? flags.find(name => given.has(name)) : undefined;
  if (other === undefined) return;
  throw new UsageError(
    `--${action} and --${other} cannot be used together: only --tables limits what --${action} does`,
  );
}

/** The tables of --tables or --for; those of a report without either. */
function readTables(given: ParsedFlags): readonly string[] {
  const list = given.text('tables');
  const purpose = given.text('for');
  const [question] = given.words;
  if (list !== undefined && purpose !== undefined) throw new UsageError('use only one of --tables and --for');
  if (question !== undefined && purpose !== 'answer')
    throw new UsageError(`unexpected argument "${question}". A question follows --for answer.`);
  if (list !== undefined) return readTableList(list);
  const known = readPurpose(purpose ?? 'report');
  if (question !== undefined && !FETCHED_QUESTIONS.includes(question))
    throw new UsageError(
      `unknown question "${question}". Questions: ${FETCHED_QUESTIONS.join(', ')}${didYouMean(question, FETCHED_QUESTIONS)}`,
    );
  return tablesFor(known, question);
}

function readPurpose(text: string): Purpose {
  const purpose = PURPOSES.find(word => word === text);
  if (purpose !== undefined) return purpose;
  throw new UsageError(`--for must be one of ${PURPOSES.join(', ')}, not "${text}"${didYouMean(text, PURPOSES)}`);
}

function readTableList(list: string): readonly string[] {
  const names = list
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  if (names.length === 0) throw new UsageError(`--tables is empty. Tables: ${TABLE_NAMES}`);
  return [
    ...new Set(
      names.map(name => {
        const table = findExportTable(name);
        if (table !== undefined) return table.id;
        const ids = EXPORT_TABLES.map(({ id }) => id);
        throw new UsageError(`unknown table "${name}". Tables: ${TABLE_NAMES}${didYouMean(name, ids)}`);
      }),
    ),
  ];
}

/** One end is enough: the node has the other. */
export function readRange(given: ParsedFlags): FetchRange | undefined {
  const named = readNamedRange(given);
  if (named !== undefined) return named;
  const [from, to] = [given.text('from'), given.text('to')];
  if (from === undefined && to === undefined) return undefined;
  return { kind: 'open', ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

interface CommandLine {
  readonly given: ParsedFlags;
  readonly context: Context;
}

interface Node {
  readonly connection: Connection;
  readonly root: string;
}

async function connectTo(given: ParsedFlags, context: Context): Promise<Node> {
  const target = await chooseTarget(given, context);
  await warnAboutDemoData(target, context);
  const connection = await connect(target, given, context);
  return { connection, root: await historyRootFor(given, context, connection) };
}

type Wanted =
  | { readonly tables: readonly string[]; readonly range: FetchRange | undefined }
  /** Of the history in a folder. */
  | { readonly repair: Repair; readonly folder: string };

async function fetchTables(
  wanted: Wanted,
  { connection: { client, isEmbedded }, root }: Node,
  { given, context }: CommandLine,
): Promise<number> {
  const { stdout, stderr, signal } = context;
  const order = given.has('oldest-first') ? 'oldest-first' : 'newest-first';
  const how = { client, root, order, signal } as const;
  const plan =
    'repair' in wanted
      ? await (await import('../history/store/plan-repair.ts')).planRepair(
          { ...how, chain: wanted.folder },
          wanted.repair,
        )
      : await (await import('../history/store/plan-fetch.ts')).planFetch({
          ...{ ...how, ...wanted, chain: readChainFlag(given), isExact: given.has('tables') },
        });
  const isQuiet = given.has('quiet');
  const isPlanOnly = given.has('plan');
  if (!isQuiet || isPlanOnly) await stderr.safe(planNotes(plan));
  if (plan.problem !== undefined) return await refusePlan(plan, context);
  const lines = planText(plan, await freeSpaceFor(root));
  if (isPlanOnly) await stdout.safe(lines);
  else if (!isQuiet) await stderr.safe(lines);
  if (isPlanOnly) return EXIT.done;
  const { code, result } = await runFetch({
    ...{ plan, client, context, isQuiet },
    ...readDownloadWaits(given),
  });
  if (result.folder === null || isQuiet) return code;
  const history = await openHistory(result.folder);
  await stderr.safe(safeLine(`${describeHistory(history)}; ${formatByteCount(storedBytes(history))} on disk`));
  if (isEmbedded && !given.has('history'))
    await stderr.safe(
      safeLine('note: the demo is another chain each time, so its history is removed now. --history DIR keeps it.'),
    );
  else await stdout.data(`${result.folder}\n`, () => safeLine(result.folder ?? ''));
  return code;
}

/** Of the folder, or of the one that it will be made in. */
async function freeSpaceFor(folder: string): Promise<number | null> {
  const parent = dirname(folder);
  return (await freeSpace(folder)) ?? (parent === folder ? null : freeSpaceFor(parent));
}

const storedBytes = ({ tables }: ChainHistory): number => tables.reduce((sum, { bytes }) => sum + bytes, 0);

async function refusePlan({ problem }: FetchPlan, { stderr }: Context): Promise<number> {
  if (problem?.kind === 'other-history') throw new OtherHistoryError(problemText(problem));
  if (problem?.kind === 'range') throw new UsageError(problemText(problem));
  if (problem?.kind === 'damaged') throw new DestinationError(problem.text);
  await stderr.safe(safeLine(`blockglass: ${problem === undefined ? '' : problemText(problem)}`));
  return EXIT.refused;
}

async function forget(given: ParsedFlags, context: Context): Promise<number> {
  const history = await findOnlyHistory({ given, context });
  const list = given.text('tables');
  const { forgetHistory } = await import('../history/store/check-history.ts');
  const { bytes } = await forgetHistory(history, list === undefined ? undefined : readTableList(list));
  if (!given.has('quiet')) await context.stderr.safe(safeLine(`${formatByteCount(bytes)} freed in ${history.folder}`));
  return EXIT.done;
}

async function check(given: ParsedFlags, context: Context): Promise<number> {
  const { stderr, signal } = context;
  const history = await findHistory({ given, context });
  const list = given.text('tables');
  const { checkHistory } = await import('../history/store/check-history.ts');
  const checked = await checkHistory(history, {
    signal,
    ...(list !== undefined && { tables: readTableList(list) }),
    onProgress: given.has('quiet') ? () => {} : transferProgress(context),
  });
  stderr.progress('');
  const { slices, rows, damaged } = checked;
  for (const { table, file, reason, isSetAside } of damaged)
    await stderr.safe(
      safeLine(
        `damaged: ${table}/${file}: ${reason} ${isSetAside ? 'It was set aside, and its blocks are missing now.' : 'It cannot be set aside: the folder is read-only.'}`,
      ),
    );
  if (!given.has('quiet'))
    await stderr.safe(
      safeLine(`${countOf(slices, 'slice')} verified, ${countOf(rows, 'row')}; ${damaged.length} damaged`),
    );
  for (const { reason, ranges } of checked.unrecorded)
    await stderr.safe(
      safeLine(
        `damaged: ${reason}. Its ${countOf(ranges.length, 'file')} ${ranges.length === 1 ? 'is' : 'are'} verified again.`,
      ),
    );
  const others = history.problems.filter(problem => checked.unrecorded.every(({ reason }) => reason !== problem));
  for (const problem of others) await stderr.safe(safeLine(`damaged: ${problem}`));
  const { repairOf } = await import('../history/store/plan-repair.ts');
  const repair = repairOf(checked);
  if (repair === undefined) return damaged.length + others.length === 0 ? EXIT.done : EXIT.untrusted;
  if ((await chooseTarget(given, context)).isUnnamed === true) {
    await stderr.safe(safeLine('No node is set, so nothing is fetched. Fetch it again: blockglass fetch --node URL.'));
    return EXIT.untrusted;
  }
  try {
    const code = await fetchTables({ repair, folder: history.folder }, await connectTo(given, context), {
      given,
      context,
    });
    return others.length === 0 ? code : EXIT.untrusted;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    await stderr.safe(describeError(error));
    const count = [...repair.values()].flat().length;
    await stderr.safe(
      safeLine(
        `${countOf(count, 'damaged slice')} could not be replaced. The next blockglass fetch brings ${count === 1 ? 'it' : 'them'}.`,
      ),
    );
    return EXIT.untrusted;
  }
}
