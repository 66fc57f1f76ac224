import { answeredChainState, type OverviewAnswers } from './answers.ts';

/**
 * The number of the epoch that has begun since the provisions were read; null if none has, by the core. Both are times of
 * the chain if the node reports its block: this machine's clock may differ.
 */
export function epochSinceProvisions(answers: OverviewAnswers): string | null {
  const { provisions, statistics } = answers;
  if (provisions.kind !== 'answered' || statistics.kind !== 'answered') return null;
  const { epoch, core } = answeredChainState(answers);
  if (epoch === null || epoch.startMs === null) return null;
  const { seq, startMs } = epoch;
  const { blockTimeMs } = provisions.value;
  const readMs = blockTimeMs ?? provisions.atMs;
  const nowMs = blockTimeMs === null ? statistics.atMs : (core?.timeMs ?? statistics.atMs);
  return readMs < startMs && startMs <= nowMs ? String(seq) : null;
}
