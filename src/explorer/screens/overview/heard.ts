import { type Answers, chainIn, type PartAnswer } from '../../../attention/overview/answers.ts';
import { coreOf } from '../../../chain/api/core-status.ts';
import { isNotServed, RateLimitedError, RefusedError } from '../../../chain/api/errors.ts';
import type { Message } from '../../core/screen.ts';
import { contactBy } from '../../services/node/contact.ts';
import type { HeardNode } from '../../services/node/node.ts';

/** What the new answers say of the node: the latest of them, and an answer before a failure of the same time. */
export function heardBy(before: Answers, after: Answers, parts: readonly PartAnswer<unknown>[]): readonly Message[] {
  const [latest] = parts
    .flatMap(part => (part.kind === 'waiting' || (part.kind === 'failed' && part.error === null) ? [] : [part]))
    .toSorted((one, other) => other.atMs - one.atMs || one.kind.localeCompare(other.kind));
  const blocked = parts.flatMap((part): readonly Message[] =>
    part.kind === 'failed' && part.error instanceof RateLimitedError
      ? [{ type: 'node-blocked', untilMs: part.error.retryAtMs, atMs: part.atMs }]
      : [],
  );
  if (latest === undefined) return blocked;
  if (latest.kind === 'failed') return [...contactBy(latest.error, latest.atMs), ...blocked];
  return [{ type: 'node-answered', heard: heardIn(before, after, latest.atMs) }, ...blocked];
}

function heardIn(before: Answers, after: Answers, atMs: number): HeardNode {
  const { statistics, block, doubts } = after;
  const { height, timeMs, atMs: readAtMs } = block;
  const isNew = statistics.kind === 'answered' && statistics !== before.statistics;
  const isCoreOut = statistics.kind === 'failed' && statistics.error instanceof RefusedError;
  const isNameless = statistics.kind === 'failed' && isNotServed(statistics.error);
  const { chainId } = chainIn(after);
  return {
    atMs,
    doubts,
    height:
      height === null || readAtMs === null
        ? null
        : { block: String(height), ageMs: timeMs === null ? null : readAtMs - timeMs, readAtMs },
    core: isNew
      ? { status: coreOf(statistics.value), atMs: statistics.atMs }
      : isCoreOut
        ? { status: null, atMs: statistics.atMs }
        : null,
    chainId: isNew ? (chainId ?? '') : (chainId ?? (isNameless ? '' : null)),
  };
}
