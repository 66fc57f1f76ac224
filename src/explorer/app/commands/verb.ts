import type { Privilege } from '../../core/guest-access.ts';
import type { SessionState } from '../../core/state.ts';
import type { LineOutcome } from '../../openings.ts';

/** The result of a command line: actions in order, or its problem. */
export type CommandOutcome = LineOutcome;

/** A word that `:` accepts, and the words that may follow. */
export interface Verb {
  /** The privilege it needs, which guests do not have. */
  readonly needs?: Privilege;
  /** The form to type, and its effect: help shows both. */
  readonly help: readonly [form: string, about: string];
  readonly read: (state: SessionState, words: readonly string[]) => CommandOutcome;
  /**
   * Candidates for the last word after the verb, the likeliest first: the typed part narrows them. `words` are all words
   * after the verb; the last one is '' after a space. A value of several words begins with all `words`. The state is the
   * one below the prompt.
   */
  readonly complete?: (state: SessionState, words: readonly string[]) => readonly string[];
}
