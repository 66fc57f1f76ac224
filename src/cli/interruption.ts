import { setTimeout as wait } from 'node:timers/promises';

/** Time for a command to stop and report the saved data. */
const GRACE_MS = 700;

/** The exit code that shells use after Ctrl-C. */
const INTERRUPTED = 130;

/** A signal that aborts when the process is asked to end. Further requests change nothing. */
export function createInterruptSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
}

/**
 * Ends the process with the exit code of the command, or as interrupted if the command does not stop in time. Unfinished
 * work is not waited for.
 */
export async function exitAfterCommand(command: Promise<number>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  const code = await Promise.race([command, aborted.then(() => wait(GRACE_MS))]);
  if (code === undefined) endNow(INTERRUPTED, LOOKUPS_AND_FILES);
  else endNow(code, LOOKUPS);
}

/** Ends the process at once. */
export const exitNow = (code: number): void => endNow(code, LOOKUPS);

/**
 * On exit, Node waits for its thread pool, where a name lookup or a file on a lost network disk may hang for many seconds.
 * Replacing the process waits for neither and, unlike a signal, keeps the exit code.
 */
function endNow(code: number, slow: ReadonlySet<string>): void {
  if (process.getActiveResourcesInfo().some(name => slow.has(name))) {
    try {
      process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], process.env);
    } catch {
      // Windows has no execve: there the exit takes its time.
    }
  }
  process.exit(code);
}

const LOOKUPS: ReadonlySet<string> = new Set(['GetAddrInfoReqWrap', 'GetNameInfoReqWrap']);
const LOOKUPS_AND_FILES: ReadonlySet<string> = new Set([...LOOKUPS, 'FSReqCallback', 'FSReqPromise']);
