import { isNotServed } from '../../chain/api/errors.ts';
import { isUnreachable, type OverviewAnswers } from './answers.ts';
import { epochSinceProvisions } from './epoch-since-provisions.ts';
import type { OverviewPart } from './request-overview.ts';

/**
 * The part to request next: the core every other time, and until it answers; else the provisions if an epoch has begun
 * since they were read; else a part left out for lack of requests, else the part requested longest ago. Parts that this
 * node does not serve, or that were not requested, are not changed.
 */
export function nextPart(answers: OverviewAnswers): OverviewPart {
  const { statistics } = answers;
  const coreAtMs = statistics.kind === 'waiting' ? 0 : statistics.atMs;
  const [oldest] = PARTS_BESIDES_CORE.flatMap(part => {
    const answer = answers[part];
    if (answer.kind === 'failed' && answer.isLeftOut === true) return [{ part, atMs: 0 }];
    const isOver = answer.kind === 'failed' && (answer.error === null || isNotServed(answer.error));
    return answer.kind === 'waiting' || isOver ? [] : [{ part, atMs: answer.atMs }];
  }).toSorted((one, other) => one.atMs - other.atMs);
  const isCoreDue = PARTS_BESIDES_CORE.some(part => {
    const answer = answers[part];
    return answer.kind !== 'waiting' && answer.atMs >= coreAtMs;
  });
  if (oldest === undefined || isCoreDue || isUnreachable(statistics)) return 'statistics';
  return epochSinceProvisions(answers) !== null && lastRequestedPart(answers) !== 'provisions'
    ? 'provisions'
    : oldest.part;
}

/** Where epochs are short, the provisions would leave no turn to others. */
function lastRequestedPart(answers: OverviewAnswers): OverviewPart | undefined {
  const atMs = (part: OverviewPart): number => (answers[part].kind === 'waiting' ? 0 : answers[part].atMs);
  return PARTS_BESIDES_CORE.toSorted((one, other) => atMs(other) - atMs(one))[0];
}

const PARTS_BESIDES_CORE = [
  ...(['fees', 'provisions', 'markets', 'validators', 'bundles', 'specs'] as const),
  ...(['arrivals', 'segments', 'epoch', 'marketFees', 'bonds', 'assets', 'own'] as const),
] satisfies readonly OverviewPart[];
