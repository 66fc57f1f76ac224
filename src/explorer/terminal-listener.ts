import type { Session } from './app/session.ts';
import { usesMouse } from './core/appearance.ts';
import { handleMouse } from './mouse.ts';
import { type TerminalInput, terminalInput } from './terminal/input/terminal-input.ts';

/** Reads the keys of the terminal, and hears the mouse for the session. */
export function listenToTerminal(session: Session, stdin: NodeJS.ReadStream): TerminalInput<NodeJS.ReadStream> {
  return terminalInput(stdin, {
    onReport: report => {
      if (usesMouse(session.state())) handleMouse(session, report);
    },
    onLinesDropped: () => session.dispatch({ type: 'noticed', text: FIRST_LINE_ONLY }),
  });
}

const FIRST_LINE_ONLY = 'several lines came at once: only the first was typed';
