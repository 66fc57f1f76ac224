import { SlowError } from './objects-error.ts';

/** An answer that is still being waited for. */
export interface Waited {
  readonly host: string;
  /** From 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** Time until this attempt is given up. */
  readonly leftMs: number;
}

/** Null means the wait is over. */
export type OnWait = (waited: Waited | null) => void;

/** Bytes per second. Anything slower counts as stalled. */
export const SLOWEST = 16 * 1024;

interface BodyOptions extends Omit<Waited, 'leftMs'> {
  readonly options: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly onWait: OnWait };
}

/** Yields a body as it arrives. Throws SlowError when the store sends nothing, or only a byte now and then. */
export async function* timedBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { options: { signal, timeoutMs, onWait }, ...request }: BodyOptions,
): AsyncGenerator<Uint8Array> {
  const beganMs = performance.now();
  let bytes = 0;
  try {
    for (;;) {
      const leftMs = timeoutMs + (bytes / SLOWEST) * 1000 - (performance.now() - beganMs);
      const mostMs = Math.min(timeoutMs, leftMs);
      if (leftMs <= 0) throw new SlowError(timeoutMs, 'it sends too slowly');
      const { done, value } = await reportingWait(inTime(reader.read(), mostMs), { ...request, mostMs }, onWait);
      signal.throwIfAborted();
      if (done) return;
      bytes += value.length;
      yield value;
    }
  } finally {
    // Closes the connection when the caller stops before the end.
    await reader.cancel().catch(() => {});
  }
}

async function inTime<T>(next: Promise<T>, mostMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SlowError(mostMs)), mostMs);
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const REPORT_EVERY_MS = 1000;

/** Resolves with the result of `work`. Until then it reports the wait once a second, and null at the end. */
export async function reportingWait<T>(
  work: Promise<T>,
  { mostMs, ...request }: Omit<Waited, 'leftMs'> & { readonly mostMs: number },
  onWait: OnWait,
): Promise<T> {
  const beganMs = performance.now();
  let isReported = false;
  const timer = setInterval(() => {
    isReported = true;
    onWait({ ...request, leftMs: Math.max(0, mostMs - (performance.now() - beganMs)) });
  }, REPORT_EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (isReported) onWait(null);
  }
}
