import { NodeError } from '../api/errors.ts';
import type { EpochTimes } from '../directory/export-range.ts';
import type { Bound } from '../insight/chain-point.ts';
import { type Epoch, epochTimes, fetchEpoch, findEpochOfBlock, type NodeRequester } from './epoch.ts';
import { epochMoment } from './range-end.ts';

/** The times of epochs, and why some in the range are not among them; null if all are, or the node serves none. */
export interface EpochsOfRange {
  readonly epochs: readonly EpochTimes[];
  readonly missing: string | null;
}

/** About a minute of requests, for three years of daily epochs. */
const MAX_EPOCH_REQUESTS = 600;

/**
 * The times of every epoch in a range of blocks, so that an export can be asked for any of them without a node. An epoch
 * ends when the next one begins, so every other one is asked, but none that ended in `saved`. Rejects only with the reason of
 * the signal.
 */
export async function fetchEpochsOfRange(
  asker: NodeRequester,
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
  signal: AbortSignal,
  saved: readonly EpochTimes[] = [],
): Promise<EpochsOfRange> {
  const known = new Map(saved.filter(({ end }) => end !== null).map(epoch => [Number(epoch.seq), epoch]));
  const ask = async (seq: number): Promise<Epoch | undefined> => {
    const answer = await fetchEpoch(asker, String(seq), signal);
    if (answer.kind !== 'epoch') return undefined;
    known.set(seq, epochTimes(answer.epoch));
    return answer.epoch;
  };
  let wanted: readonly number[] = [];
  const found = (): readonly EpochTimes[] => wanted.flatMap(seq => epochTimesIfKnown(seq, known) ?? []);
  try {
    const newest = await fetchEpoch(asker, undefined, signal);
    if (newest.kind !== 'epoch') return { epochs: [], missing: null };
    known.set(newest.epoch.seq, epochTimes(newest.epoch));
    const [last, first] = [
      await findEpochOfBlock(toBlock, newest.epoch, ask),
      await findEpochOfBlock(fromBlock, newest.epoch, ask),
    ];
    if (last.kind === 'before') return { epochs: [], missing: null };
    const [from, to] = [first.kind === 'before' ? first.oldest.seq : first.epoch.seq, last.epoch.seq];
    wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    let requests = 0;
    for (const seq of wanted) {
      if (epochTimesIfKnown(seq, known, seq < to) !== undefined) continue;
      if (++requests > MAX_EPOCH_REQUESTS) break;
      await ask(seq);
    }
    return {
      epochs: found(),
      missing: missingEpochsText(wanted, found(), 'they are too many, or the node does not know them'),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NodeError)) throw error;
    return { epochs: found(), missing: missingEpochsText(wanted, found(), error.message) };
  }
}

function missingEpochsText(wanted: readonly number[], { length }: readonly EpochTimes[], why: string): string | null {
  const missing = wanted.length - length;
  if (wanted.length > 0 && missing === 0) return null;
  return `answers from it need --node URL for ${wanted.length === 0 ? 'epochs' : `${missing} of its ${wanted.length} epochs`}: ${why}`;
}

/** The times of an epoch, from its own data or its neighbours; undefined if the next epoch may still give its end. */
function epochTimesIfKnown(
  seq: number,
  known: ReadonlyMap<number, EpochTimes>,
  isNextToCome = false,
): EpochTimes | undefined {
  const own = known.get(seq);
  if (own !== undefined) return own;
  const moment = (bound: Bound) => epochMoment(String(seq), bound, other => known.get(Number(other)));
  const [start, end] = [moment('from'), moment('to')];
  return start !== null && (isNextToCome || end !== null) ? { seq: String(seq), start, end } : undefined;
}
