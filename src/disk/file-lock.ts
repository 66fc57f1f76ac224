import { writeFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, readOrdinaryFile } from './ordinary-file.ts';
import { isProcessThere } from './process-there.ts';

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
      // Who has it stands in it from the moment that it is there, as nearly as can be.
      writeFileSync(lock, `${hostname()} ${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isLeft(lock)) await rm(lock, { force: true });
    else if (waitedMs > LONGEST_WAIT_MS) throw new Error('another blockglass is writing it');
    else await wait(LOOK_AGAIN_MS);
  }
}

/** Whoever was killed at it holds up nobody: not on this machine, and elsewhere not for long. */
async function isLeft(lock: string): Promise<boolean> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  if (Math.abs(Date.now() - mtimeMs) > STALE_MS) return true;
  const [host, processId] = holder(lock);
  return host === hostname() && /^[1-9]\d{0,9}$/.test(processId) && !isProcessThere(Number(processId));
}

function holder(lock: string): readonly [host: string, processId: string] {
  try {
    const [host = '', processId = ''] = (readOrdinaryFile(lock, MOST_BYTES) ?? '').trim().split(' ');
    return [host, processId];
  } catch {
    return ['', ''];
  }
}

const MOST_BYTES = 1024;
const LOOK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 500;
const STALE_MS = 5000;
