import type { ChainDoubt } from '../../chain/api/client.ts';
import {
  isNotServed,
  NetworkError,
  NodeError,
  NotInSnapshotError,
  RateLimitedError,
  RefusedError,
  shortErrorSentence,
  TimeoutError,
} from '../../chain/api/errors.ts';
import type { Page } from '../../chain/api/page.ts';
import type { Reply } from '../../chain/api/reply.ts';
import { type ChainState, type NewestBlock, readChainState } from '../../chain/directory/chain-state.ts';
import type { CheckedBundle } from '../../chain/insight/signer-bundle/checked-bundle.ts';
import type { History } from '../../chain/range/segment-history.ts';
import type { Row, RowPage } from '../../chain/resources/resource.ts';
import type { Loading } from '../rules/rule-input.ts';
import { BudgetSpentError } from './request-budget.ts';

/** The most requests the overview sends to a node whose core answers. */
export const MAX_OVERVIEW_REQUESTS = 12;

/** Data that the core would have reported takes this many additional requests. */
export const EXTRA_REQUESTS_WITHOUT_CORE = 2;

/** Parties of the user to request, one request each, in addition to the others. */
export const MAX_OWN_PARTIES = 5;

/** The result of one request, and its time (Unix milliseconds). */
export type PartAnswer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'answered'; readonly value: Value; readonly atMs: number }
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly error: NodeError | null;
      readonly atMs: number;
      /** The request budget was used up: it can be requested later. */
      readonly isLeftOut?: true;
    };

export const WAITING_ANSWER = { kind: 'waiting' } as const;

/** The answers of the node by part; parts arrive one after the other. */
export interface OverviewAnswers {
  readonly statistics: PartAnswer<Reply>;
  /** Asked only if the core does not answer. */
  readonly epoch: PartAnswer<Reply>;
  /** Requested only if the core does not report its version. */
  readonly info: PartAnswer<Reply>;
  readonly segments: PartAnswer<History>;
  readonly markets: PartAnswer<RowPage>;
  readonly validators: PartAnswer<RowPage>;
  readonly bundles: PartAnswer<RowPage>;
  /** The bundles whose signatures were checked. */
  readonly checked: PartAnswer<ReadonlyMap<Row, CheckedBundle>>;
  readonly specs: PartAnswer<RowPage>;
  readonly arrivals: PartAnswer<Page>;
  readonly assets: PartAnswer<Page>;
  /** Of the last epochs on all markets, or of the newest one from nodes that know no ranges. */
  readonly fees: PartAnswer<RowPage>;
  /** Of the market with the most fees, from nodes that know no ranges. */
  readonly marketFees: PartAnswer<MarketFees>;
  readonly provisions: PartAnswer<MarketProvisions>;
  readonly bonds: PartAnswer<Page>;
  /** What each party of the user provides, on every market. */
  readonly own: PartAnswer<ReadonlyMap<string, PartAnswer<RowPage>>>;
  /** The newest block of the node, from the first answer with one. */
  readonly block: NewestBlock;
  /** Signs in the answers that they are not all of one chain. */
  readonly doubts: readonly ChainDoubt[];
  /** Requests sent so far. */
  readonly requests: number;
}

interface MarketRows {
  readonly marketId: string;
  readonly page: RowPage;
}

export interface MarketProvisions extends MarketRows {
  /** The node's newest block when it answered; null if not reported. */
  readonly blockTimeMs: number | null;
}

interface MarketFees extends MarketRows {
  readonly assetId: string;
  /** The newest epoch with fees by the list of all markets when this was asked for. */
  readonly newestBefore: bigint | null;
}

export const NO_ANSWERS: OverviewAnswers = {
  statistics: WAITING_ANSWER,
  epoch: WAITING_ANSWER,
  info: WAITING_ANSWER,
  segments: WAITING_ANSWER,
  markets: WAITING_ANSWER,
  validators: WAITING_ANSWER,
  bundles: WAITING_ANSWER,
  checked: WAITING_ANSWER,
  specs: WAITING_ANSWER,
  arrivals: WAITING_ANSWER,
  assets: WAITING_ANSWER,
  fees: WAITING_ANSWER,
  marketFees: WAITING_ANSWER,
  provisions: WAITING_ANSWER,
  bonds: WAITING_ANSWER,
  own: WAITING_ANSWER,
  block: { height: null, timeMs: null, atMs: null },
  doubts: [],
  requests: 0,
};

