import { type SafeText, safeLine } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { COMMANDS, helpFor, PROGRAM_HELP } from './commands.ts';
import type { Context } from './context.ts';
import { describeError } from './describe-error.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import { COMMON_FLAGS, readFlags } from './options.ts';
import { UsageError } from './usage-error.ts';

/** Runs a command line that does not open the explorer; resolves with its exit code and never throws. */
export async function runCommandLine(words: readonly string[], context: Context): Promise<number> {
  const [name = '', ...rest] = words;
  try {
    if (name === '--version' || name === '-V') return await say(context, safeLine(context.version));
    if (name === '--help' || name === '-h' || name === 'help') return await say(context, PROGRAM_HELP);
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load === undefined) throw new UsageError(`there is no command "${name}": blockglass --help lists them`);
    return await runCommand(name, await load(), rest, context);
  } catch (error) {
    if (context.signal.aborted) return EXIT.interrupted;
    await context.stderr.safe(describeError(error));
    return exitCodeFor(error);
  }
}

async function runCommand(name: string, command: Command, words: readonly string[], context: Context): Promise<number> {
  const given = readFlags(words, [...command.flags, ...COMMON_FLAGS]);
  if (given.has('help')) return say(context, await helpFor(name, command));
  return command.run(given, context);
}

async function say({ stdout }: Context, text: SafeText): Promise<number> {
  await stdout.safe(text);
  return EXIT.done;
}
