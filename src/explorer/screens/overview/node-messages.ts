import { answeredChainState, type OverviewAnswers, type PartAnswer } from '../../../attention/overview/answers.ts';
import { readCoreStatus } from '../../../chain/api/core-status.ts';
import { isNotServed, RateLimitedError, RefusedError } from '../../../chain/api/errors.ts';
import type { Message } from '../../core/screen.ts';
import { contactEvents } from '../../services/node/contact.ts';
import type { NodeReport } from '../../services/node/node.ts';

/** Messages about the node from the new answers: from the latest one; at the same time, an answer precedes a failure. */
export function nodeMessages(
  before: OverviewAnswers,
  after: OverviewAnswers,
  parts: readonly PartAnswer<unknown>[],
): readonly Message[] {
  const [latest] = parts
    .flatMap(part => (part.kind === 'waiting' || (part.kind === 'failed' && part.error === null) ? [] : [part]))
    .toSorted((one, other) => other.atMs - one.atMs || one.kind.localeCompare(other.kind));
  const blocked = parts.flatMap((part): readonly Message[] =>
    part.kind === 'failed' && part.error instanceof RateLimitedError
      ? [{ type: 'node-blocked', untilMs: part.error.retryAtMs, atMs: part.atMs }]
      : [],
  );
  if (latest === undefined) return blocked;
  if (latest.kind === 'failed') return [...contactEvents(latest.error, latest.atMs), ...blocked];
  return [{ type: 'node-answered', heard: nodeReportFrom(before, after, latest.atMs) }, ...blocked];
}

function nodeReportFrom(before: OverviewAnswers, after: OverviewAnswers, atMs: number): NodeReport {
  const { statistics, block, doubts } = after;
  const { height, timeMs, atMs: readAtMs } = block;
  const isNew = statistics.kind === 'answered' && statistics !== before.statistics;
  const isCoreOut = statistics.kind === 'failed' && statistics.error instanceof RefusedError;
  const isNameless = statistics.kind === 'failed' && isNotServed(statistics.error);
  const { chainId } = answeredChainState(after);
  return {
    atMs,
    doubts,
    height:
      height === null || readAtMs === null
        ? null
        : { block: String(height), ageMs: timeMs === null ? null : readAtMs - timeMs, readAtMs },
    core: isNew
      ? { status: readCoreStatus(statistics.value), atMs: statistics.atMs }
      : isCoreOut
        ? { status: null, atMs: statistics.atMs }
        : null,
    chainId: isNew ? (chainId ?? '') : (chainId ?? (isNameless ? '' : null)),
  };
}
