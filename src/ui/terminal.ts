import { writeSync } from 'node:fs';
import './early-screen.ts';

/** Whatever the program turned on: alternate screen, hidden cursor, bracketed paste, styles, synchronized update. */
const RESTORE = '\u001b[?2026l\u001b[?2004l\u001b[0m\u001b[?1049l\u001b[?25h';

/** Why the program is to end: a signal, a terminal that is gone, or a fault that nobody caught. */
export type Ending =
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'terminal-gone' }
  | { readonly kind: 'fault'; readonly error: unknown };

export interface Guard {
  /** The terminal was given back in the ordinary way. */
  readonly release: () => void;
}

/**
 * Sees to it that the terminal is given back as it was, however the program ends. `onEnding` gets to stop things
 * first; when the process exits without `release`, the terminal is restored at the very last moment.
 */
export function guardTerminal(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream & { readonly fd: number },
  onEnding: (ending: Ending) => void,
): Guard {
  const restore = (): void => {
    try {
      writeSync(stdout.fd, RESTORE);
      if (stdin.isTTY) stdin.setRawMode(false);
    } catch {
      // A terminal that is gone needs nothing back.
    }
  };
  const onSignal = (signal: NodeJS.Signals): void => onEnding({ kind: 'signal', signal });
  const onFault = (error: unknown): void => onEnding({ kind: 'fault', error });
  const onGone = (): void => onEnding({ kind: 'terminal-gone' });
  globalThis.blockglassEarlyScreen?.release();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  stdout.on('error', onGone);
  stdin.on('error', onGone);
  process.on('exit', restore);
  return { release: () => process.off('exit', restore) };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
