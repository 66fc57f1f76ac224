/** How the explorer can be shown: on a screen, in lines for a screen reader, or not at all, so that a command takes its place. */
export type TerminalKind = 'screen' | 'screen-reader' | 'no-cursor';

export const SCREEN_READER = 'screen-reader';

/** By flag and environment; INK_SCREEN_READER is what programs with Ink have in common. */
export function terminalKind(words: readonly string[], env: NodeJS.ProcessEnv): TerminalKind {
  if (env.INK_SCREEN_READER === 'true' || words.includes(`--${SCREEN_READER}`)) return 'screen-reader';
  return /^(?:dumb|unknown)$/.test(env.TERM ?? '') ? 'no-cursor' : 'screen';
}
