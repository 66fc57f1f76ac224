import { writeSync } from 'node:fs';
import { flagged, plainWord } from './cli/leading-flags.ts';
import { earlyView } from './early-view.ts';
import { terminalKind } from './terminal-kind.ts';

/** A first frame that was put on the screen before the explorer was loaded, and who looks after the terminal till then. */
export interface EarlyScreen {
  /** The explorer takes over: what was done for signals is undone. */
  readonly release: () => void;
  /** There will be no explorer: the terminal is given back. */
  readonly leave: () => void;
}

declare global {
  /** The early screen that is there, until it is taken. */
  var blockglassEarlyScreen: EarlyScreen | undefined;
}

/** Lines of a first frame, painted, for terminals of at least so many cells. */
export interface FirstFrame {
  readonly fromColumns: number;
  readonly lines: readonly string[];
}

/** First frames by tab, for narrow terminals first, with and without colour. */
export interface FirstFrames {
  /** Words that are no tab: they ask for something else. */
  readonly commands: readonly string[];
  readonly coloured: { readonly [tab: string]: readonly FirstFrame[] };
  readonly mono: { readonly [tab: string]: readonly FirstFrame[] };
}

/** Words that ask for text instead of a screen. */
export const HELP_WORDS: readonly string[] = ['--help', '-h', 'help', '--version', '-V', '-v'];

const FILTER_LINE = 2;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Shows the first frame at once when the words open the explorer: 20 ms after the start, when the explorer itself
 * still has to be loaded. Its own first frame then takes this one's place unseen.
 */
export function showFirstFrame(frames: FirstFrames, words: readonly string[]): void {
  const { stdin, stdout, env } = process;
  const view = earlyView(words, env);
  const tab = tabOf(words, view.tab, frames);
  if (tab === undefined || !stdout.isTTY || !stdin.isTTY || stdout.columns < 40 || stdout.rows < 12) return;
  const frame = (isMono(words, env) ? frames.mono : frames.coloured)[tab]?.findLast(
    ({ fromColumns }) => fromColumns <= stdout.columns,
  );
  if (frame === undefined || terminalKind(words, env) !== 'screen') return;
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    process.off('exit', leave);
  };
  const leave = (): void => {
    release();
    writeSync(stdout.fd, '\u001b[0m\u001b[?1049l\u001b[?25h');
  };
  const interrupted = (): void => {
    leave();
    process.exit(130);
  };
  // Filters that were kept are not known here: no line says that there are none.
  const lines = view.changed.includes(tab) ? frame.lines.with(FILTER_LINE, '') : frame.lines;
  writeSync(stdout.fd, `\u001b[?1049h\u001b[?25l\u001b[H${lines.join('\r\n')}`);
  for (const signal of SIGNALS) process.on(signal, interrupted);
  process.on('exit', leave);
  globalThis.blockglassEarlyScreen = { release, leave };
}

/** The early screen, if there is one; whoever takes it looks after the terminal. */
export function takeEarlyScreen(): EarlyScreen | undefined {
  const early = globalThis.blockglassEarlyScreen;
  globalThis.blockglassEarlyScreen = undefined;
  return early;
}

/** No colour is wanted, or not known: a theme has colours of its own, and they are not loaded yet. */
function isMono(words: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const theme = flagged(words, '--theme') ?? (env.BLOCKGLASS_THEME || 'auto');
  return theme !== 'auto' || Boolean(env.NO_COLOR) || words.includes('--no-color') || env.TERM === 'vt100';
}

/** The tab that the explorer would open on; undefined when the words ask for something else, or wrongly. */
function tabOf(
  words: readonly string[],
  kept: string | undefined,
  { commands, mono }: FirstFrames,
): string | undefined {
  const tabs = Object.keys(mono);
  const first = plainWord(words);
  if (first !== undefined && commands.includes(first)) return undefined;
  if (words.some(word => HELP_WORDS.includes(word))) return undefined;
  const named = plainWord(words.filter(word => word !== 'explore'));
  return tabs.find(tab => tab === (named ?? kept)) ?? (named === undefined ? tabs[0] : undefined);
}
