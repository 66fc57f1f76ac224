import { writeSync } from 'node:fs';

/** Whatever the program turned on: alternate screen, hidden cursor, bracketed paste, styles, synchronized update. */
const RESTORE = `\u001b[?2026l\u001b[?2004l\u001b[0m\u001b[?1049l\u001b[?25h`;

/** Where no screen was taken the cursor stays where it is. */
const NO_BRACKETS = '\u001b[?2004l';

/** A terminal's two ends; the file descriptor is that of a terminal of this machine. */
export interface TerminalEnds {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
}

/** Restores the terminal at once, whatever was drawn on it. */
export function restoreTerminal({ stdin, stdout }: TerminalEnds, hasScreen = true): void {
  try {
    writeSync(stdout.fd, hasScreen ? RESTORE : NO_BRACKETS);
    if (stdin.isTTY) stdin.setRawMode(false);
  } catch {
    // A terminal that is gone needs nothing back.
  }
}

/**
 * Reports a lost terminal: one of its ends has failed, has closed or has ended. Returns a function that stops watching.
 */
export function watchTerminal({ stdin, stdout }: TerminalEnds, onGone: () => void): () => void {
  for (const event of GONE) stdin.on(event, onGone);
  for (const event of GONE) stdout.on(event, onGone);
  return () => {
    for (const event of GONE) stdin.off(event, onGone);
    for (const event of GONE) stdout.off(event, onGone);
  };
}

const GONE = ['error', 'end', 'close'] as const;
