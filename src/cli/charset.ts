import { PREFERENCES } from '../base/settings/preferences.ts';
import { isUtf8Terminal } from '../base/text/locale.ts';
import type { Context } from './context.ts';
import { readFlags } from './flags.ts';
import { readPreferences } from './preference-flags.ts';

/** Whether text is printed in ASCII: the variable or the setting decides, else the locale and TERM, as in the explorer. */
export async function drawsAscii({ env, settings }: Pick<Context, 'env' | 'settings'>): Promise<boolean> {
  const charset = givenCharset(env) ?? (await settings().catch(() => ({ charset: undefined }))).charset ?? 'auto';
  return charset === 'auto' ? !isUtf8Terminal(env) : charset === 'ascii';
}

/** A word that is not a charset is ignored: its parser reports the problem. */
function givenCharset(env: NodeJS.ProcessEnv) {
  try {
    return readPreferences(readFlags([], []), env, CHARSET).charset;
  } catch {
    return undefined;
  }
}

const CHARSET = PREFERENCES.filter(({ name }) => name === 'charset');
