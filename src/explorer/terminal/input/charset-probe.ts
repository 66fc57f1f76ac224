import { localeOf } from '../../../text/locale.ts';

/** A question to the terminal that is under way. */
export interface CharsetProbe {
  /** The terminal has said where its cursor is. */
  readonly answer: (column: number) => void;
  /** Resolves when it has answered, or nobody waits for it any more. */
  readonly settled: Promise<void>;
}

export interface ProbeOptions {
  readonly write: (sequence: string) => void;
  readonly wait: (ms: number) => Promise<void>;
  readonly onFound: (isUtf8: boolean) => void;
}

/** A round trip by satellite takes two thirds of it. */
const DEADLINE_MS = 1000;

/** Whether the terminal has to be asked: the locale is silent, as it often is over ssh, and it is one that would answer. */
export const needsProbe = (env: NodeJS.ProcessEnv): boolean =>
  localeOf(env) === '' && !ANSWERS_NOT.test(env.TERM ?? '');

// The Linux console answers, but its fonts lack what would be drawn.
const ANSWERS_NOT = /^(?:$|dumb|unknown|linux|vt\d|ansi|cons25|cygwin|sun)/;

/** Two bytes: one cell where they are taken for UTF-8, two where each is a character. */
const TWO_BYTES = '\u00e9';
const IN_UTF8 = 2;

/**
 * Asks the terminal whether it takes what is written for UTF-8: it is sent a character on the alternate screen, asked
 * where the cursor is, and the row is erased, all at once. Echo has to be off, or the answer would be seen.
 */
export function probeCharset({ write, wait, onFound }: ProbeOptions): CharsetProbe {
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  let isOpen = true;
  const end = (): void => {
    isOpen = false;
    resolve();
  };
  void wait(DEADLINE_MS).then(end);
  write(`\u001b[?1049h\u001b[6;1H${TWO_BYTES}\u001b[6n\r\u001b[K`);
  return {
    settled,
    answer: column => {
      if (!isOpen) return;
      end();
      onFound(column === IN_UTF8);
    },
  };
}
