import type { Privilege } from '../../core/guest-access.ts';
import type { SessionState } from '../../core/state.ts';
import type { LineOutcome } from '../../openings.ts';

/** What a command line comes to: actions in order, or what is wrong with it. */
export type CommandOutcome = LineOutcome;

/** A word that `:` takes, and what may stand behind it. */
export interface Verb {
  /** What it needs that guests do not have. */
  readonly needs?: Privilege;
  /** What is typed, and what it does: help shows both. */
  readonly help: readonly [form: string, about: string];
  readonly read: (state: SessionState, words: readonly string[]) => CommandOutcome;
  /**
   * What the last of the words behind the verb may be, the likeliest first: what is typed of it narrows them. `words` are
   * all behind the verb; the last one is '' behind a space. A value of several words is begun by all of them. The state is
   * the one below the prompt.
   */
  readonly complete?: (state: SessionState, words: readonly string[]) => readonly string[];
}
