import { constants, openSync, writeSync } from 'node:fs';
import type { RequestFacts } from '../api/request-facts.ts';
import { reasonOf } from '../disk/ordinary-file.ts';
import { UsageError } from './usage-error.ts';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

/**
 * Appends a line a request to a file that only its owner can read. Throws UsageError when it cannot be written. What it
 * takes no more later on, as a full disk does, is counted in the next line that it takes: no request fails for it. Of the
 * first line that is lost `onLost` gets the reason.
 */
export function openRequestLog(path: string, onLost: (why: string) => void = () => {}): (facts: RequestFacts) => void {
  const descriptor = opened(path);
  let lost = 0;
  let isReported = false;
  const lose = (why: string): void => {
    lost++;
    if (!isReported) onLost(why);
    isReported = true;
  };
  // Of a line that was cut off the rest would stand before the next one.
  let isCut = false;
  return facts => {
    const now = new Date().toISOString();
    const before = lost === 0 ? '' : `${now} ${lost} lines could not be written\n`;
    const text = Buffer.from(`${isCut ? '\n' : ''}${before}${now} ${requestLine(facts)}\n`);
    try {
      isCut = writeSync(descriptor, text) < text.length;
      if (isCut) lose('there is no room for a whole line');
      else lost = 0;
    } catch (error) {
      lose(reasonOf(error));
    }
  };
}

/**
 * `GET URL 200 12 ms wire=812 body=4096 attempt=1 left=49`: what is not known is left out. Of what went wrong there is the
 * kind alone, so that no word of a node is in the file, which may be read on a terminal.
 */
export function requestLine({ url, status, outcome, elapsedMs, ...facts }: RequestFacts): string {
  const ended = outcome.kind === 'cancelled' ? 'cancelled' : (status ?? 'failed');
  const took = outcome.kind === 'streaming' ? 'streaming' : `${elapsedMs} ms`;
  const sizes = { wire: facts.wireBytes, body: facts.bodyBytes, attempt: facts.attempt, left: facts.budgetLeft };
  const rest = Object.entries({ ...sizes, error: outcome.kind === 'failed' ? outcome.error : null });
  const known = rest.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return ['GET', url, ended, took, ...known].join(' ');
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