const PART_NAMES = [
  ...(['statistics', 'epoch', 'info', 'segments', 'markets', 'validators', 'bundles', 'checked'] as const),
  ...(['specs', 'arrivals', 'assets', 'fees', 'marketFees', 'provisions', 'bonds', 'own'] as const),
] satisfies readonly (keyof OverviewAnswers)[];

/** What the node is asked for. */
export type PartName = (typeof PART_NAMES)[number];

/** The parts that have not been answered yet. */
export const waitingParts = (answers: OverviewAnswers): readonly PartName[] =>
  PART_NAMES.filter(name => answers[name].kind === 'waiting');

/** The chain state of the node, from the answers so far. */
export function answeredChainState({ statistics, epoch, info, segments, block }: OverviewAnswers): ChainState {
  const heard = (part: PartAnswer<Reply>) =>
    part.kind === 'answered' ? { reply: part.value, atMs: part.atMs } : undefined;
  return readChainState({
    ...{ statistics: heard(statistics), epoch: heard(epoch), info: heard(info), block },
    ...(segments.kind === 'answered' && { historyChains: segments.value.chains }),
  });
}

/** Runs a request. Throws only when aborted. */
export async function runPartRequest<Value>(
  ask: () => Promise<Value>,
  { signal, nowMs }: { readonly signal: AbortSignal; readonly nowMs: () => number },
): Promise<PartAnswer<Value>> {
  try {
    const value = await ask();
    return { kind: 'answered', value, atMs: nowMs() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BudgetSpentError)
      return { kind: 'failed', why: error.message, error: null, atMs: nowMs(), isLeftOut: true };
    if (error instanceof NodeError) return { kind: 'failed', why: failureReason(error), error, atMs: nowMs() };
    throw error;
  }
}

/** Not asked at all. */
export const skippedAnswer = <Value>(why: string, atMs: number): PartAnswer<Value> => ({
  kind: 'failed',
  why,
  error: null,
  atMs,
});

/** Why the request failed, for a separate line. */
function failureReason(error: NodeError): string {
  if (error instanceof NotInSnapshotError) return error.message;
  if (isNotServed(error)) return 'not served by this node';
  if (error instanceof RateLimitedError) return 'the node had too many requests, try again later';
  const isOff =
    error instanceof RefusedError &&
    error.fault.details.some(({ message }) => /history service not initialised/.test(message));
  return isOff ? 'this node keeps no history' : shortErrorSentence(error);
}

/** Whether nothing was heard at all. */
export const isUnreachable = (answer: PartAnswer<unknown>): boolean =>
  answer.kind === 'failed' && (answer.error instanceof NetworkError || answer.error instanceof TimeoutError);

/** A value made of an answer. */
export function mapAnswer<Value, Made>(
  answer: PartAnswer<Value>,
  make: (value: Value) => { readonly value: Made; readonly records?: number; readonly gap?: string },
): Loading<Made> {
  switch (answer.kind) {
    case 'waiting':
      return answer;
    case 'failed':
      return { kind: 'unread', why: answer.why };
    case 'answered':
      return { kind: 'read', records: null, gap: '', ...make(answer.value), atMs: answer.atMs };
  }
}

/** Why a page may not have all rows; '' if it has. */
export const pageGap = ({ flaws: [flaw], hasNextPage }: Pick<RowPage, 'flaws' | 'hasNextPage'>): string =>
  flaw ?? (hasNextPage ? 'the node has more' : '');

/** The rows of a list, with why some may be missing. */
export const answeredRows = (answer: PartAnswer<RowPage>): Loading<readonly Row[]> =>
  mapAnswer(answer, page => ({ value: page.rows, records: page.rows.length, gap: pageGap(page) }));
