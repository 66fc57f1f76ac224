import { safeText } from '../text/safe-text.ts';
import { type Connection, type Context, connect, type Target, targetOf } from './context.ts';
import type { Given } from './options.ts';

/** A client for the node that the command line, the environment or the settings name; else for the embedded one, which stderr then says. */
export async function connectAsked(given: Given, context: Context): Promise<Connection> {
  const target = await targetOf(given, context);
  await warnUnnamed(target, context);
  return connect(target, given, context);
}

/** Who forgot to name a node would take the rows of a demo chain for those of his own. */
export async function warnUnnamed({ isUnnamed }: Target, { stderr }: Context): Promise<void> {
  if (isUnnamed === true) await stderr.safe(UNNAMED);
}

const UNNAMED = safeText`warning: no node given, showing demo data. Use --node URL, or --demo to silence this.\n`;
