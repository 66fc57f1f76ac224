import type { Context } from '../context.ts';
import { type Flag, type ParsedFlags, timeoutFlag } from '../flags.ts';
import { UsageError } from '../usage-error.ts';

interface WorkBounds {
  /** Limit of the engine; its process may use some more. */
  readonly memoryMiB: number;
  readonly seconds: number;
}

export const BOUND_FLAGS: readonly Flag[] = [
  {
    name: 'memory',
    kind: 'number',
    group: 'Limits',
    least: 64,
    most: 1_048_576,
    value: 'MIB',
    about: 'memory limit of the engine (512)',
  },
  timeoutFlag('time limit (300)', 'Limits'),
];

/** Throws UsageError for an invalid or out-of-range number. */
export const readWorkBounds = (given: ParsedFlags): WorkBounds => ({
  memoryMiB: given.number('memory') ?? 512,
  seconds: given.number('timeout') ?? 300,
});

/** What limited work gets. Its time counts from `begin`. */
export interface BoundedWork extends Pick<Stopwatch, 'begin' | 'elsewhere'> {
  readonly signal: AbortSignal;
}

interface BoundsContext extends Pick<Context, 'signal'> {
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

/** Limits how long the work may take: then its signal aborts, which ends the engine. */
export async function runWithinBounds<T>(
  bounds: Pick<WorkBounds, 'seconds'>,
  { signal, nowMs = () => performance.now() }: BoundsContext,
  work: (bounded: BoundedWork) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const clock = stopwatch(nowMs);
  const timer = setInterval(() => {
    if (clock.elapsedMs() > bounds.seconds * 1000) late.abort(timeoutError(bounds));
  }, TIME_CHECK_MS);
  try {
    return await work({ signal: AbortSignal.any([signal, late.signal]), ...clock });
  } finally {
    clearInterval(timer);
  }
}

const TIME_CHECK_MS = 20;

const timeoutError = ({ seconds }: Pick<WorkBounds, 'seconds'>): UsageError =>
  new UsageError(`no answer after ${seconds} s`, ['ask for less, or allow more time with --timeout']);

/** Time spent working, without the time spent waiting for others. */
interface Stopwatch {
  /** Starts counting. */
  readonly begin: () => void;
  readonly elapsedMs: () => number;
  /** Waits without counting the time. */
  readonly elsewhere: <T>(waiting: Promise<T>) => Promise<T>;
}

export function stopwatch(nowMs: () => number): Stopwatch {
  let countedMs = 0;
  let sinceMs: number | undefined;
  const begin = (): void => {
    sinceMs = nowMs();
  };
  const elapsedMs = (): number => countedMs + (sinceMs === undefined ? 0 : nowMs() - sinceMs);
  const elsewhere = async <T>(waiting: Promise<T>): Promise<T> => {
    countedMs = elapsedMs();
    sinceMs = undefined;
    try {
      return await waiting;
    } finally {
      begin();
    }
  };
  return { begin, elapsedMs, elsewhere };
}
