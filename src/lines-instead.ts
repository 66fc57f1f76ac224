import type { Context } from './cli/context.ts';
import { ASKING, type Given } from './cli/options.ts';
import { safeLine } from './text/safe-text.ts';
import { shellWord } from './text/shell-word.ts';

/** What the explorer would open on, as the command prints it: on a terminal that cannot place its cursor. */
export async function showLinesInstead(given: Given, tab: string, context: Context): Promise<number> {
  const command = tab === 'export' ? ['segments'] : ['list', tab];
  const { TERM = '' } = context.env;
  await context.stderr.safe(
    safeLine(
      `with TERM=${TERM} no cursor can be placed: this is blockglass ${command.map(shellWord).join(' ')}, and no explorer`,
    ),
  );
  const { runCommandLine } = await import('./cli/run.ts');
  return runCommandLine([...command, ...asked(given)], context);
}

/** The flags by which a node is asked, as they were given. */
const asked = (given: Given): readonly string[] =>
  ASKING.flatMap(name =>
    !given.has(name) ? [] : name === 'demo' ? [`--${name}`] : given.texts(name).map(value => `--${name}=${value}`),
  );
