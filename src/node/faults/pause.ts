import { setTimeout as wait } from 'node:timers/promises';

/** Waits, but no longer than the client stays connected. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await wait(waitMs, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
