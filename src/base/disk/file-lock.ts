import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, readOrdinaryFile } from './ordinary-file.ts';
import { isProcessThere, processStart } from './process-there.ts';

/**
 * Runs `act` while holding the lock of a file, which is another file beside it. Throws if the lock is not free within half
 * a second, or within `longestMs`.
 */
export async function withLock<T>(path: string, act: () => Promise<T>, longestMs = LONGEST_WAIT_MS): Promise<T> {
  const lock = `${path}.lock`;
  await take(lock, longestMs);
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string, longestMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    if (created(lock)) return;
    if ((await isLeft(lock)) && (await removed(lock))) continue;
    if (waitedMs > longestMs) throw new Error('another blockglass is writing it');
    await wait(LOOK_AGAIN_MS);
  }
}

/**
 * Removes a lock that was left, one process at a time: between a look at it and its removal, another process could remove
 * it too and take the lock anew. False if another one is about to.
 */
async function removed(lock: string): Promise<boolean> {
  const removal = `${lock}.removal`;
  if (!created(removal)) {
    if (await isLeft(removal)) await rm(removal, { force: true });
    return false;
  }
  try {
    if (await isLeft(lock)) await rm(lock, { force: true });
    return true;
  } finally {
    await rm(removal, { force: true });
  }
}

/** False if it is taken. */
function created(lock: string): boolean {
  const owner = `${hostname()} ${process.pid} ${processStart(process.pid)}\n`;
  // It appears with its owner in it: a process killed in between would leave a lock that nobody holds.
  const part = `${lock}.${randomBytes(6).toString('hex')}.part`;
  try {
    writeFileSync(part, owner, { flag: 'wx', mode: 0o600 });
    linkSync(part, lock);
    return true;
  } catch (error) {
    // The holder of the lock removes parts that were left, and may have taken this for one.
    if (['EEXIST', 'ENOENT'].includes(codeOf(error)) && existsSync(dirname(lock))) return false;
    if (NO_LINKS.has(codeOf(error))) return createdInPlace(lock, owner);
    throw error;
  } finally {
    rmSync(part, { force: true });
  }
}

/** Errors of file systems without links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function createdInPlace(lock: string, owner: string): boolean {
  try {
    const file = openSync(lock, 'wx', 0o600);
    try {
      writeFileSync(file, owner);
    } catch (error) {
      // On a full disk it would be a lock without an owner.
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

/** A killed process loses its lock: at once on this machine, after some seconds on another. */
async function isLeft(lock: string): Promise<boolean> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  if (Math.abs(Date.now() - mtimeMs) > STALE_MS) return true;
  const [host, processId = '', start] = holder(lock);
  return host === hostname() && /^[1-9]\d{0,9}$/.test(processId) && !isProcessThere(Number(processId), start);
}

/** Host, process and its start; empty if they cannot be read. */
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
