import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../chain/api/client.ts';
import {
  EPOCH_REQUEST,
  INFO_REQUEST,
  LIST_REQUEST,
  SEGMENTS_REQUEST,
  STATISTICS_REQUEST,
  TIME_REQUEST,
} from '../../chain/api/core-status.ts';
import { isNotServed, NodeError, RateLimitedError } from '../../chain/api/errors.ts';
import type { Reply } from '../../chain/api/reply.ts';
import type { NodeRequest } from '../../chain/api/request.ts';

/** The outcome of one request, and when it came. */
export type StatusAnswer =
  | { readonly kind: 'answered'; readonly reply: Reply; readonly atMs: number }
  | { readonly kind: 'failed'; readonly error: NodeError };

/** The answers of a node, by topic. */
export interface StatusAnswers {
  /** Of the core behind it. */
  readonly statistics: StatusAnswer;
  readonly info: StatusAnswer;
  readonly segments: StatusAnswer;
  /** The newest epoch, requested only if the core does not answer. */
  readonly epoch: StatusAnswer | null;
  /** The time of its newest block, requested only if no header of the others had it. */
  readonly time: StatusAnswer | null;
  /** A short list, requested only if the node serves none of the others: some gateways pass on only lists. */
  readonly list: StatusAnswer | null;
}

interface StatusClock {
  readonly nowMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Longest wait for a node that is rate-limiting, once. A ban is longer. */
const MAX_WAIT_MS = 10_000;

/**
 * Sends three requests at once, and a fourth if their answers lack headers or if the node serves none of the three.
 * Rate-limited requests are repeated once, one after the other, until one is refused again.
 */
export async function requestNodeAnswers(
  client: Pick<Client, 'get'>,
  signal: AbortSignal,
  { nowMs, wait }: StatusClock = CLOCK,
): Promise<StatusAnswers> {
  const ask = async (request: NodeRequest): Promise<StatusAnswer> => {
    try {
      const reply = await client.get(request, signal);
      return { kind: 'answered', reply, atMs: reply.headerAtMs ?? nowMs() };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NodeError) return { kind: 'failed', error };
      throw error;
    }
  };
  const requests = [STATISTICS_REQUEST, INFO_REQUEST, SEGMENTS_REQUEST] as const;
  const first = await Promise.all(requests.map(ask));
  const waitMs = Math.max(0, ...first.flatMap(answer => busyUntilMs(answer) ?? [])) - nowMs();
  const isWaitedFor = first.some(isBusy) && waitMs <= MAX_WAIT_MS;
  if (isWaitedFor) await wait(Math.max(0, waitMs) + 50, signal);
  const answers: StatusAnswer[] = [];
  for (const [index, request] of requests.entries()) {
    const before = first[index];
    const isDone = before !== undefined && !(isWaitedFor && isBusy(before) && !answers.some(isBusy));
    answers.push(isDone ? before : await ask(request));
  }
  const [statistics, info, segments] = answers;
  if (statistics === undefined || info === undefined || segments === undefined) throw new Error('three were asked');
  const isUnserved = answers.every(answer => answer.kind === 'failed' && isNotServed(answer.error));
  const list = isUnserved ? await ask(LIST_REQUEST) : null;
  const isCoreOut = statistics.kind === 'failed' && !isBusy(statistics) && info.kind === 'answered';
  const epoch = isCoreOut && !answers.some(isBusy) ? await ask(EPOCH_REQUEST) : null;
  const more = [epoch, list].filter(answer => answer !== null);
  const answered = [...answers, ...more].filter(answer => answer.kind === 'answered');
  const hasBlockTime = answered.some(({ reply }) => reply.facts.blockTimeNs !== undefined);
  const isAllowed = list === null && !answers.some(isBusy);
  const time = answered.length > 0 && !hasBlockTime && isAllowed ? await ask(TIME_REQUEST) : null;
  return { statistics, info, segments, epoch, time, list };
}

const CLOCK: StatusClock = {
  nowMs: Date.now,
  wait: async (ms, signal) => {
    await sleep(ms, undefined, { signal });
  },
};

/** When a rate-limiting node accepts requests again. */
const busyUntilMs = (answer: StatusAnswer): number | undefined =>
  answer.kind === 'failed' && answer.error instanceof RateLimitedError ? answer.error.retryAtMs : undefined;

/** The node is rate-limiting, which proves nothing about its health. */
export const isBusy = (answer: StatusAnswer): boolean => busyUntilMs(answer) !== undefined;
