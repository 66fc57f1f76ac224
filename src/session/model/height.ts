import type { ReplyFacts } from '../../api/reply.ts';
import type { NodeHeight } from './state.ts';

/** The newest block that the headers of an answer tell; undefined when they tell none. */
export function heightIn({ blockHeight, blockTimeNs }: ReplyFacts, atMs: number): NodeHeight | undefined {
  if (blockHeight === undefined) return undefined;
  const ageMs = blockTimeNs === undefined ? null : atMs - Number(BigInt(blockTimeNs) / 1_000_000n);
  return { block: blockHeight, ageMs, readAtMs: atMs };
}
