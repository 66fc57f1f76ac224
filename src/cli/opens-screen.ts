import { commandFirst } from './leading-flags.ts';

/** Words that ask for text instead of a screen. */
export const HELP_WORDS: readonly string[] = ['--help', '-h', 'help', '--version', '-V', '-v'];

/** Whether a command line opens the explorer or the table viewer in the terminal that the process has. */
export function opensScreen(
  typed: readonly string[],
  commands: readonly string[],
  { stdin, stdout, env }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env'>,
): boolean {
  if (typed.some(word => HELP_WORDS.includes(word)) || terminalKind(typed, env) === 'no-cursor') return false;
  const [first = ''] = commandFirst(typed, [...commands, 'explore']);
  return (first === 'view' || !commands.includes(first)) && stdin.isTTY && stdout.isTTY;
}

/** How the explorer can be shown: on a screen, in lines for a screen reader, or not at all, so that a command takes its place. */
type TerminalKind = 'screen' | 'screen-reader' | 'no-cursor';

export const SCREEN_READER = 'screen-reader';

/** From the flag and the environment; INK_SCREEN_READER is common to programs made with Ink. */
export function terminalKind(words: readonly string[], env: NodeJS.ProcessEnv): TerminalKind {
  if (env.INK_SCREEN_READER === 'true' || words.includes(`--${SCREEN_READER}`)) return 'screen-reader';
  return /^(?:dumb|unknown)$/.test(env.TERM ?? '') ? 'no-cursor' : 'screen';
}
