import { shortenName } from '../../base/text/shorten-name.ts';
import { minuteText } from '../../base/text/time.ts';
import type { CoreStatus } from '../../chain/api/core-status.ts';
import { shortErrorSentence } from '../../chain/api/errors.ts';
import type { RateHeaders } from '../../chain/api/rate-budget.ts';
import { blockAge, type NewestBlock } from '../../chain/directory/chain-state.ts';
import { blocksBehindText } from '../../chain/insight/count-of.ts';
import type { Lag, LagLimit } from '../../chain/insight/node-lag.ts';
import type { Range } from '../../chain/insight/range.ts';
import { type History, historyLag, segmentNotes } from '../../chain/range/segment-history.ts';
import { describeEpoch, epochFact } from '../overview/facts/epoch.ts';
import { createFact, type Fact, isoText, notKnownText, numberText, unknownFact } from '../overview/facts/fact.ts';
import { describeStoredHistory, historyText } from '../overview/facts/history.ts';
import { blockAgeText, coreDistanceText } from '../overview/facts/node.ts';
import { isPartNotServed, type NodeStatus } from './node-status.ts';
import { isCoreUnreachable } from './problems.ts';
import { isBusy, type StatusAnswer, type StatusAnswers } from './request-answers.ts';

interface KnownNode {
  readonly answers: StatusAnswers;
  readonly status: NodeStatus;
  readonly lag: Lag;
  readonly limit: LagLimit;
  /** Blocks behind the best of the nodes that are compared; null if it is the only one on its chain. */
  readonly behindBest: bigint | null;
}

/** The facts about a node in `status`. Their JSON members, which are stable, are those of the node. */
export function statusFacts(known: KnownNode, nowMs: number): readonly Fact[] {
  const { answers, status, lag, limit, behindBest } = known;
  const { version, chainId, block, core, epoch, history, rate, latencyMs } = status;
  const atMs = answeredAtMs(answers);
  const fact = (label: string, parts: readonly string[], json: () => object, why?: string): Fact => {
    const named = { id: label.toLowerCase(), label, lead: { kind: 'text' }, json } as const;
    if (parts.length === 0) return unknownFact(named, [why === undefined ? NOT_KNOWN : notKnownText(why)]);
    const source = { kind: 'read', value: parts, records: null, gap: '', atMs } as const;
    return createFact(source, named, () => ({ parts, line: parts.join('; ') }));
  };
  const described = describeEpoch(status, { atMs, limitMs: limit.ms, isLast: lag.kind === 'archive' });
  const historyOrNull = () => ({ history: history && historyJson(history) });
  return [
    fact('Version', [versionText(status)], () => ({ version })),
    fact('Chain', chainId === null ? [] : [shortenName(chainId)], () => ({ chainId })),
    fact('Block', blockParts(known), () => blockJson(block, behindBest)),
    fact('Core', coreParts(known), () => ({ core: core && coreJson(core) }), reasonUnknown(answers.statistics)),
    epochFact(described, { nowMs }, () => ({
      epoch: epoch && { seq: String(epoch.seq), endTime: isoText(epoch.endsMs) },
    })),
    fact('History', historyParts(status), historyOrNull, reasonUnknown(answers.segments)),
    fact('Rate limit', rateParts(rate), () => ({
      rateLimit: { perSecond: rate.limitPerSecond ?? null, remaining: rate.remaining ?? null },
    })),
    fact('Latency', latencyMs === null ? [] : [`${Math.round(latencyMs)} ms`], () => ({ latencyMs })),
  ];
}

const NOT_KNOWN = 'not known';

/** When the first answer came; 0 if none did. */
function answeredAtMs(answers: StatusAnswers): number {
  const times = Object.values(answers).flatMap((answer: StatusAnswer | null) =>
    answer?.kind === 'answered' ? [answer.atMs] : [],
  );
  return times.length === 0 ? 0 : Math.min(...times);
}

/** Why a part is not known; undefined when it was answered. */
function reasonUnknown(answer: StatusAnswer): string | undefined {
  if (answer.kind === 'answered') return undefined;
  if (isPartNotServed(answer)) return 'the node does not serve it';
  return isBusy(answer) ? 'the node is busy' : shortErrorSentence(answer.error);
}

function versionText({ version, core }: NodeStatus): string {
  const name = (text: string | null): string => (text === null ? NOT_KNOWN : shortenName(text));
  return [`data node ${name(version)}`, ...(core === null ? [] : [`core ${name(core.version)}`])].join(', ');
}

function blockParts({ status: { block, core }, behindBest, lag }: KnownNode): readonly string[] {
  const ageMs = blockAge(block);
  const age = ageMs === null ? 'time not known' : blockAgeText(ageMs);
  const time = lag.kind === 'archive' && block.timeMs !== null ? minuteText(block.timeMs) : age;
  return [
    `${block.height ?? 'height not known'}, ${time}`,
    ...(core === null || core.behindBlocks === null ? [] : [coreDistanceText(core)]),
    ...(behindBest === null
      ? []
      : [behindBest === 0n ? 'none of these nodes is ahead' : blocksBehindText(behindBest, 'the best of these nodes')]),
  ];
}

const blockJson = (block: NewestBlock, behindBest: bigint | null) => ({
  blockHeight: numberText(block.height),
  blockTime: isoText(block.timeMs),
  lagSeconds: seconds(blockAge(block)),
  behindBestBlocks: numberText(behindBest),
});

function coreParts({ status: { core }, lag, answers }: KnownNode): readonly string[] {
  if (core === null) return lag.kind === 'archive' && isCoreUnreachable(answers) ? ['none'] : [];
  const { height, state } = core;
  return [
    height === null ? 'block not known' : `block ${height}`,
    ...(state === null || state === 'connected' ? [] : [`WARNING: it reports "${state}", not "connected"`]),
  ];
}

const coreJson = ({ version, state, height, timeMs, behindBlocks, behindMs }: CoreStatus) => ({
  ...{ version, state },
  blockHeight: numberText(height),
  blockTime: isoText(timeMs),
  behindBlocks: numberText(behindBlocks),
  behindSeconds: seconds(behindMs),
});

/** Broken links are among the problems. */
function historyParts(status: NodeStatus): readonly string[] {
  const { history } = status;
  if (history === null) return [];
  const lag = historyLag(history);
  const notes = segmentNotes(history).flatMap(({ label, text }) =>
    label === 'history' || label === 'links' ? [] : `${label}: ${text}`,
  );
  return [historyText(describeStoredHistory(history, status)), ...(lag === '' ? [] : [lag]), ...notes];
}

const historyJson = ({ spans, gaps, overlaps, breaks, chains, unreadable }: History) => ({
  spans: spans.map(span => ({ ...rangeJson(span), segments: span.segments.length })),
  gaps: gaps.map(rangeJson),
  overlaps: overlaps.map(rangeJson),
  breaks: breaks.map(({ at, reason }) => ({ atBlock: String(at), reason })),
  chains,
  unreadableSegments: unreadable,
});

const rangeJson = ({ from, to }: Range) => ({ fromBlock: String(from), toBlock: String(to) });

function rateParts({ limitPerSecond, remaining }: RateHeaders): readonly string[] {
  const limit = limitPerSecond === undefined ? [] : [`${limitPerSecond} requests/s`];
  const left = remaining === undefined ? [] : [`${remaining} left, shared by all its users`];
  return limit.length + left.length === 0 ? [] : [[...limit, ...left].join(', ')];
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
