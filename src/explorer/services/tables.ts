import type { DatasetOptions, ReadyQuestion, ViewerTables } from '../../answers/index.ts';
import type { EpochTimes } from '../../chain/directory/export-range.ts';
import { splitRangeText } from '../../chain/insight/chain-point.ts';
import type { NodeRequester } from '../../chain/range/epoch.ts';
import { parseNamedRangeEnd, parseTypedRange, periodDays } from '../../chain/range/parse-range.ts';
import { errorMessage } from './failure.ts';

export type TableOpener = (
  request: FilesRequest,
  onProgress: (progress: OpeningProgress) => void,
  signal: AbortSignal,
) => Promise<ViewerTables>;

/** The settings that every use of the engine shares. */
export type EngineSettings = Required<Pick<DatasetOptions, 'maxParquetGiB'>> & { readonly program: string };

/**
 * Opens the tables of files, or an answer of theirs. The engine is loaded with the first. The node is asked for the times of
 * epochs that are not saved with the files.
 */
export const createTableOpener =
  (node: () => NodeRequester | undefined, engine: () => EngineSettings): TableOpener =>
  async ({ paths, isEvenIncomplete, question, only }, onProgress, signal) => {
    const { openViewerTables } = await import('../../answers/index.ts');
    const request = question && {
      name: question.name,
      values: {
        ...(question.party !== '' && { parties: [question.party] }),
        ...(question.isSplit === true && { types: true }),
        ...answerRange(question.range ?? '', Date.now()),
      },
    };
    return await openViewerTables({
      ...{ paths, evenIncomplete: isEvenIncomplete, question: request, only },
      ...{ onProgress, signal, ...engine() },
      epochsOf: (chainId, seqs, until) => epochsOfNode(node(), { chainId, seqs }, until),
    });
  };

async function epochsOfNode(
  client: NodeRequester | undefined,
  { chainId, seqs }: { readonly chainId: string; readonly seqs: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly epochs: readonly EpochTimes[]; readonly unknownAtNode: string }> {
  if (client === undefined) return { epochs: [], unknownAtNode: 'no node is connected' };
  const { fetchChainId } = await import('../../chain/directory/load-directory.ts');
  const { fetchEpochTimesBySeq } = await import('../../chain/range/epoch.ts');
  const there = await fetchChainId(client, signal);
  if (chainId !== '' && there !== '' && there !== chainId)
    return { epochs: [], unknownAtNode: `the connected node is on another chain (${there})` };
  try {
    const { epochs } = await fetchEpochTimesBySeq(client, seqs, signal);
    return { epochs, unknownAtNode: 'the connected node does not know them' };
  } catch (error) {
    signal.throwIfAborted();
    return { epochs: [], unknownAtNode: `the connected node did not report them: ${errorMessage(error)}` };
  }
}

/** The range of an answer as the questions take it: `e20..e25`, one place for both ends, `2026`, `last-month`, or `all`. */
export function answerRange(range: string, nowMs: number): AnswerRange {
  const words = range.trim().toLowerCase();
  if (words === '') return {};
  if (words === 'all') return { isWhole: true };
  const year = yearRange(words);
  if (year !== undefined) return year;
  const named = parseTypedRange(words);
  if (named?.kind !== 'period') return splitRangeText(range) ?? {};
  const { from, to } = periodDays(named.word, nowMs);
  return { from, ...(to !== null && { to }) };
}

interface AnswerRange {
  readonly from?: string;
  readonly to?: string;
  readonly isWhole?: boolean;
}

/** The first and last day of `2026`; undefined for other words. */
export const yearRange = (words: string): { readonly from: string; readonly to: string } | undefined =>
  YEAR.test(words) ? { from: `${words}-01-01`, to: `${words}-12-31` } : undefined;

const YEAR = /^(?:19|20|21)\d\d$/;

/** The problem with a typed range of an answer; undefined if there is none. */
export function rangeProblem(range: string): string | undefined {
  const words = range.trim().toLowerCase();
  const kind = parseTypedRange(words)?.kind;
  const ends = splitRangeText(words);
  const areKnown = ends !== undefined && [ends.from, ends.to].every(end => parseNamedRangeEnd(end) !== undefined);
  const isKnown = words === '' || YEAR.test(words) || kind === 'all' || kind === 'period' || areKnown;
  return isKnown ? undefined : `not "${range.trim()}": all, 2026, last-month, e20..e25, or days 2026-10-01..2026-10-31`;
}

/** The possible uses of an export of a table; does not load the engine. */
export async function tableOfferFor(table: string): Promise<TableOffer> {
  const { isEngineInstalled, answerableQuestions } = await import('../../answers/index.ts');
  const questions = answerableQuestions([table]).map(({ name, title, needsParty }) => ({ name, title, needsParty }));
  return { hasEngine: isEngineInstalled(), questions };
}

/** The files that the viewer opens. */
export interface FilesRequest {
  readonly paths: readonly string[];
  readonly isEvenIncomplete: boolean;
  /** The table to show first; otherwise the first one. */
  readonly table?: string;
  /** Opens only these tables; all by default. */
  readonly only?: readonly string[];
  /** Opens its answer instead of the files; null for the files themselves. */
  readonly question: AnswerRequest | null;
}

/** A ready question with its values. */
export interface AnswerRequest {
  readonly name: string;
  readonly title: string;
  /** Empty if the question needs no party. */
  readonly party: string;
  /** `e20..e25`, a day, or `all` in the files; the range of the export if it is left out. */
  readonly range?: string;
  /** One row per reason. */
  readonly isSplit?: boolean;
}

/** How much of a CSV has been converted so far. */
export interface OpeningProgress {
  readonly rows: number;
  readonly bytes: number;
  readonly totalBytes: number | null;
}

/** The possible uses of an export of a table. */
export interface TableOffer {
  /** Whether the engine is installed that opens tables and answers questions. */
  readonly hasEngine: boolean;
  /** The ready questions that the table answers. */
  readonly questions: readonly ReadyQuestion[];
}

/** The party that ready questions are asked for. */
export interface PartyRequest {
  /** The question that waits for its party. */
  readonly question: ReadyQuestion | null;
  /** The last party, as typed; empty before the first. */
  readonly party: string;
}
