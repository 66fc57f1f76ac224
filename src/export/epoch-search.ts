import type { Epoch } from './epoch.ts';

/** The epoch that holds a time, or the oldest one that is known to lie after it. */
export type EpochFound =
  | { readonly kind: 'found'; readonly epoch: Epoch }
  | { readonly kind: 'before'; readonly oldest: Epoch };

/**
 * Finds the epoch that holds a time, from the current one backwards. Epochs are about equally long, so the next guess
 * is reckoned from the last answer; every third one halves what is left, which holds for any chain.
 */
export async function epochAt(
  timeMs: number,
  current: Epoch,
  ask: (seq: number) => Promise<Epoch | undefined>,
): Promise<EpochFound> {
  if (timeMs >= current.startMs) return { kind: 'found', epoch: current };
  let [low, high] = [1, current.seq - 1];
  let oldest = current;
  let guess = guessFrom(current, timeMs);
  for (let asked = 1; low <= high; asked++) {
    const seq = asked % 3 === 0 ? Math.floor((low + high) / 2) : Math.min(high, Math.max(low, guess));
    const epoch = await ask(seq);
    if (epoch === undefined) {
      // Nodes that keep little history know no old epochs.
      low = seq + 1;
      guess = Math.floor((low + high) / 2);
      continue;
    }
    if (timeMs < epoch.startMs) {
      high = seq - 1;
      if (epoch.startMs < oldest.startMs) oldest = epoch;
    } else if (epoch.endMs === undefined || timeMs < epoch.endMs) return { kind: 'found', epoch };
    else low = seq + 1;
    guess = guessFrom(epoch, timeMs);
  }
  return { kind: 'before', oldest };
}

function guessFrom({ seq, startMs, expiryMs }: Epoch, timeMs: number): number {
  const lengthMs = Math.max(1000, expiryMs - startMs);
  return seq + Math.floor((timeMs - startMs) / lengthMs);
}
