import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { crowd } from './crowd.ts';

/**
 * The program holds a lone ESC back for 30 ms after *reading* it, in case the rest of a sequence follows, and only then
 * takes it for the escape key. No byte tells the outside that this has happened, so this wait is by the clock.
 */
const escapeFlushMs = 50;

const pollMs = 2;

/** For a program that does not read its keys, or is no Linux process of ours to look at. */
const unreadDeadlineMs = 250;

const busyDeadlineMs = 5_000;

/**
 * Writes a key and resolves when the program has read and handled it. Without this two keys may arrive in one read,
 * and `g` `g` would be the text `gg`. The sign, on Linux: its main thread has woken up and gone back to sleep.
 */
export async function handOver(pid: number, write: () => void): Promise<void> {
  const before = await mainThread(pid);
  write();
  if (before === undefined) return;
  const start = performance.now();
  await untilAsleep(
    pid,
    ({ sleeps }) => sleeps > before.sleeps || performance.now() - start > unreadDeadlineMs * crowd(),
  );
}

/** Resolves when the program has had the time to take the ESC it was handed for the escape key. */
export async function escapeFlushed(pid: number): Promise<void> {
  await delay(escapeFlushMs * crowd());
  await untilAsleep(pid, () => true);
}

/** Asleep in two looks with nothing in between: a thread may doze for a moment in the middle of its work. */
async function untilAsleep(pid: number, isEnough: (thread: MainThread) => boolean): Promise<void> {
  const deadline = performance.now() + busyDeadlineMs;
  let last = await mainThread(pid);
  while (last !== undefined && performance.now() < deadline) {
    await delay(pollMs);
    const now = await mainThread(pid);
    if (now?.isAsleep && last.isAsleep && now.sleeps === last.sleeps && isEnough(now)) return;
    last = now;
  }
}

interface MainThread {
  readonly isAsleep: boolean;
  /** How often it went to sleep so far. */
  readonly sleeps: number;
}

async function mainThread(pid: number): Promise<MainThread | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const sleeps = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1];
  return sleeps === undefined ? undefined : { isAsleep: /^State:\s+S/m.test(status), sleeps: Number(sleeps) };
}
