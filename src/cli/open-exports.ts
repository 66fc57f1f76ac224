import { existsSync } from 'node:fs';
import type { Dataset, DatasetOptions, SelectedExports, SelectionOptions } from '../answers/index.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { type ChainHistory, describeHistory } from '../history/store/chain-history.ts';
import { coversRange } from '../history/store/covers-range.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { canOffer, FETCH_FLAG, type FetchedHistory, type FetchNeeds, fetchFirst, offerFetch } from './fetch-first.ts';
import { CONNECTION_FLAGS, type ParsedFlags } from './flags.ts';
import { HISTORY_FLAGS, lookForHistory } from './stored-history.ts';
import { UsageError } from './usage-error.ts';

/** The input of a command: the given exports, or the history on disk. */
export interface ExportSource {
  readonly paths: readonly string[];
  readonly isHistory: boolean;
  /** Of a command that uses it, if nothing else is wrong: a fetch may have left something out. */
  readonly exitCode: number;
}

interface SourceOptions {
  readonly given: ParsedFlags;
  readonly context: Context;
  /** Needed of the history, and fetched first if the user wants that; everything on disk by default. */
  readonly needs?: FetchNeeds | undefined;
  /** The command asks a node for names of exports, too. */
  readonly asksNode?: boolean;
}

/** The given exports, or the history on disk, which is described on stderr. Throws UsageError if there is neither. */
export async function findSource(
  named: readonly string[],
  { given, context, needs, asksNode = false }: SourceOptions,
): Promise<ExportSource> {
  if (named.length > 0) {
    refuseHistoryFlags(given, asksNode ? [] : CONNECTION_FLAGS);
    return { paths: named, isHistory: false, exitCode: EXIT.done };
  }
  const { history, exitCode } = await findNeeded(needs, { given, context });
  await context.stderr.safe(safeLine(describeHistory(history, needs?.tables)));
  return { paths: [history.folder], isHistory: true, exitCode };
}

/** Files were named. Throws UsageError for flags that choose or fetch a history. */
export function refuseHistoryFlags(given: ParsedFlags, others: readonly string[] = []): void {
  const flags = [...[...HISTORY_FLAGS, FETCH_FLAG].map(({ name }) => name), ...others];
  const unused = flags.find(name => given.has(name) && name !== 'timeout');
  if (unused !== undefined) throw new UsageError(`--${unused} is for the history on disk. Leave it out, or the files`);
}

/** The history on disk, after a fetch if the user asks for one or accepts the offer. Throws UsageError. */
export async function findNeeded(
  needs: FetchNeeds | undefined,
  { given, context }: Pick<SourceOptions, 'given' | 'context'>,
): Promise<FetchedHistory> {
  if (needs === undefined && given.has('fetch'))
    throw new UsageError('--fetch needs to know the tables: use one in the query, or use blockglass fetch --tables');
  if (needs !== undefined && given.has('fetch')) return fetchFirst(needs, { given, context });
  const { chosen, missingError, isNodeKnown } = await lookForHistory({ given, context });
  const fetched =
    needs !== undefined && isNodeKnown && canOffer(context) && lacks(chosen, needs)
      ? await offerFetch(needs, { given, context }, chosen)
      : undefined;
  if (fetched !== undefined) return fetched;
  if (chosen === undefined) throw await missingError();
  return { history: chosen, exitCode: EXIT.done };
}

function lacks(history: ChainHistory | undefined, { tables, range }: FetchNeeds): boolean {
  const isThere = tables.every(table => history?.tables.some(stored => stored.table === table));
  return history === undefined || !isThere || (range !== undefined && !coversRange(history, tables, range));
}

/** It was there when the command looked for it. */
const deletedError = (folder: string): UsageError =>
  new UsageError(`no history on disk: ${folder} was just deleted`, ['Fetch it again: blockglass fetch --node URL.']);

interface FindOptions extends SelectionOptions {
  /** What the command does with them. */
  readonly verb?: string;
  /** Exports that the command reads for something else. */
  readonly elsewhere?: readonly string[];
}

/**
 * The exports to read: given files, files in given folders, or tables of the history. Lists on stderr the files found in
 * folders, and those it ignores. Throws AnswerError if there is nothing to read.
 */
export async function findExports(
  { paths, isHistory }: ExportSource,
  { stderr }: Pick<Context, 'stderr'>,
  { elsewhere = [], verb = 'reading', ...wanted }: FindOptions = {},
): Promise<SelectedExports> {
  const { selectExports } = await import('../answers/index.ts');
  const selected = await selectExports(paths, wanted).catch((error: unknown) => {
    const gone = isHistory ? paths.find(path => !existsSync(path)) : undefined;
    throw gone === undefined ? error : deletedError(gone);
  });
  if (selected.isSearched) await stderr.safe(safeLine(`${verb} ${selected.paths.join(', ')}`));
  const left = selected.left.filter(({ path }) => !elsewhere.includes(path));
  for (const [why, of] of Map.groupBy(left, each => each.why))
    await stderr.safe(safeLine(`not read (${why}): ${of.map(({ path }) => path).join(', ')}`));
  return selected;
}

type OpenOptions = Pick<DatasetOptions, 'evenIncomplete' | 'limits' | 'signal'>;

/** Opens exports for queries, showing the progress. */
export async function openExports(
  { paths, without, history }: Pick<SelectedExports, 'paths' | 'without' | 'history'>,
  options: OpenOptions,
  { stderr, settings, version }: Pick<Context, 'stderr' | 'settings' | 'version'>,
): Promise<Dataset> {
  const { openDataset } = await import('../answers/index.ts');
  const what = history === undefined ? 'the export' : 'new history';
  const { maxParquetGiB } = history === undefined ? {} : await settings();
  return openDataset({
    ...options,
    ...{ paths, without, history, maxParquetGiB, program: `blockglass ${version}` },
    onProgress: ({ bytes, totalBytes, rows }) => {
      const share = totalBytes === null || totalBytes === 0 ? '' : `${Math.floor((100 * bytes) / totalBytes)} %, `;
      stderr.progress(`reading ${what}: ${share}${countOf(rows, 'row')}`);
    },
    onWait: processId => stderr.progress(`waiting for process ${processId}, which reads the same history`),
  }).finally(() => stderr.progress(''));
}
