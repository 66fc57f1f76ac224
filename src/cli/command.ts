import type { Context } from './context.ts';
import type { Flag, Given } from './options.ts';

/** A command: what its help says and what it does. Resolves with the exit code. */
export interface Command {
  /** The words after its name: `<resource> <key>`. */
  readonly form: string;
  readonly about: string;
  /** Beside the common ones. */
  readonly flags: readonly Flag[];
  readonly run: (given: Given, context: Context) => Promise<number>;
}
