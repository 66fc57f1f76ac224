import { PREFERENCES } from '../settings/preferences.ts';
import { isUtf8In } from '../text/locale.ts';
import type { Context } from './context.ts';
import type { Given } from './options.ts';
import { preferencesGiven } from './preference-flags.ts';

const CHARSET = PREFERENCES.filter(({ name }) => name === 'charset');

/** Whether charts are drawn in ASCII: the variable or the setting decides, else the locale, as in the explorer. */
export async function drawsAsciiHere(given: Given, context: Context): Promise<boolean> {
  const said = preferencesGiven(given, context.env, CHARSET).charset;
  const charset = said ?? (await context.settings().catch(() => ({ charset: undefined }))).charset ?? 'auto';
  return charset === 'auto' ? !isUtf8In(context.env) : charset === 'ascii';
}
