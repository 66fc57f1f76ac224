import { didYouMean } from '../base/text/nearest-word.ts';
import { type SafeText, safeLine, safeLines } from '../base/text/safe-text.ts';
import type { Command } from './command.ts';
import { COMMANDS, commandsHelp, exitCodesHelp, explorerHelp, helpFor, programHelp } from './commands.ts';
import type { Context } from './context.ts';
import { describeError } from './describe-error.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import {
  COMMON_FLAGS,
  checkFlagValues,
  type Flag,
  type ParsedFlags,
  readFlags,
  SHARED_FLAGS,
  type SharedFlag,
} from './flags.ts';
import { readFormat } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Runs a command line that does not open the explorer; resolves with its exit code and never throws. */
export async function runCommandLine(words: readonly string[], context: Context): Promise<number> {
  const [name = '', ...rest] = words;
  let failsWith: number | undefined;
  try {
    if (['--version', '-V', '-v'].includes(name)) return await printText(context, safeLine(context.version));
    if (name === '--help' || name === '-h') return await printText(context, await programHelp());
    if (name === 'help') return await help(rest, context);
    if (name === 'completion' && rest[0] === 'values') return await printCompleted(rest.slice(1), context);
    const command = await loadCommand(name);
    failsWith = command.failsWith;
    return await runCommand(name, command, rest, context);
  } catch (error) {
    if (context.signal.aborted) return EXIT.interrupted;
    await context.stderr.safe(describeError(error));
    return failsWith ?? exitCodeFor(error);
  }
}

/** `help list fees` is `list fees --help`, and `help fees` the help of the explorer, which has that tab. */
async function help(words: readonly string[], context: Context): Promise<number> {
  const [name, ...rest] = words.filter(word => !['--help', '-h'].includes(word));
  if (name === undefined) return printText(context, await programHelp());
  if (name === 'commands') return printText(context, await commandsHelp());
  if (name === 'exit-codes') return printText(context, exitCodesHelp());
  if (name === 'explore' || (context.tabs.includes(name) && !Object.hasOwn(COMMANDS, name)))
    return printText(context, explorerHelp(context.tabs));
  return runCommand(name, await loadCommand(name), [...rest, '--help'], context);
}

/** For shells, at each Tab. Unfinished words are not an error. */
async function printCompleted(words: readonly string[], context: Context): Promise<number> {
  const { completeWords, knownValues } = await import('./complete.ts');
  const values = await completeWords(words, COMMANDS, await knownValues(context));
  await context.stdout.data(values.map(value => `${value}\n`).join(''), safeLines);
  return EXIT.done;
}

async function runCommand(name: string, command: Command, words: readonly string[], context: Context): Promise<number> {
  const given = readFlags(words, flagsOf(command));
  if (given.has('help')) return printText(context, helpFor(name, command, listToExplain(command, given, context)));
  refuseUnused(name, command, given);
  checkFlagValues(given, flagsOf(command));
  if (!command.uses.includes('at') || !given.has('at')) return command.run(given, context);
  const { applySnapshotFlag } = await import('./snapshot-context.ts');
  return command.run(given, await applySnapshotFlag(given, context, command));
}

/** Its own flags, and those common ones that it has no other of. */
function flagsOf(command: Command): readonly Flag[] {
  const own = new Set(command.flags.map(flag => flag.name));
  const common = COMMON_FLAGS.filter(flag => !own.has(flag.name)).map(flag => repeatable(flag, command));
  return [...command.flags, ...common];
}

/** Reads a command line without running it. Throws UsageError for a command, a flag or a word that would be refused. */
export async function checkCommandLine([name = '', ...words]: readonly string[]): Promise<void> {
  const command = await loadCommand(name);
  const given = readFlags(words, flagsOf(command));
  if (given.has('help')) return;
  refuseUnused(name, command, given);
  checkFlagValues(given, flagsOf(command));
}

async function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return load();
  const meant = didYouMean(name, Object.keys(COMMANDS));
  throw new UsageError(`unknown command "${name}"${meant === '' ? '. See blockglass --help.' : meant}`);
}

/** The list that a command about lists is asked to help with. */
const listToExplain = (
  { form }: Command,
  { words: [word = ''] }: ParsedFlags,
  { tabs }: Context,
): string | undefined => (form.startsWith('<resource>') && tabs.includes(word) ? word : undefined);

const repeatable = (flag: Flag, { asksSeveral }: Command): Flag =>
  asksSeveral && flag.name === 'node' ? { ...flag, repeats: true } : flag;

/** Throws for flags and words without effect, which would be misleading. */
function refuseUnused(name: string, { form, flags, uses, formats }: Command, given: ParsedFlags): void {
  for (const { name: flag, short } of SHARED_FLAGS) {
    if (uses.includes(flag) || !given.has(flag) || flags.some(own => own.name === flag)) continue;
    const spelled = short === undefined ? `--${flag}` : `-${short}, --${flag}`;
    throw new UsageError(`${name} does not accept ${spelled}: ${FLAG_REFUSALS[flag](name)}`);
  }
  if (formats !== undefined && given.has('output')) readFormat(given, formats);
  const surplus = given.words[countFormWords(form)];
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}". See blockglass ${name} --help.`);
}

const contactsNoNode = (name: string): string => `${name} contacts no node`;

/** Commands that do not answer from a snapshot, and what to do instead. */
const SNAPSHOT_REFUSALS: { readonly [name: string]: string | undefined } = {
  export: 'snapshots have no network history. Use --from and --to to export an earlier time from a node.',
  fetch: 'snapshots have no network history. Use --from and --to to fetch an earlier time from a node.',
  record: 'it stores the current state of a node. Use blockglass record export TIME to copy a snapshot.',
  mine: 'your ids do not depend on the time. Leave --at out.',
  view: 'it opens an export on disk. Use blockglass --at TIME to open a snapshot.',
};

const FLAG_REFUSALS: { readonly [flag in SharedFlag]: (name: string) => string } = {
  node: contactsNoNode,
  demo: contactsNoNode,
  timeout: contactsNoNode,
  at: name => SNAPSHOT_REFUSALS[name] ?? contactsNoNode(name),
  log: contactsNoNode,
  output: name => (name === 'export' ? 'it writes ZIP files. Choose where with --out PATH.' : 'it prints no records'),
};

/** How many words a form like `<resource> <key>` takes; one that ends with `...` takes as many as there are. */
const countFormWords = (form: string): number =>
  form.endsWith('...') ? Number.POSITIVE_INFINITY : (form.match(/<[^>]*>|[^\s<>]+/g)?.length ?? 0);

async function printText({ stdout }: Context, text: SafeText): Promise<number> {
  await stdout.safe(text);
  return EXIT.done;
}
