import { createInterface } from 'node:readline';
import { joinWithAnd } from '../base/text/join-words.ts';
import { safeText, sanitize } from '../base/text/safe-text.ts';
import type { Client } from '../chain/api/client.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { DestinationError } from '../history/plan/destination-error.ts';
import { type ChainHistory, openHistory } from '../history/store/chain-history.ts';
import { type FetchResult, isRefusal } from '../history/store/fetch-result.ts';
import type { FetchRange } from '../history/store/find-range.ts';
import { OtherHistoryError } from '../history/store/other-history-error.ts';
import type { FetchPlan } from '../history/store/plan-fetch.ts';
import { tablesFor } from '../history/store/purposes.ts';
import { readChainFlag } from './chain-flag.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { FetchFailedError } from './fetch-failed-error.ts';
import { estimateText, planNotes, problemText, runFetch } from './fetch-run.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { historyRootFor } from './history-flag.ts';
import { lookForHistory } from './stored-history.ts';
import { UsageError } from './usage-error.ts';

export const FETCH_FLAG: Flag = {
  name: 'fetch',
  kind: 'switch',
  group: 'History on disk',
  about: 'first fetch the missing part of the required tables and range',
};

/** The tables and blocks a command needs on disk. */
export interface FetchNeeds {
  readonly tables: readonly string[];
  /** Everything that the node has by default. */
  readonly range?: { readonly from?: string; readonly to?: string } | undefined;
}

interface CommandLine {
  readonly given: ParsedFlags;
  readonly context: Context;
}

/** The tables on disk, up to the newest segment; the default of `fetch` if none are. */
export async function storedNeeds({ given, context }: CommandLine): Promise<FetchNeeds> {
  const { chosen } = await lookForHistory({ given, context });
  const stored = chosen?.tables.map(({ table }) => table) ?? [];
  return { tables: stored.length === 0 ? tablesFor('report') : stored };
}

/** A history after a fetch for a command. */
export interface FetchedHistory {
  readonly history: ChainHistory;
  /** Of the command, if nothing else is wrong: `EXIT.refused` where the node does not export one of several tables. */
  readonly exitCode: number;
}

/** Fetches what a command needs, and opens the history. Throws FetchFailedError, UsageError or OtherHistoryError. */
export async function fetchFirst(needs: FetchNeeds, { given, context }: CommandLine): Promise<FetchedHistory> {
  const { plan, client } = await planNeeds(needs, { given, context });
  return await runPlan(plan, needs, { client, context });
}

/**
 * Asks on the terminal whether to fetch missing segments. Undefined if the answer is no, or if the node cannot list its
 * segments and a history is on disk already. Throws like `fetchFirst`.
 */
export async function offerFetch(
  needs: FetchNeeds,
  { given, context }: CommandLine,
  chosen: ChainHistory | undefined,
): Promise<FetchedHistory | undefined> {
  const planned = await planNeeds(needs, { given, context }).catch((error: unknown) => {
    if (chosen === undefined || context.signal.aborted) throw error;
    return undefined;
  });
  if (planned === undefined) return undefined;
  const { plan, client } = planned;
  if (plan.segments.missing === 0) return plan.history && { history: plan.history, exitCode: EXIT.done };
  const missing = plan.tables.filter(table => table.missing.length > 0).map(({ table }) => table);
  const size =
    plan.estimatedBytes === null ? `${countOf(plan.segments.missing, 'segment')}, size not known` : estimateText(plan);
  await context.stderr.safe(
    safeText`needs ${sanitize(`${joinWithAnd(missing)}${rangeText(needs)}: ${size}`)}. Fetch? [Y/n] `,
  );
  const said = await readLine(context);
  return /^\s*(?:y|yes)?\s*$/i.test(said) ? await runPlan(plan, needs, { client, context }) : undefined;
}

/** Whether there is a user to answer, and the output is not for a program. */
export const canOffer = ({ stdin, stdout, stderr }: Pick<Context, 'stdin' | 'stdout' | 'stderr'>): boolean =>
  stdout.isTerminal && stderr.isTerminal && stdin().isTTY === true;

async function planNeeds(
  { tables, range }: FetchNeeds,
  { given, context }: CommandLine,
): Promise<{ readonly plan: FetchPlan; readonly client: Client }> {
  const connection = await connectToChosenNode(given, context);
  const { client } = connection;
  const root = await historyRootFor(given, context, connection);
  const { planFetch } = await import('../history/store/plan-fetch.ts');
  const asked: FetchRange | undefined =
    range?.from === undefined && range?.to === undefined ? undefined : { kind: 'open', ...range };
  const plan = await planFetch({
    client,
    root,
    tables,
    range: asked,
    chain: readChainFlag(given),
    signal: context.signal,
  });
  await context.stderr.safe(planNotes(plan));
  const { problem } = plan;
  if (problem === undefined) return { plan, client };
  if (problem.kind === 'other-history') throw new OtherHistoryError(problemText(problem));
  if (problem.kind === 'damaged') throw new DestinationError(problem.text);
  const text = problemText(problem);
  throw problem.kind === 'range' ? new UsageError(text) : new FetchFailedError(text, EXIT.refused);
}

async function runPlan(
  plan: FetchPlan,
  needs: FetchNeeds,
  { client, context }: { readonly client: Client; readonly context: Context },
): Promise<FetchedHistory> {
  const { code, result } = await runFetch({ plan, client, context, isQuiet: false });
  const history = result.folder === null ? undefined : await openHistory(result.folder);
  if (history !== undefined && (code === EXIT.done || isAnswerable(result, needs, history)))
    return { history, exitCode: code };
  const lacking = [...new Set(result.failed.map(({ table }) => table))];
  throw new FetchFailedError(
    `not answered, because the fetch${lacking.length === 0 ? '' : ` of ${joinWithAnd(lacking)}`} is incomplete. Leave out --fetch to use only the data on disk`,
    code,
  );
}

/**
 * The node refuses some tables as a whole, and others are there: an answer from those says what it lacks. One from a part of a
 * table would not.
 */
function isAnswerable(result: FetchResult, { tables }: FetchNeeds, history: ChainHistory): boolean {
  const refused = new Set(result.failed.map(({ table }) => table));
  const isStored = (table: string): boolean => history.tables.some(stored => stored.table === table);
  return (
    result.cause === undefined &&
    result.failed.every(failure => isRefusal(failure.result)) &&
    tables.every(table => !(refused.has(table) && isStored(table))) &&
    tables.some(isStored)
  );
}

function rangeText({ range }: FetchNeeds): string {
  const { from, to } = range ?? {};
  if (from === undefined && to === undefined) return '';
  const year = /^(\d{4})-01-01 \1-12-31$/.exec(`${from} ${to}`)?.[1];
  if (year !== undefined) return ` of ${year}`;
  return `${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}`;
}

/** A line of the user; no at the end of the input. Throws the reason of an abort. */
async function readLine({ stdin, signal }: Pick<Context, 'stdin' | 'signal'>): Promise<string> {
  const lines = createInterface({ input: stdin(), terminal: false });
  const stop = (): void => lines.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const line of lines) return line;
    signal.throwIfAborted();
    return 'n';
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}
