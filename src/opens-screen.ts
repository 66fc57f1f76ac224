import { commandFirst } from './cli/leading-flags.ts';
import { terminalKind } from './terminal-kind.ts';

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
