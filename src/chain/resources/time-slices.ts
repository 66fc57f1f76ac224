import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest a key press waits, apart from the step that has begun. */
const SLICE_MS = 2;

/** Progress is reported no more often, since a frame takes longer than a slice. */
const REPORT_EVERY_MS = 250;

interface Slicing<Step> {
  readonly signal: AbortSignal;
  /** Called now and then with the last step. */
  readonly onProgress?: (step: Step) => void;
}

/** Yields to the event loop after each slice of work; rejects when the signal is aborted. */
export function createYielder(signal: AbortSignal): () => Promise<void> | undefined {
  let startedMs = performance.now();
  return () => (performance.now() - startedMs < SLICE_MS ? undefined : turn());

  async function turn(): Promise<void> {
    await nextTurn();
    signal.throwIfAborted();
    startedMs = performance.now();
  }
}

/** Runs work that can pause after each step, in slices with the event loop in between. */
export async function runInSlices<Step, Result>(
  work: Generator<Step, Result>,
  { signal, onProgress }: Slicing<Step>,
): Promise<Result> {
  let reportedMs = performance.now();
  for (;;) {
    // The caller has used up its time already.
    await nextTurn();
    signal.throwIfAborted();
    const startedMs = performance.now();
    let step = work.next();
    while (step.done !== true && performance.now() - startedMs < SLICE_MS) step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - reportedMs >= REPORT_EVERY_MS) {
      reportedMs = performance.now();
      onProgress?.(step.value);
    }
  }
}
