import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether stdout was closed (`>&-`) for a command that is run for what it prints. Node opens /dev/null in its place, for
 * reading and writing, where a shell opens `> /dev/null` for writing only. A program without stdin either
 * was started by another one, which means it.
 */
export const isOutputClosed = (command = ''): boolean =>
  PRINTING.includes(command) && nullMode(1) === READ_AND_WRITE && nullMode(0) === undefined;

/** How /dev/null was opened; undefined of anything else, and where the system does not tell. */
function nullMode(descriptor: number): number | undefined {
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== '/dev/null') return undefined;
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? '0';
    return Number.parseInt(flags, 8) & ACCESS_MODE;
  } catch {
    return undefined;
  }
}

const ACCESS_MODE = 0o3;
const READ_AND_WRITE = 0o2;

const PRINTING: readonly string[] = 'list show explain statement what segments ddl query answer'.split(' ');
