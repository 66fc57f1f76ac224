/** The locale for characters; '' if unset, as often over ssh. `C` and `POSIX` count as set. */
const localeOf = (env: NodeJS.ProcessEnv): string => env.LC_ALL || env.LC_CTYPE || env.LANG || '';

/** Whether the locale and the terminal are known to show more than ASCII. */
export const isUtf8Terminal = (env: NodeJS.ProcessEnv): boolean =>
  /utf-?8/i.test(localeOf(env)) && env.TERM !== 'vt100';
