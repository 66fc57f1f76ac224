import { readFileSync } from 'node:fs';
import { systemErrorCode } from './ordinary-file.ts';

/**
 * Whether a process with this id runs on this machine. The id was read from a file and may be any number. A zombie does
 * not count; with `start`, neither does a later process that got the same id.
 */
export function isProcessRunning(processId: number, start?: string): boolean {
  try {
    process.kill(processId, 0);
  } catch (error) {
    // Another user's process cannot be signalled, but exists.
    if (systemErrorCode(error) !== 'EPERM') return false;
  }
  const facts = readProcessStat(processId);
  if (facts === undefined) return start === undefined || start === '';
  const [state = '', ...others] = facts;
  if (/^[ZX]/i.test(state)) return false;
  return start === undefined || others[START_AFTER_STATE] === start;
}

/** When a process started, in system ticks; '' if unknown. */
export const processStartTicks = (processId: number): string =>
  readProcessStat(processId)?.[1 + START_AFTER_STATE] ?? '';

/** The start is field 22 of /proc/PID/stat, the state field 3. */
const START_AFTER_STATE = 18;

/** The fields from the state on: the name before it may hold anything. */
function readProcessStat(processId: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
