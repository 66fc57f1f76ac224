import { codeOf } from './ordinary-file.ts';

/** Whether a process of this machine has this number, which may be any: it was read from a file. */
export function isProcessThere(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, and is there.
    return codeOf(error) === 'EPERM';
  }
}
