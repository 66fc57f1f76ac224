import {
  errorSentence,
  isNotServed,
  NetworkError,
  NodeError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
} from '../api/errors.ts';
import type { Page } from '../api/page.ts';
import type { Reply } from '../api/reply.ts';
import type { History } from '../export/range/history.ts';
import type { CheckedBundle } from '../insight/signer-bundle/checked-bundle.ts';
import type { Row, RowPage } from '../resources/resource.ts';
import { BudgetSpentError } from './budgeted-client.ts';

/** What came of one request, and when (Unix milliseconds). */
export type Answer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'answered'; readonly value: Value; readonly atMs: number }
  | { readonly kind: 'failed'; readonly why: string; readonly error: NodeError | null; readonly atMs: number };

export const WAITING = { kind: 'waiting' } as const;

/** What the node was asked, by what it was asked for; parts arrive one after the other. */
export interface Answers {
  readonly statistics: Answer<Reply>;
  /** Asked only if the core does not say its version. */
  readonly info: Answer<Reply>;
  readonly segments: Answer<History>;
  readonly markets: Answer<RowPage>;
  readonly validators: Answer<RowPage>;
  readonly bundles: Answer<RowPage>;
  /** The bundles whose signatures were checked. */
  readonly checked: Answer<ReadonlyMap<Row, CheckedBundle>>;
  readonly specs: Answer<RowPage>;
  readonly arrivals: Answer<Page>;
  readonly assets: Answer<Page>;
  /** Of the last epochs on all markets, or of the newest one from nodes that know no ranges. */
  readonly fees: Answer<RowPage>;
  /** Of the market with the most fees, from nodes that know no ranges. */
  readonly marketFees: Answer<MarketFees>;
  readonly provisions: Answer<MarketRows>;
  readonly bonds: Answer<Page>;
  /** The newest block of the node, as far as any answer said. */
  readonly block: NewestBlock;
  /** Requests sent so far. */
  readonly requests: number;
}

export interface MarketRows {
  readonly marketId: string;
  readonly page: RowPage;
}

export interface MarketFees extends MarketRows {
  readonly assetId: string;
}

export interface NewestBlock {
  readonly height: string | null;
  readonly timeMs: number | null;
  /** When the node said so. */
  readonly atMs: number | null;
}

export const NO_ANSWERS: Answers = {
  statistics: WAITING,
  info: WAITING,
  segments: WAITING,
  markets: WAITING,
  validators: WAITING,
  bundles: WAITING,
  checked: WAITING,
  specs: WAITING,
  arrivals: WAITING,
  assets: WAITING,
  fees: WAITING,
  marketFees: WAITING,
  provisions: WAITING,
  bonds: WAITING,
  block: { height: null, timeMs: null, atMs: null },
  requests: 0,
};

/** Runs a request. Throws only when aborted. */
export async function answerOf<Value>(
  ask: () => Promise<Value>,
  { signal, nowMs }: { readonly signal: AbortSignal; readonly nowMs: () => number },
): Promise<Answer<Value>> {
  try {
    const value = await ask();
    return { kind: 'answered', value, atMs: nowMs() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BudgetSpentError) return { kind: 'failed', why: error.message, error: null, atMs: nowMs() };
    if (error instanceof NodeError) return { kind: 'failed', why: whyNot(error), error, atMs: nowMs() };
    throw error;
  }
}

/** Not asked at all. */
export const notAsked = <Value>(why: string, atMs: number): Answer<Value> => ({
  kind: 'failed',
  why,
  error: null,
  atMs,
});

/** Why there is no answer, for a line of its own. */
function whyNot(error: NodeError): string {
  if (isNotServed(error)) return 'this node does not serve it';
  if (error instanceof RateLimitedError) return 'the node had too many requests, try again later';
  const isOff =
    error instanceof RefusedError &&
    error.fault.details.some(({ message }) => /history service not initialised/.test(message));
  return isOff ? 'this node keeps no history' : errorSentence(error);
}

/** Whether nothing was heard at all. */
export const isUnreached = (answer: Answer<unknown>): boolean =>
  answer.kind === 'failed' && (answer.error instanceof NetworkError || answer.error instanceof TimeoutError);
