import { PROGRAM_HELP } from './cli/commands.ts';
import { type Context, connect, targetOf } from './cli/context.ts';
import { describeError } from './cli/describe-error.ts';
import { EXIT, exitCodeFor } from './cli/exit-code.ts';
import { COMMON_FLAGS, type Given, readFlags } from './cli/options.ts';
import { UsageError } from './cli/usage-error.ts';
import { TAB_IDS } from './session/initial.ts';

/** Opens the explorer on the node and the tab that the command line names; resolves with the exit code. */
export async function runExplore(words: readonly string[], context: Context): Promise<number> {
  try {
    const given = readFlags(words, COMMON_FLAGS);
    if (given.has('help')) {
      context.stdout.write(PROGRAM_HELP);
      return EXIT.done;
    }
    const tab = tabNamed(given);
    const { stdin, stdout } = process;
    if (!stdin.isTTY || !stdout.isTTY)
      throw new UsageError('the explorer needs a terminal: use list, show, segments or export (blockglass --help)');
    const target = await targetOf(given, context);
    const { explore } = await import('./ui/explorer.tsx');
    const ended = await explore({
      stdin,
      stdout,
      env: context.env,
      tab,
      label: target.label,
      hasColour: !given.has('no-color'),
      preferences: {},
      connect: () => connect(target, given, context),
      onColumns: () => {},
    });
    return ended === 'quit' ? EXIT.done : EXIT.interrupted;
  } catch (error) {
    context.stderr.write(describeError(error));
    return exitCodeFor(error);
  }
}

function tabNamed(given: Given): string {
  const [tab = TAB_IDS[0] ?? '', ...others] = given.words;
  if (others.length > 0) throw new UsageError(`one tab, not ${given.words.join(' ')}`);
  if (!TAB_IDS.includes(tab))
    throw new UsageError(
      `there is no command or tab "${tab}": blockglass --help lists the commands; the tabs are ${TAB_IDS.join(', ')}`,
    );
  return tab;
}
