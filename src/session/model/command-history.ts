import { loginsIn } from '../../api/login.ts';

/** The lines that were typed behind `:`, oldest first. */
export interface CommandHistory {
  /** Those of other runs; null until they were read, which is when the prompt is first opened. */
  readonly kept: readonly string[] | null;
  /** Those of this run. */
  readonly entered: readonly string[];
  /** Those of this run that are still to be kept. */
  readonly unkept: readonly { readonly ticket: number; readonly line: string }[];
}

export const NO_HISTORY: CommandHistory = { kept: null, entered: [], unkept: [] };

/** So many lines are kept, and gone through. */
export const MOST_LINES = 500;

/** Longer ones were pasted. */
const LONGEST_LINE = 1000;

/** The history with a line that was typed; one that may have a password in it, or is the last one again, changes nothing. */
export function withEntered(history: CommandHistory, typed: string, ticket: number): CommandHistory {
  const line = typed.trim();
  const last = history.entered.at(-1) ?? history.kept?.at(-1);
  if (!isWorthKeeping(line) || line === last) return history;
  return {
    ...history,
    entered: [...history.entered, line].slice(-MOST_LINES),
    unkept: [...history.unkept, { ticket, line }],
  };
}

export const withoutUnkept = (history: CommandHistory, ticket: number): CommandHistory => ({
  ...history,
  unkept: history.unkept.filter(line => line.ticket !== ticket),
});

/** Whether a line may stand in a file: the address of a node may hold a login. */
export const isWorthKeeping = (line: string): boolean =>
  line !== '' && line.length <= LONGEST_LINE && loginsIn(line.split(/[\s=]+/)).length === 0;

/** The lines that begin as this one does, newest first, each once. */
export function linesLike({ kept, entered }: CommandHistory, typed: string): readonly string[] {
  const lines = [...(kept ?? []), ...entered].reverse();
  return [...new Set(lines)].filter(line => line !== typed && line.startsWith(typed));
}
