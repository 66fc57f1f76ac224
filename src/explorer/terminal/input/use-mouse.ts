import { useEffect } from 'react';

/** Presses and the wheel (1000), in numbers that have no end (1006). */
const ON = '\u001b[?1000h\u001b[?1006h';
export const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l';

interface MouseSwitch {
  /** For as long as another program has the terminal. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/** Turns on the terminal's mouse reports while they are wanted; they are off after the last drawing. */
export function useMouse(isWanted: boolean, write: (sequence: string) => void): MouseSwitch {
  useEffect(() => {
    if (!isWanted) return;
    write(ON);
    return () => write(MOUSE_OFF);
  }, [isWanted, write]);
  const when = (sequence: string) => () => {
    if (isWanted) write(sequence);
  };
  return { pause: when(MOUSE_OFF), resume: when(ON) };
}
