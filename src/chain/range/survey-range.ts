import { NodeError } from '../api/errors.ts';
import { type Epoch, fetchEpoch, findEpochOfBlock, type NodeRequester } from './epoch.ts';

/** Times and epochs of a range, or the reason why they are not known. */
export type Survey =
  | {
      readonly kind: 'known';
      readonly from: RangeEnd;
      readonly to: RangeEnd;
      /** Number of the current epoch. */
      readonly newest: number;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Epoch and estimated time of a block. */
interface RangeEnd {
  readonly seq: number;
  /** Whether the block is the first (or last) one of the epoch. */
  readonly isEdge: boolean;
  readonly timeMs: number;
}

/** An export waits at most this long. */
const MAX_WAIT_MS = 4000;

/** Finds times and epochs of a range with a few small requests. A NodeError or a slow node gives `unknown`. */
export async function surveyRange(
  asker: NodeRequester,
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
  signal: AbortSignal,
): Promise<Survey> {
  const late = AbortSignal.timeout(MAX_WAIT_MS);
  const both = AbortSignal.any([signal, late]);
  try {
    const answer = await fetchEpoch(asker, undefined, both);
    if (answer.kind !== 'epoch') return unknown('this node does not serve epochs');
    const known = new Map<number, Epoch>();
    const ask = async (seq: number): Promise<Epoch | undefined> => {
      const cached = known.get(seq);
      if (cached !== undefined) return cached;
      const asked = await fetchEpoch(asker, String(seq), both);
      if (asked.kind !== 'epoch') return undefined;
      known.set(seq, asked.epoch);
      return asked.epoch;
    };
    const current = answer.epoch;
    const headMs = answer.head?.timeMs ?? current.startMs;
    const last = await findEpochOfBlock(toBlock, current, ask);
    const first = await findEpochOfBlock(fromBlock, current, ask);
    if (first.kind === 'before' || last.kind === 'before')
      return unknown(`the oldest epoch that this node knows begins with block ${oldestKnownText(first, last)}`);
    return {
      kind: 'known',
      newest: current.seq,
      from: {
        seq: first.epoch.seq,
        isEdge: first.epoch.firstBlock === fromBlock,
        timeMs: estimateBlockTimeMs(fromBlock, first.epoch, { headMs, head: answer.head?.height }),
      },
      to: {
        seq: last.epoch.seq,
        isEdge: last.epoch.lastBlock === toBlock,
        timeMs: estimateBlockTimeMs(toBlock, last.epoch, { headMs, head: answer.head?.height }),
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return unknown(`no answer within ${MAX_WAIT_MS / 1000} s`);
    if (error instanceof NodeError) return unknown(error.message);
    throw error;
  }
}

const unknown = (reason: string): Survey => ({ kind: 'unknown', reason });

type FoundEpoch = Awaited<ReturnType<typeof findEpochOfBlock>>;

const oldestKnownText = (...found: readonly FoundEpoch[]): string =>
  found.flatMap(one => (one.kind === 'before' ? [String(one.oldest.firstBlock)] : []))[0] ?? '';

/** Estimates the time of a block (Unix milliseconds) within its epoch. */
function estimateBlockTimeMs(
  height: bigint,
  { startMs, endMs, firstBlock, lastBlock }: Epoch,
  { headMs, head }: { readonly headMs: number; readonly head: bigint | undefined },
): number {
  const blocks = Number((lastBlock ?? head ?? firstBlock) - firstBlock);
  if (blocks <= 0) return startMs;
  const share = Math.min(1, Number(height - firstBlock) / blocks);
  return startMs + Math.round(share * Math.max(0, (endMs ?? headMs) - startMs));
}
