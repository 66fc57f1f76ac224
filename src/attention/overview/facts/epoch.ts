import { shortDuration } from '../../../base/text/duration.ts';
import { DAY_MS, minuteText } from '../../../base/text/time.ts';
import type { ChainState } from '../../../chain/directory/chain-state.ts';
import type { Loading } from '../../rules/rule-input.ts';
import { answeredChainState, type OverviewAnswers } from '../answers.ts';
import { hasChainEnded, type OverviewSettings } from '../collect-rule-input.ts';
import {
  createFact,
  type Fact,
  type FactContext,
  type FactLead,
  isoText,
  type KnownPhrases,
  partJson,
} from './fact.ts';

export interface EpochFacts {
  readonly seq: string;
  /** The chain has ended in it. */
  readonly isLast: boolean;
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** The part that has passed, 0 to 1; null without all three times, and once it is over. */
  readonly progress: number | null;
  /** Time until it is due to end, by the chain's clock while the chain is live; negative if overdue. */
  readonly leftMs: number | null;
}

/** How far a clock of a chain may be ahead of this one. */
const MAX_AHEAD_MS = 3_600_000;

/** The newest epoch, by the core or without it. */
export function epochFacts(answers: OverviewAnswers, settings: Pick<OverviewSettings, 'limit'>): Loading<EpochFacts> {
  const { statistics, epoch: asked } = answers;
  const source = statistics.kind === 'failed' && asked.kind !== 'failed' ? asked : statistics;
  if (source.kind === 'waiting') return source;
  if (source.kind === 'failed') return { kind: 'unread', why: source.why };
  const { atMs } = source;
  const limitMs = settings.limit.ms;
  return describeEpoch(answeredChainState(answers), { atMs, limitMs, isLast: hasChainEnded(answers, settings) });
}

interface EpochSource {
  /** When it was reported, Unix milliseconds. */
  readonly atMs: number;
  /** A chain whose clock is further behind stands still. */
  readonly limitMs: number;
  readonly isLast: boolean;
}

/** The newest epoch of a chain in this state. */
export function describeEpoch(
  { epoch, core, block }: Pick<ChainState, 'epoch' | 'core' | 'block'>,
  { atMs, limitMs, isLast }: EpochSource,
): Loading<EpochFacts> {
  if (epoch === null) return { kind: 'unread', why: 'the node does not report the current epoch' };
  const { seq, startMs, endsMs } = epoch;
  const chainMs = core === null ? block.timeMs : core.timeMs;
  // Times that contradict each other or this clock are ignored.
  const isOrdered = startMs === null || endsMs === null || endsMs > startMs;
  const byChainMs = isOrdered && chainMs !== null && chainMs < atMs + MAX_AHEAD_MS ? chainMs : null;
  // The clock of a chain that stands still stands still too.
  const isLate = byChainMs !== null && atMs - byChainMs > limitMs && !isLast;
  const nowMs = isLate ? atMs : byChainMs;
  const isOver = isLast || (isLate && endsMs !== null && atMs > endsMs);
  const isWhole = startMs !== null && endsMs !== null && nowMs !== null && startMs <= nowMs && !isOver;
  return {
    ...{ kind: 'read', records: null, gap: '', atMs },
    value: {
      ...{ seq: String(seq), startMs, endMs: endsMs, isLast },
      progress: isWhole ? Math.min(1, Math.max(0, (nowMs - startMs) / (endsMs - startMs))) : null,
      leftMs: endsMs === null || nowMs === null ? null : endsMs - nowMs,
    },
  };
}

export const epochFact = (
  epoch: Loading<EpochFacts>,
  { nowMs }: FactContext,
  json: () => object = () => partJson(epoch, epochJson),
): Fact =>
  createFact(epoch, { id: 'epoch', label: 'Epoch', lead: EPOCH_LENGTH_LEAD, json }, facts =>
    epochPhrases(facts, epoch.kind === 'read' ? nowMs - epoch.atMs : 0),
  );

/** The parameter for the length of an epoch. */
const EPOCH_LENGTH_LEAD: FactLead = { kind: 'record', resource: 'parameters', key: 'validators.epoch.length' };

function epochPhrases(facts: EpochFacts, answeredBeforeMs: number): KnownPhrases {
  const { seq, progress, startMs, endMs, isLast } = facts;
  // The clock of a chain that has ended stands still.
  const sinceMs = isLast ? 0 : answeredBeforeMs;
  const steady = endMs === null ? seq : `${seq}, due to end at ${new Date(endMs).toISOString().slice(11, 16)} UTC`;
  const end = endText(facts, sinceMs);
  if (progress === null || startMs === null || endMs === null) return { parts: [seq, end], steady };
  const passed = Math.min(1, progress + sinceMs / (endMs - startMs));
  return { parts: [seq, end, `${Math.floor(passed * 100)} % done`], progress: passed, steady };
}

/** When the epoch ends, so long after the chain's clock was read. */
function endText({ startMs, endMs, leftMs, isLast }: EpochFacts, sinceMs: number): string {
  if (isLast) return startMs === null ? 'the last' : `the last, begun ${minuteText(startMs)}`;
  if (leftMs === null) return 'end not known';
  const nowLeftMs = leftMs - sinceMs;
  const time = endMs === null ? '' : minuteText(endMs);
  // Within a day, the time is enough to identify the day.
  const at = time === '' ? '' : ` (${Math.abs(nowLeftMs) < DAY_MS ? time.slice('2026-10-01 '.length) : time})`;
  if (nowLeftMs > 0) return `ends in ${shortDuration(nowLeftMs)}${at}`;
  // Whether it did is not known before the node is asked again.
  return `${leftMs > 0 ? 'was to end' : 'should have ended'} ${shortDuration(-nowLeftMs)} ago${at}`;
}

const epochJson = ({ seq, startMs, endMs, progress }: EpochFacts) => ({
  seq,
  startTime: isoText(startMs),
  endTime: isoText(endMs),
  progress: progress === null ? null : Math.round(progress * 1000) / 1000,
});
