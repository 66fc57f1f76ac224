import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, readOrdinaryFile } from './ordinary-file.ts';
import { isProcessThere, processStart } from './process-there.ts';

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
    if (created(lock)) return;
    if (await isLeft(lock)) await rm(lock, { force: true });
    else if (waitedMs > LONGEST_WAIT_MS) throw new Error('another blockglass is writing it');
    else await wait(LOOK_AGAIN_MS);
  }
}

/** False where it is taken. Who has it stands in it from the moment that it is there, as nearly as can be. */
function created(lock: string): boolean {
  try {
    const file = openSync(lock, 'wx', 0o600);
    try {
      writeFileSync(file, `${hostname()} ${process.pid} ${processStart(process.pid)}\n`);
    } catch (error) {
      // On a full disk it would be a lock of nobody.
      rmSync(lock, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A process that was killed does not hold its lock: at once on this machine, and elsewhere after a while. */
async function isLeft(lock: string): Promise<boolean> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  if (Math.abs(Date.now() - mtimeMs) > STALE_MS) return true;
  const [host, processId = '', start] = holder(lock);
  return host === hostname() && /^[1-9]\d{0,9}$/.test(processId) && !isProcessThere(Number(processId), start);
}

/** Host, process and its start; nothing where they cannot be read. */
function holder(lock: string): readonly string[] {
  try {
    return (readOrdinaryFile(lock, MOST_BYTES) ?? '').trim().split(' ');
  } catch {
    return [];
  }
}

const MOST_BYTES = 1024;
const LOOK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 500;
const STALE_MS = 5000;
