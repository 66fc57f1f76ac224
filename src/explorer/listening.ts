import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from './app/session.ts';
import { hearsMouse, leavesCharsetOpen } from './core/looks.ts';
import { point } from './pointing.ts';
import { type CharsetProbe, needsProbe, probeCharset } from './terminal/input/charset-probe.ts';
import type { Report } from './terminal/input/report.ts';
import { terminalInput } from './terminal/input/terminal-input.ts';
import type { TerminalEnds } from './terminal/terminal.ts';

export interface Listening {
  /** The keys, without the reports of the terminal. */
  readonly stdin: NodeJS.ReadStream;
  /** Resolves when the terminal owes no answer: one that came later would be typed into the shell. */
  readonly answered: Promise<void>;
  readonly release: () => void;
}

interface ListenOptions extends Pick<TerminalEnds, 'stdin'> {
  readonly env: NodeJS.ProcessEnv;
  /** Sends a sequence to the terminal as it is. */
  readonly send: (sequence: string) => void;
  readonly isScreenReader: boolean;
}

/** Hears the mouse for the session, and asks the terminal for its characters where nobody has said which it draws. */
export function listenToTerminal(session: Session, options: ListenOptions): Listening {
  const { stdin, send, env, isScreenReader } = options;
  let probe: CharsetProbe | undefined;
  const onReport = (report: Report): void => {
    if (report.kind === 'cursor') probe?.answer(report.column);
    else if (hearsMouse(session.state())) point(session, report);
  };
  const onLinesDropped = (): void => session.dispatch({ type: 'noticed', text: FIRST_LINE_ONLY });
  const input = terminalInput(stdin, { onReport, onLinesDropped });
  if (!isScreenReader && needsProbe(env) && leavesCharsetOpen(session.state())) {
    // The answer may come before Ink has done so, and would be echoed.
    stdin.setRawMode(true);
    probe = probeCharset({
      write: send,
      wait: ms => wait(ms, undefined, { ref: false }),
      onFound: isUtf8 => session.dispatch({ type: 'charset-found', isUtf8 }),
    });
  }
  return { stdin: input.stdin, answered: probe?.settled ?? Promise.resolve(), release: input.release };
}

const FIRST_LINE_ONLY = 'several lines came at once: only the first was typed';
