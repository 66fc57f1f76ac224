import { useInput, usePaste } from 'ink';
import { useEffect } from 'react';
import { focusedField, isTyping } from '../../app/focus.ts';
import { refusalReason } from '../../app/refused-actions.ts';
import type { Session } from '../../app/session.ts';
import type { SuspendControl } from '../host.ts';
import { pressedKeyNames, typedText } from '../keys.ts';
import { useSuspension } from '../suspend.ts';
import type { Reader } from './reader.ts';

interface ScreenReaderProps {
  readonly session: Session;
  readonly reader: Reader;
  readonly stops: SuspendControl;
}

/** Passes keys to the session like the screen does, and has the reader announce the results; it draws nothing. */
export function ScreenReader({ session, reader, stops }: ScreenReaderProps) {
  const suspend = useSuspension(stops, {
    onResumed: reader.announceAll,
    onStayed: () => session.dispatch({ type: 'noticed', text: 'no shell waits for this program to stop' }),
  });
  useEffect(() => {
    // One key may change the state several times.
    let isDue = false;
    const onChange = (): void => {
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        if (!session.state().isEnded) reader.announce();
      });
    };
    onChange();
    return session.subscribe(onChange);
  }, [session, reader]);
  useInput((input, key) => {
    for (const name of pressedKeyNames(input, key)) {
      const typed = isTyping(session.state()) ? typedText(name) : undefined;
      if (typed !== undefined) typeKey(session, reader, typed);
      else pressKey(session, reader, name);
      if (name === 'ctrl-l') reader.announceAll();
      if (name === 'ctrl-z' && refusalReason(session.state(), { type: 'suspend' }) === undefined) suspend();
    }
  });
  usePaste(text => session.paste(text));
  return null;
}

/**
 * Text typed or erased at the end of a field is echoed in place; for other edits the reader announces the whole field.
 */
function typeKey(session: Session, reader: Reader, text: string): void {
  const before = focusedField(session.state()).text;
  session.dispatch({ type: 'insert-text', text });
  // The typed text replaces a proposed one.
  if ([text, `${before}${text}`].includes(focusedField(session.state()).text) && isAtEnd(session)) reader.echo(text);
}

function pressKey(session: Session, reader: Reader, name: string): void {
  const isErasing = name === 'backspace' && isTyping(session.state()) && isAtEnd(session);
  const before = focusedField(session.state()).text;
  session.press(name);
  const after = focusedField(session.state()).text;
  if (isErasing && after !== before) reader.erase(before.slice(after.length));
}

function isAtEnd(session: Session): boolean {
  const { text, at } = focusedField(session.state());
  return at === text.length;
}
