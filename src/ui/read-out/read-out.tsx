import { useInput, usePaste } from 'ink';
import { useEffect } from 'react';
import { fieldText, isTyping, modeOf } from '../../session/model/mode.ts';
import type { Session } from '../../session/session.ts';
import type { Stops } from '../host.ts';
import { isFieldKey, keyNamesOf } from '../keys.ts';
import { useSuspension } from '../suspend.ts';
import type { Reader } from './reader.ts';

interface ReadOutProps {
  readonly session: Session;
  readonly reader: Reader;
  readonly stops: Stops;
}

/** Passes keys to the session as the screen does, and has the reader say what comes of them; it draws nothing. */
export function ReadOut({ session, reader, stops }: ReadOutProps) {
  const suspend = useSuspension(stops, {
    pause: () => {},
    resume: reader.tellAgain,
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
        if (!session.state().isEnded) reader.tell();
      });
    };
    onChange();
    return session.subscribe(onChange);
  }, [session, reader]);
  useInput((input, key) => {
    for (const name of keyNamesOf(input, key)) {
      if (isTyping(modeOf(session.state())) && isFieldKey(name)) typeKey(session, reader, name);
      else {
        session.press(name);
        if (name === 'ctrl-l') reader.tellAgain();
        if (name === 'ctrl-z') suspend();
      }
    }
  });
  usePaste(text => session.paste(text));
  return null;
}

function typeKey(session: Session, reader: Reader, name: string): void {
  const before = fieldText(session.state());
  if (name === 'backspace' || name === 'delete') {
    const letters = [...before];
    session.dispatch({ type: 'type-text', value: letters.slice(0, -1).join('') });
    if (letters.length > 0) reader.erase();
    return;
  }
  const text = name === 'space' ? ' ' : name;
  // Other keys of a field (an arrow, home) have no use without a cursor in it.
  if ([...text].length > 1) return;
  session.paste(text);
  // What was proposed has given way to it.
  if ([text, `${before}${text}`].includes(fieldText(session.state()))) reader.echo(text);
}
