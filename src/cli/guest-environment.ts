/** Asks for the explorer that is harmless behind `ForceCommand` of OpenSSH. */
export const GUEST = 'guest';

/** Wherever the word is: a command line that might be one for guests is never run as another. */
export const isForGuests = (words: readonly string[]): boolean => words.includes(`--${GUEST}`);

/** They decide about colours and characters, whether a command is refused, and whose limit of requests is used. */
const KEPT_VARIABLES = ['TERM', 'LANG', 'LC_ALL', 'LC_CTYPE', 'NO_COLOR', 'SSH_ORIGINAL_COMMAND', 'BLOCKGLASS_CLIENT'];

/** Removes every variable that a guest might have sent, for the program, its libraries and its threads. */
export function forgetEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (!KEPT_VARIABLES.includes(name)) delete env[name];
}
