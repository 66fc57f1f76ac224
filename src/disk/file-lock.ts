import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from './ordinary-file.ts';

/**
 * Does something to a file while no other process does it under the same lock, which is a file beside it. Throws where
 * the lock cannot be had within half a second.
 */
export async function withLock<T>(path: string, act: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await take(lock);
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    try {
      await using _ = await open(lock, 'wx', 0o600);
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    // One that was killed at it holds up nobody for ever.
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    if (Math.abs(Date.now() - mtimeMs) > STALE_MS) await rm(lock, { force: true });
    else if (waitedMs > LONGEST_WAIT_MS) throw new Error('another blockglass is writing it');
    else await wait(LOOK_AGAIN_MS);
  }
}

const LOOK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 500;
const STALE_MS = 5000;
