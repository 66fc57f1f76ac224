import { setTimeout as wait } from 'node:timers/promises';

/** Waits, though no longer than somebody is there to be answered. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await wait(waitMs, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
