import { hideLogin } from '../api/login.ts';
import { safeText } from '../text/safe-text.ts';
import { shellWord } from '../text/shell-word.ts';
import { type Connection, type Context, connect, type Target, targetOf } from './context.ts';
import type { Given } from './options.ts';

/** A client for the node named by the command line, the environment or the settings. Falls back to the embedded node, with a warning on stderr. */
export async function connectAsked(given: Given, context: Context): Promise<Connection> {
  const target = await targetOf(given, context);
  await warnUnnamed(target, context);
  return connect(target, given, context);
}

/** The same, when it is first needed. */
export function connectedOnce(given: Given, context: Context): () => Promise<Connection> {
  let asked: Promise<Connection> | undefined;
  return () => {
    asked ??= connectAsked(given, context);
    return asked;
  };
}

/** Without a warning, demo rows could be mistaken for those of a real node. */
export async function warnUnnamed({ isUnnamed }: Target, { stderr, moment }: Context): Promise<void> {
  if (isUnnamed === true && moment === undefined) await stderr.safe(UNNAMED);
}

const UNNAMED = safeText`warning: no node given, showing demo data. Use --node URL, or --demo to silence this.\n`;

/** The node as flags of a proposed command, if the command line named one: ` --demo`. Logins are never printed. */
export function nodeFlag(given: Given): string {
  if (given.has('demo')) return ' --demo';
  const node = given.text('node');
  return node === undefined || hideLogin(node) !== node ? '' : ` --node ${shellWord(node)}`;
}
