import { safeText } from '../base/text/safe-text.ts';
import { shellWord } from '../base/text/shell-word.ts';
import { hideLogin } from '../chain/api/login.ts';
import { type Connection, type ConnectOptions, type Context, chooseTarget, connect, type Target } from './context.ts';
import type { ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** A client for the node named by the command line, the environment or the settings. On a terminal it falls back to the embedded node, with a warning. */
export async function connectToChosenNode(
  given: ParsedFlags,
  context: Context,
  options: ConnectOptions = {},
): Promise<Connection> {
  const target = await chooseTarget(given, context);
  await warnAboutDemoData(target, context);
  return connect(target, given, context, options);
}

/** The same, when it is first needed. */
export function lazyConnection(given: ParsedFlags, context: Context): () => Promise<Connection> {
  let asked: Promise<Connection> | undefined;
  return () => {
    asked ??= connectToChosenNode(given, context);
    return asked;
  };
}

/**
 * Warns that the rows are demo data. Where no one would see the warning, such as in a cron job, demo data must never be
 * taken for that of a real node: it throws UsageError.
 */
export async function warnAboutDemoData({ isUnnamed }: Target, { stdout, stderr, moment }: Context): Promise<void> {
  if (isUnnamed !== true || moment !== undefined) return;
  if (!stdout.isTerminal && !stderr.isTerminal)
    throw new UsageError('no node is configured', [
      'Set one with --node URL, BLOCKGLASS_NODE, or blockglass node add and node use. --demo uses the embedded demo node.',
    ]);
  await stderr.safe(DEMO_DATA_WARNING);
}

const DEMO_DATA_WARNING = safeText`warning: no node given, showing demo data. Use --node URL, or --demo to silence this.\n`;

/** The node as flags of a proposed command, if the command line gave one: ` --demo`. Logins are never printed. */
export function nodeFlag(given: ParsedFlags): string {
  if (given.has('demo')) return ' --demo';
  const node = given.text('node');
  return node === undefined || hideLogin(node) !== node ? '' : ` --node ${shellWord(node)}`;
}
