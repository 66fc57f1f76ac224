import { hasList } from '../../chain/api/core-status.ts';
import { isNotServed, RefusedError } from '../../chain/api/errors.ts';
import { isJsonObject, type Json } from '../../chain/api/json.ts';
import type { RateHeaders } from '../../chain/api/rate-budget.ts';
import { type ChainState, readChainState } from '../../chain/directory/chain-state.ts';
import {
  type History,
  readSegmentHistory,
  readSegments,
  unreadableSegmentsText,
} from '../../chain/range/segment-history.ts';
import type { StatusAnswer, StatusAnswers } from './request-answers.ts';

/** The status a node reports; null is unknown. Texts are the node's own. */
export interface NodeStatus extends ChainState {
  readonly history: History | null;
  readonly rate: RateHeaders;
  /** Of the answer with the build, including the time to connect. */
  readonly latencyMs: number | null;
}

export function readStatus({ statistics, info, segments, epoch, time, list }: StatusAnswers): NodeStatus {
  const heard = (answer: StatusAnswer | null) => (answer?.kind === 'answered' ? answer : undefined);
  const history = readHistory(segments);
  const chain = readChainState({
    ...{ statistics: heard(statistics), info: heard(info), epoch: heard(epoch), time: heard(time) },
    ...{ historyChains: history?.chains, others: [segments, list].flatMap(answer => heard(answer) ?? []) },
  });
  return {
    ...chain,
    history,
    rate: mergeRates([info, statistics, segments, ...(list === null ? [] : [list])]),
    latencyMs: answerElapsedMs(info) ?? answerElapsedMs(statistics) ?? (list && answerElapsedMs(list)),
  };
}

/** Answers that cannot be read, one sentence each. */
export function findAnswerFlaws({ statistics, info, segments, list }: StatusAnswers): readonly string[] {
  const noObject = (answer: StatusAnswer, name: string) =>
    answer.kind === 'answered' && !isJsonObject(answer.reply.json) ? [`${name} is not an object`] : [];
  const history = answerJson(segments);
  const flaw =
    history === undefined
      ? undefined
      : (unreadableSegmentsText(history) ??
        (readSegments(history) ? undefined : 'its history is not a list of segments'));
  return [
    ...noObject(statistics, 'its core status'),
    ...noObject(info, 'its build info'),
    ...(flaw === undefined ? [] : [flaw]),
    ...(list?.kind === 'answered' && !hasList(list.reply.json) ? ['its network parameters are not a list'] : []),
  ];
}

/** The node has no such operation, or it is turned off; it may be healthy. */
export const isPartNotServed = (answer: StatusAnswer): boolean =>
  answer.kind === 'failed' &&
  (isNotServed(answer.error) ||
    (answer.error instanceof RefusedError &&
      answer.error.fault.details.some(({ message }) => /history service not initialised/.test(message))));

const readHistory = (answer: StatusAnswer): History | null =>
  answer.kind === 'answered' ? (readSegmentHistory(answer.reply) ?? null) : null;

/** From all answers; the least remaining budget is the newest. */
function mergeRates(answers: readonly StatusAnswer[]): RateHeaders {
  const rates = answers.flatMap(answer => (answer.kind === 'answered' ? [answer.reply.facts.rate] : []));
  const limits = rates.flatMap(({ limitPerSecond }) => limitPerSecond ?? []);
  const left = rates.flatMap(({ remaining }) => remaining ?? []);
  return {
    ...(limits[0] !== undefined && { limitPerSecond: limits[0] }),
    ...(left.length > 0 && { remaining: Math.min(...left) }),
  };
}

const answerJson = (answer: StatusAnswer): Json | undefined =>
  answer.kind === 'answered' ? answer.reply.json : undefined;

const answerElapsedMs = (answer: StatusAnswer): number | null =>
  answer.kind === 'answered' ? answer.reply.elapsedMs : null;
