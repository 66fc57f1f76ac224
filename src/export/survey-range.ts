import { NodeError } from '../api/errors.ts';
import { type Asker, askEpoch, type Epoch } from './epoch.ts';
import { epochOf } from './epoch-search.ts';

/** What is known of the times and epochs of a range, or why nothing is. */
export type Survey =
  | {
      readonly kind: 'known';
      readonly from: RangeEnd;
      readonly to: RangeEnd;
      /** Number of the epoch that is open. */
      readonly newest: number;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Where a block lies: in which epoch, and at about which time. */
export interface RangeEnd {
  readonly seq: number;
  /** Whether the epoch begins with this block, or ends with it. */
  readonly isEdge: boolean;
  readonly timeMs: number;
}

/** An export waits for this so long, and no longer. */
const LONGEST_MS = 4000;

/** Asks where the two ends of a range lie, in a few small requests; resolves whatever the node does. */
export async function surveyRange(
  asker: Asker,
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
  signal: AbortSignal,
): Promise<Survey> {
  const late = AbortSignal.timeout(LONGEST_MS);
  const both = AbortSignal.any([signal, late]);
  try {
    const answer = await askEpoch(asker, undefined, both);
    if (answer.kind !== 'epoch') return unknown('this node tells no epochs');
    const known = new Map<number, Epoch>();
    const ask = async (seq: number): Promise<Epoch | undefined> => {
      const kept = known.get(seq);
      if (kept !== undefined) return kept;
      const asked = await askEpoch(asker, String(seq), both);
      if (asked.kind !== 'epoch') return undefined;
      known.set(seq, asked.epoch);
      return asked.epoch;
    };
    const current = answer.epoch;
    const headMs = answer.head?.timeMs ?? current.startMs;
    const last = await epochOf(toBlock, current, ask);
    const first = await epochOf(fromBlock, current, ask);
    if (first.kind === 'before' || last.kind === 'before')
      return unknown(`the oldest epoch that this node knows begins with block ${oldestOf(first, last)}`);
    return {
      kind: 'known',
      newest: current.seq,
      from: {
        seq: first.epoch.seq,
        isEdge: first.epoch.firstBlock === fromBlock,
        timeMs: timeOf(fromBlock, first.epoch, { headMs, head: answer.head?.height }),
      },
      to: {
        seq: last.epoch.seq,
        isEdge: last.epoch.lastBlock === toBlock,
        timeMs: timeOf(toBlock, last.epoch, { headMs, head: answer.head?.height }),
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return unknown(`the node did not tell within ${LONGEST_MS / 1000} s`);
    if (error instanceof NodeError) return unknown(error.message);
    throw error;
  }
}

const unknown = (reason: string): Survey => ({ kind: 'unknown', reason });

type Found = Awaited<ReturnType<typeof epochOf>>;

const oldestOf = (...found: readonly Found[]): string =>
  found.flatMap(one => (one.kind === 'before' ? [String(one.oldest.firstBlock)] : []))[0] ?? '';

/** Reckoned between the ends of its epoch, or of what there is of an open one. */
function timeOf(
  height: bigint,
  { startMs, endMs, firstBlock, lastBlock }: Epoch,
  { headMs, head }: { readonly headMs: number; readonly head: bigint | undefined },
): number {
  const blocks = Number((lastBlock ?? head ?? firstBlock) - firstBlock);
  if (blocks <= 0) return startMs;
  const share = Math.min(1, Number(height - firstBlock) / blocks);
  return startMs + Math.round(share * Math.max(0, (endMs ?? headMs) - startMs));
}
