import { setImmediate as nextTurn } from 'node:timers/promises';

/** A key that comes meanwhile waits no longer than this, and for the one step that was begun. */
const SLICE_MS = 2;

/** Told no more often than this: a frame for each slice would take longer than the slice. */
const TOLD_EVERY_MS = 250;

interface Slicing<Step> {
  readonly signal: AbortSignal;
  /** Told how far it is, now and then. */
  readonly onProgress?: (step: Step) => void;
}

/** Gives everything else its turn where a slice of the work since the last one is over; rejects when the work is not wanted any more. */
export function takeTurns(signal: AbortSignal): () => Promise<void> | undefined {
  let startedMs = performance.now();
  return () => (performance.now() - startedMs < SLICE_MS ? undefined : turn());

  async function turn(): Promise<void> {
    await nextTurn();
    signal.throwIfAborted();
    startedMs = performance.now();
  }
}

/** Does work that can be left after each of its steps, in slices with everything else in between. */
export async function inSlices<Step, Result>(
  work: Generator<Step, Result>,
  { signal, onProgress }: Slicing<Step>,
): Promise<Result> {
  let toldMs = performance.now();
  for (;;) {
    // What has led here has taken its time already.
    await nextTurn();
    signal.throwIfAborted();
    const startedMs = performance.now();
    let step = work.next();
    while (step.done !== true && performance.now() - startedMs < SLICE_MS) step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - toldMs >= TOLD_EVERY_MS) {
      toldMs = performance.now();
      onProgress?.(step.value);
    }
  }
}
