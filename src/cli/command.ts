import type { Context } from './context.ts';
import type { Flag, ParsedFlags, SharedFlag } from './flags.ts';
import type { Format } from './output.ts';

/** The groups of commands, in the order in which the help has them. */
export const GROUPS = ['Look at a chain', 'Watch nodes', 'Export history', 'Read exports', 'Set up'] as const;

/** A command: its help and its action. Resolves with the exit code. */
export interface Command {
  readonly group: (typeof GROUPS)[number];
  /** The words after its name: `<resource> <key>`. */
  readonly form: string;
  /** The flags that every run needs: `--for ENGINE`. */
  readonly needs?: string;
  /** Its description. The text before the first `:`, `;`, `.` or `(` is its line in lists of commands. */
  readonly about: string;
  /** Words that it takes, for completion. */
  readonly words?: readonly string[];
  /** Two command lines, without the program's name, that work unchanged on the embedded node. */
  readonly examples: readonly [string, string];
  /** The same for one list, of a command that takes the name of a list. */
  readonly examplesOf?: (list: string) => readonly [string, string];
  /** Flags of only this command. */
  readonly flags: readonly Flag[];
  /** Common flags that it accepts. */
  readonly uses: readonly SharedFlag[];
  /** What `-o` can be; without it every format. */
  readonly formats?: readonly (Format | 'html')[];
  /** The exit code of every failure, for a command whose codes mean something else than those of the others. */
  readonly failsWith?: number;
  /** It accepts several --node flags. */
  readonly asksSeveral?: true;
  readonly run: (given: ParsedFlags, context: Context) => Promise<number>;
}

/** Every command by its name, loaded when it runs. */
export type Commands = { readonly [name: string]: () => Promise<Command> };
