import { setTimeout as wait } from 'node:timers/promises';

/** So long a command may take to stop and to report what it saved. */
const GRACE_MS = 700;

/** What a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** A signal that aborts when somebody wants the program to end, however often they say so. */
export function interruption(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
}

/**
 * Ends the process with the code of the command, or as an interrupted one when that does not stop in time. What the
 * command has left behind unfinished is not waited for.
 */
export async function endAfter(command: Promise<number>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  const code = await Promise.race([command, aborted.then(() => wait(GRACE_MS))]);
  if (code === undefined) endNow(INTERRUPTED, LOOKUPS_AND_FILES);
  else endNow(code, LOOKUPS);
}

/** Ends the process at once. */
export const leave = (code: number): void => endNow(code, LOOKUPS);

/**
 * To exit, Node waits for its thread pool, where a name lookup stays until it gives up, many seconds long, and so does
 * a file on a disk of the network that is gone. A program that takes the place of this one waits for neither, and
 * unlike the end by a signal it tells the code.
 */
function endNow(code: number, slow: ReadonlySet<string>): void {
  if (process.getActiveResourcesInfo().some(name => slow.has(name))) {
    try {
      process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], process.env);
    } catch {
      // No such thing on Windows: there it takes its time.
    }
  }
  process.exit(code);
}

const LOOKUPS: ReadonlySet<string> = new Set(['GetAddrInfoReqWrap', 'GetNameInfoReqWrap']);
const LOOKUPS_AND_FILES: ReadonlySet<string> = new Set([...LOOKUPS, 'FSReqCallback', 'FSReqPromise']);
