import type { TerminalBackground } from '../core/appearance.ts';

/**
 * Asks for the background colour (OSC 11), then for the attributes that every terminal reports (DA1): a terminal that
 * reports only these does not know the first question.
 */
const BACKGROUND_QUERY = '\u001b]11;?\u001b\\\u001b[c';

/** The reply to OSC 11 without its introducer and end, as xterm has it; undefined for any other string. */
export function parseBackgroundReply(text: string): TerminalBackground | undefined {
  const [, ...parts] = /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(text) ?? [];
  const [red, green, blue] = parts.map(part => Number.parseInt(part, 16) / (16 ** part.length - 1));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return luminance(red, green, blue) > EQUAL_CONTRAST ? 'light' : 'dark';
}

/** The luminance (WCAG) that has the same contrast with black and with white. */
const EQUAL_CONTRAST = Math.sqrt(1.05 * 0.05) - 0.05;

const luminance = (red: number, green: number, blue: number): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

const linear = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);

/** COLORFGBG, which rxvt, Konsole and others set: the last number is the background among the 16 colours. */
export function backgroundFromEnvironment({ COLORFGBG }: NodeJS.ProcessEnv): TerminalBackground | undefined {
  const [, last] = /^[\w;]*;(\d{1,2})$/.exec(COLORFGBG ?? '') ?? [];
  if (last === undefined || Number(last) > 15) return undefined;
  return Number(last) === 7 || Number(last) > 8 ? 'light' : 'dark';
}

/** A later reply changes nothing: a screen that is being read keeps its colours. */
const MAX_REPLY_MS = 2000;
/** On quitting: a reply that arrives later would be typed into the shell. */
const MAX_QUIT_WAIT_MS = 300;

export interface BackgroundQuery {
  /** The colour has been reported. */
  readonly onBackground: (background: TerminalBackground) => void;
  /** The attributes have been reported: no other reply follows. */
  readonly onAttributes: () => void;
  /** Resolves when no further reply is expected; soon in any case. */
  readonly settled: () => Promise<void>;
}

/** Sends the question once; `onTold` is called at most once, and only in time. */
export function askBackground(
  send: (sequence: string) => void,
  onTold: (background: TerminalBackground) => void,
): BackgroundQuery {
  const askedMs = performance.now();
  const answered = Promise.withResolvers<void>();
  let isOpen = true;
  send(BACKGROUND_QUERY);
  return {
    onBackground: background => {
      if (isOpen && performance.now() - askedMs < MAX_REPLY_MS) onTold(background);
      isOpen = false;
    },
    onAttributes: () => {
      isOpen = false;
      answered.resolve();
    },
    settled: async () => {
      const leftMs = askedMs + MAX_QUIT_WAIT_MS - performance.now();
      if (leftMs <= 0) return;
      const timer = setTimeout(answered.resolve, leftMs);
      await answered.promise;
      clearTimeout(timer);
    },
  };
}
