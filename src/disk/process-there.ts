import { readFileSync } from 'node:fs';
import { codeOf } from './ordinary-file.ts';

/**
 * Whether a process of this machine has this number, which may be any: it was read from a file. One that has ended and
 * is a zombie is not there; with `start`, nor is another one that was given the same number since.
 */
export function isProcessThere(processId: number, start?: string): boolean {
  try {
    process.kill(processId, 0);
  } catch (error) {
    // Another user's process may not be signalled, and is there.
    if (codeOf(error) !== 'EPERM') return false;
  }
  const facts = statOf(processId);
  if (facts === undefined) return start === undefined || start === '';
  const [state = '', ...others] = facts;
  if (/^[ZX]/i.test(state)) return false;
  return start === undefined || others[START_BEHIND_STATE] === start;
}

/** When a process began, in the system's own ticks; '' where it does not tell. */
export const processStart = (processId: number): string => statOf(processId)?.[1 + START_BEHIND_STATE] ?? '';

/** The start is field 22 of /proc/PID/stat, the state field 3. */
const START_BEHIND_STATE = 18;

/** The fields from the state on: the name before it may hold anything. */
function statOf(processId: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
