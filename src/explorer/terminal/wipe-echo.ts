import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import type { TerminalEnds } from './terminal.ts';

/** On Linux the terminal can be opened again under this name, and read without blocking. */
const TERMINAL = '/proc/self/fd/0';

/** The most that a terminal buffers for a program that does not read. */
const MAX_BUFFERED_BYTES = 4096;

/**
 * Erases what the terminal echoed while Node was starting, before raw mode. It would remain on the shell's screen. The
 * typed keys can still be read.
 */
export function wipeEcho({ stdin, stdout }: TerminalEnds): void {
  try {
    const file = openSync(TERMINAL, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const bytes = Buffer.alloc(MAX_BUFFERED_BYTES);
      const typed = bytes.subarray(0, readSync(file, bytes));
      // Before raw mode Enter is read as a line feed.
      const keys = typed.map(byte => (byte === LINE_FEED ? CARRIAGE_RETURN : byte));
      stdin.unshift(Buffer.from(keys));
      const cells = echoCells(typed.toString('latin1'));
      if (cells > 0) writeSync(stdout.fd, `\u001b[${cells}D\u001b[K`);
    } finally {
      closeSync(file);
    }
  } catch {
    // Nothing was typed, or this is not Linux, where the echo stays.
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cells of the last line of an echo; Escape is echoed as `^[`. */
const echoCells = (typed: string): number => (typed.split('\n').at(-1) ?? '').replace(/[\x00-\x1f\x7f]/g, '^x').length;
