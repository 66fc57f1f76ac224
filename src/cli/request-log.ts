import { constants, openSync, writeSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

/** Appends a line a request to a file that only its owner can read. Throws UsageError when it cannot be written. */
export function openRequestLog(path: string): (line: string) => void {
  const descriptor = opened(path);
  return line => {
    try {
      writeSync(descriptor, `${new Date().toISOString()} ${line}\n`);
    } catch (error) {
      // No request waits for whoever reads a pipe, or for room on a disk.
      if (!isCode(error, 'EAGAIN') && !isCode(error, 'ENOSPC') && !isCode(error, 'EPIPE')) throw error;
    }
  };
}

// Opened without waiting: a pipe that nobody reads would hold the program, Ctrl-C and all.
function opened(path: string): number {
  try {
    return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY, 0o600);
  } catch (error) {
    if (isCode(error, 'ENXIO')) throw new UsageError(`--log ${path} is a pipe that nobody reads`);
    throw new UsageError(`--log ${path} cannot be written: name a file in a folder that is there and yours`);
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
