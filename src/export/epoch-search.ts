import type { Epoch } from './epoch.ts';

/** The epoch that holds a time, or the oldest one that is known to lie after it. */
export type EpochFound =
  | { readonly kind: 'found'; readonly epoch: Epoch }
  | { readonly kind: 'before'; readonly oldest: Epoch };

type Ask = (seq: number) => Promise<Epoch | undefined>;

/**
 * Finds the epoch that holds a time, from the current one backwards. Epochs are about equally long, so the next guess
 * is reckoned from the last answer; every third one halves what is left, which holds for any chain.
 */
export const epochAt = (timeMs: number, current: Epoch, ask: Ask): Promise<EpochFound> =>
  search(timeMs, ({ startMs, endMs, expiryMs }) => ({ start: startMs, end: endMs, length: expiryMs - startMs }), {
    current,
    ask,
  });

/** Finds the epoch that holds a block, in the same way. */
export const epochOf = (height: bigint, current: Epoch, ask: Ask): Promise<EpochFound> =>
  search(
    Number(height),
    ({ seq, firstBlock, lastBlock }) => {
      const start = Number(firstBlock);
      if (lastBlock !== undefined) return { start, end: Number(lastBlock) + 1, length: Number(lastBlock) + 1 - start };
      // It is open: those before it were as long on average.
      return { start, end: undefined, length: start / Math.max(1, seq - 1) };
    },
    { current, ask },
  );

/** Where an epoch begins and ends on a scale of times or of blocks; an open one has no end. */
interface Ends {
  readonly start: number;
  readonly end: number | undefined;
  readonly length: number;
}

interface Chain {
  readonly current: Epoch;
  readonly ask: Ask;
}

async function search(wanted: number, endsOf: (epoch: Epoch) => Ends, { current, ask }: Chain): Promise<EpochFound> {
  if (wanted >= endsOf(current).start) return { kind: 'found', epoch: current };
  const guessFrom = (epoch: Epoch): number => {
    const { start, length } = endsOf(epoch);
    return epoch.seq + Math.floor((wanted - start) / Math.max(1, length));
  };
  let [low, high] = [1, current.seq - 1];
  let oldest = current;
  let guess = guessFrom(current);
  for (let asked = 1; low <= high; asked++) {
    const seq = asked % 3 === 0 ? Math.floor((low + high) / 2) : Math.min(high, Math.max(low, guess));
    const epoch = await ask(seq);
    if (epoch === undefined) {
      // Nodes that keep little history know no old epochs.
      low = seq + 1;
      guess = Math.floor((low + high) / 2);
      continue;
    }
    const { start, end } = endsOf(epoch);
    if (wanted < start) {
      high = seq - 1;
      if (start < endsOf(oldest).start) oldest = epoch;
    } else if (end === undefined || wanted < end) return { kind: 'found', epoch };
    else low = seq + 1;
    guess = guessFrom(epoch);
  }
  return { kind: 'before', oldest };
}
