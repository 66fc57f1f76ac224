/** What the locale says of characters; '' where it is silent, as it often is over ssh. `C` and `POSIX` are words. */
const localeOf = (env: NodeJS.ProcessEnv): string => env.LC_ALL || env.LC_CTYPE || env.LANG || '';

/** Whether the locale and the terminal are known to show more than ASCII. */
export const isUtf8Terminal = (env: NodeJS.ProcessEnv): boolean =>
  /utf-?8/i.test(localeOf(env)) && env.TERM !== 'vt100';
