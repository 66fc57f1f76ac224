import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import type { TerminalEnds } from './terminal.ts';

/** Linux has the terminal under this name once more, where it can be read without waiting. */
const TERMINAL = '/proc/self/fd/0';

/** What a terminal keeps at most for a program that does not read. */
const MOST_BYTES = 4096;

/**
 * Wipes what the terminal echoed while Node itself was starting, before raw mode: it would stand on the screen of the
 * shell afterwards. The keys stay to be read.
 */
export function wipeEcho({ stdin, stdout }: TerminalEnds): void {
  try {
    const file = openSync(TERMINAL, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const bytes = Buffer.alloc(MOST_BYTES);
      const typed = bytes.subarray(0, readSync(file, bytes));
      // Before raw mode Enter is read as a line feed.
      const keys = typed.map(byte => (byte === LINE_FEED ? CARRIAGE_RETURN : byte));
      stdin.unshift(Buffer.from(keys));
      const cells = echoOf(typed.toString('latin1'));
      if (cells > 0) writeSync(stdout.fd, `\u001b[${cells}D\u001b[K`);
    } finally {
      closeSync(file);
    }
  } catch {
    // Nothing was typed, or this is another system: then the echo stays.
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cells of the last line of an echo; Escape is echoed as `^[`. */
const echoOf = (typed: string): number => (typed.split('\n').at(-1) ?? '').replace(/[\x00-\x1f\x7f]/g, '^x').length;
