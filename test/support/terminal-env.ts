import { join } from 'node:path';

/** Set a variable, or with `undefined` leave it out. */
export type EnvironmentChanges = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a program under test. It starts from nothing but what is needed to run: CI variables make Ink
 * non-interactive, NODE_ENV and VITEST change React, TMUX and SSH variables change what a program thinks of its
 * terminal, and a proxy or BLOCKGLASS_ variable of the developer's would decide where requests go.
 */
export function terminalEnvironment(home: string, changes: EnvironmentChanges = {}): Record<string, string> {
  const wanted: EnvironmentChanges = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    TERM: 'xterm-256color',
    COLORTERM: '',
    LANG: 'C.UTF-8',
    // Most tests are about lists: no other requests should come before theirs.
    BLOCKGLASS_START_TAB: 'parameters',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    // A home that is new each time has no compiled program: each start would make it again.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...changes,
  };
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
