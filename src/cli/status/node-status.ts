import { type CoreStatus, coreOf, hasList } from '../../api/core-status.ts';
import { isNotServed, RefusedError } from '../../api/errors.ts';
import { isJsonObject, type Json, jsonText, member } from '../../api/json.ts';
import { fromNanoseconds, fromRfc3339, heightOr, textOr } from '../../api/node-values.ts';
import type { RateFacts } from '../../api/rate-budget.ts';
import { type History, judgeSegments, readSegments, segmentsFlaw } from '../../export/range/history.ts';
import type { StatusAnswer, StatusAnswers } from './ask-status.ts';

/** The status a node reports; null is unknown. Texts are the node's own. */
export interface NodeStatus {
  /** Build of the data node. */
  readonly version: string | null;
  readonly chainId: string | null;
  /** The newest block that the data node has. */
  readonly block: NewestBlock;
  readonly core: CoreStatus | null;
  readonly epoch: EpochStatus | null;
  readonly history: History | null;
  readonly rate: RateFacts;
  /** Of the answer with the build, including the time to connect. */
  readonly latencyMs: number | null;
  /** Chains of the history that differ from the core's. */
  readonly otherChains: readonly string[];
}

export interface NewestBlock {
  readonly height: bigint | null;
  readonly timeMs: number | null;
  /** By this clock when the answer came; below 0 when the node's time is ahead. */
  readonly ageMs: number | null;
}

export interface EpochStatus {
  readonly seq: string;
  /** It ends with the first block past this time. */
  readonly endsMs: number | null;
}

export function readStatus(answers: StatusAnswers): NodeStatus {
  const { statistics, info, segments, list } = answers;
  const block = newestBlock(answers);
  const said = member(jsonOf(statistics), 'statistics');
  const history = historyIn(segments);
  const chains = (history?.chains ?? []).filter(chainId => chainId !== '');
  const chainId = textOr(member(said, 'chainId')) ?? chains.at(-1) ?? null;
  return {
    version: textOr(member(jsonOf(info), 'version')),
    chainId,
    block,
    core: statistics.kind === 'answered' ? coreOf(statistics.reply) : null,
    epoch: epochOf(said),
    history,
    rate: rateOf([info, statistics, segments, ...(list === null ? [] : [list])]),
    latencyMs: elapsedOf(info) ?? elapsedOf(statistics) ?? (list && elapsedOf(list)),
    otherChains: chains.filter(other => other !== chainId),
  };
}

/** Answers that cannot be read, one sentence each. */
export function flawsOf({ statistics, info, segments, list }: StatusAnswers): readonly string[] {
  const noObject = (answer: StatusAnswer, name: string) =>
    answer.kind === 'answered' && !isJsonObject(answer.reply.json) ? [`${name} is not an object`] : [];
  const history = jsonOf(segments);
  const flaw =
    history === undefined
      ? undefined
      : (segmentsFlaw(history) ?? (readSegments(history) ? undefined : 'its history is not a list of segments'));
  return [
    ...noObject(statistics, 'its core status'),
    ...noObject(info, 'its build info'),
    ...(flaw === undefined ? [] : [flaw]),
    ...(list?.kind === 'answered' && !hasList(list.reply.json) ? ['its network parameters are not a list'] : []),
  ];
}

/** The node has no such operation, or it is turned off; it may be healthy. */
export const isLeftOut = (answer: StatusAnswer): boolean =>
  answer.kind === 'failed' &&
  (isNotServed(answer.error) ||
    (answer.error instanceof RefusedError &&
      answer.error.fault.details.some(({ message }) => /history service not initialised/.test(message))));

// The core's height and the header of the same answer are of one moment; those of others may differ by a second.
function newestBlock({ statistics, info, segments, time, list }: StatusAnswers): NewestBlock {
  for (const answer of [statistics, info, segments, list]) {
    if (answer?.kind !== 'answered') continue;
    const { blockHeight, blockTimeNs } = answer.reply.facts;
    const timeMs = blockTimeNs === undefined ? undefined : fromNanoseconds(blockTimeNs);
    if (blockHeight === undefined && timeMs === undefined) continue;
    return aged(heightOr(blockHeight ?? ''), timeMs ?? null, answer.atMs);
  }
  if (time?.kind !== 'answered') return aged(null, null, 0);
  return aged(null, fromNanoseconds(jsonText(member(time.reply.json, 'timestamp'))) ?? null, time.atMs);
}

const aged = (height: bigint | null, timeMs: number | null, atMs: number): NewestBlock => ({
  height,
  timeMs,
  ageMs: timeMs === null ? null : atMs - timeMs,
});

function epochOf(said: Json | undefined): EpochStatus | null {
  const seq = jsonText(member(said, 'epochSeq'));
  return /^\d{1,20}$/.test(seq) ? { seq, endsMs: fromRfc3339(jsonText(member(said, 'epochExpiryTime'))) } : null;
}

const historyIn = (answer: StatusAnswer): History | null =>
  answer.kind === 'answered' ? (judgeSegments(answer.reply) ?? null) : null;

/** From all answers; the least remaining budget is the newest. */
function rateOf(answers: readonly StatusAnswer[]): RateFacts {
  const rates = answers.flatMap(answer => (answer.kind === 'answered' ? [answer.reply.facts.rate] : []));
  const limits = rates.flatMap(({ limitPerSecond }) => limitPerSecond ?? []);
  const left = rates.flatMap(({ remaining }) => remaining ?? []);
  return {
    ...(limits[0] !== undefined && { limitPerSecond: limits[0] }),
    ...(left.length > 0 && { remaining: Math.min(...left) }),
  };
}

const jsonOf = (answer: StatusAnswer): Json | undefined => (answer.kind === 'answered' ? answer.reply.json : undefined);

const elapsedOf = (answer: StatusAnswer): number | null => (answer.kind === 'answered' ? answer.reply.elapsedMs : null);
