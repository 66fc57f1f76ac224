import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Flag, Given } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { type Stopwatch, stopwatch } from './stopwatch.ts';

interface WorkBounds {
  /** Of the engine; the process may have so much, and some more, on top of what it had. */
  readonly memoryMiB: number;
  readonly seconds: number;
}

export const BOUND_FLAGS: readonly Flag[] = [
  { name: 'memory', kind: 'number', value: 'MIB', about: 'most memory of the engine (512)' },
  { name: 'timeout', kind: 'number', value: 'SECONDS', about: 'longest time at work (300)' },
];

/** Throws UsageError for what is no number, or one that is out of reach. */
export const boundsFrom = (given: Given): WorkBounds => ({
  memoryMiB: given.number('memory', 64, 1_048_576) ?? 512,
  seconds: given.number('timeout', 1, 86_400) ?? 300,
});

/** What work within bounds has. Its time counts from the beginning that it tells. */
export interface Bounded extends Pick<Stopwatch, 'begin' | 'elsewhere'> {
  readonly signal: AbortSignal;
}

interface Surroundings extends Pick<Context, 'signal' | 'abandon'> {
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

/**
 * Does something that an engine may take any time and memory for, whatever that engine was told: texts and lists that
 * an expression makes are not in its own account. What does not end soon after it was told to is left behind.
 */
export async function withinBounds<T>(
  bounds: WorkBounds,
  { signal, abandon, nowMs = () => performance.now() }: Surroundings,
  work: (bounded: Bounded) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const clock = stopwatch(nowMs);
  const mostBytes = process.memoryUsage.rss() + (bounds.memoryMiB + SLACK_MIB) * MIB;
  let graceMs = GRACE_MS;
  const look = (): void => {
    if (process.memoryUsage.rss() > mostBytes) {
      // What is not ended now takes more with every moment.
      graceMs = SHORT_GRACE_MS;
      stop.abort(tooMuchMemory(bounds));
    } else if (clock.elapsedMs() > bounds.seconds * 1000) stop.abort(tooLong(bounds));
  };
  const onAbort = (): void => stop.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setInterval(look, LOOK_MS);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => {});
  const leave = async (): Promise<void> => {
    await wait(graceMs);
    abandon();
    reject(stop.signal.reason);
  };
  stop.signal.addEventListener('abort', () => void leave(), { once: true });
  try {
    return await Promise.race([work({ signal: stop.signal, ...clock }), stopped]);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** An expression makes a gigabyte of text in a second. */
const LOOK_MS = 10;

/** Longer than a private folder takes to be removed, and shorter than a command has to end. */
const GRACE_MS = 300;
const SHORT_GRACE_MS = 80;

/** Rows on their way out, and what an engine takes for its files. */
const SLACK_MIB = 512;
const MIB = 1024 * 1024;

const tooMuchMemory = ({ memoryMiB }: WorkBounds): UsageError =>
  new UsageError(`the question needs more memory than it may have (${memoryMiB} MiB)`, [
    'ask for fewer columns or groups, or give it more with --memory',
  ]);

const tooLong = ({ seconds }: WorkBounds): UsageError =>
  new UsageError(`the question is not done after ${seconds} s`, ['ask for less, or give it longer with --timeout']);
