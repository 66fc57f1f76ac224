import { jsonText, member } from '../api/json.ts';
import { fromRfc3339 } from '../api/node-values.ts';
import { epochNumber } from '../insight/paid-fees.ts';
import type { Answers } from './answers.ts';

/**
 * The number of the epoch that has begun since the provisions were read; null if none has, by the core. Both are times of
 * the chain where the node names its block: this machine's clock may be another.
 */
export function epochBegunSince({ provisions, statistics }: Answers): string | null {
  if (provisions.kind !== 'answered' || statistics.kind !== 'answered') return null;
  const said = member(statistics.value.json, 'statistics');
  const seq = epochNumber(jsonText(member(said, 'epochSeq')));
  const [startMs, coreMs] = ['epochStartTime', 'vegaTime'].map(name => fromRfc3339(jsonText(member(said, name))));
  if (seq === undefined || startMs == null) return null;
  const { blockTimeMs } = provisions.value;
  const readMs = blockTimeMs ?? provisions.atMs;
  const nowMs = blockTimeMs === null ? statistics.atMs : (coreMs ?? statistics.atMs);
  return readMs < startMs && startMs <= nowMs ? String(seq) : null;
}
