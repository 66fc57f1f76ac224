import { SlowError } from './line-error.ts';
import { type Manner, SLOWEST } from './sender.ts';
import { toldMeanwhile, type Waited } from './waited.ts';

interface BodyManner extends Omit<Waited, 'leftMs'> {
  readonly manner: Pick<Manner, 'signal' | 'timeoutMs' | 'onWait'>;
}

/**
 * What comes of a body, which has to go on: a store that sends nothing, or a byte now and then, is not waited for. Throws
 * SlowError.
 */
export async function* timedBody(
  body: ReadableStream<Uint8Array>,
  { manner: { signal, timeoutMs, onWait }, ...asked }: BodyManner,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const beganMs = performance.now();
  let bytes = 0;
  try {
    for (;;) {
      const leftMs = timeoutMs + (bytes / SLOWEST) * 1000 - (performance.now() - beganMs);
      const mostMs = Math.min(timeoutMs, leftMs);
      if (leftMs <= 0) throw new SlowError(timeoutMs, 'it sends too slowly');
      const { done, value } = await toldMeanwhile(inTime(reader.read(), mostMs), { ...asked, mostMs }, onWait);
      signal.throwIfAborted();
      if (done) return;
      bytes += value.length;
      yield value;
    }
  } finally {
    // Of one that was left nobody reads the rest.
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
