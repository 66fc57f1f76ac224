import { findLogins } from '../../../chain/api/login.ts';
import type { WorldEffect } from '../effect.ts';

/** The commands that were entered behind `:`, oldest first. */
export interface CommandHistory {
  /** Those of earlier runs; null until they are read, when the prompt is first opened. */
  readonly saved: readonly string[] | null;
  /** Those of this run. */
  readonly entered: readonly string[];
  /** Those of this run that are still to be saved. */
  readonly unsaved: readonly { readonly requestId: number; readonly line: string }[];
}

export type HistoryEvent =
  | { readonly type: 'history-read'; readonly lines: readonly string[] }
  | { readonly type: 'command-saved'; readonly requestId: number };

/** What the history needs of the world. */
export interface HistoryWorld {
  /** The commands of earlier runs, oldest first. */
  readonly history: () => Promise<readonly string[]>;
  /** Saves a command behind them. */
  readonly saveCommand: (line: string) => Promise<void>;
}

export const NO_HISTORY: CommandHistory = { saved: null, entered: [], unsaved: [] };

/** The most lines that are saved and recalled. */
export const MAX_HISTORY_LINES = 500;

/** A longer line was pasted. */
const MAX_LINE_LENGTH = 1000;

/** The history with a line that was typed. A line that may hold a password, or repeats the last one, changes nothing. */
export function addToHistory(history: CommandHistory, typed: string, requestId: number): CommandHistory {
  const line = typed.trim();
  const last = history.entered.at(-1) ?? history.saved?.at(-1);
  if (!isWorthSaving(line) || line === last) return history;
  return {
    ...history,
    entered: [...history.entered, line].slice(-MAX_HISTORY_LINES),
    unsaved: [...history.unsaved, { requestId, line }],
  };
}

export function historyAfter(history: CommandHistory, event: HistoryEvent): CommandHistory {
  switch (event.type) {
    case 'history-read':
      return { ...history, saved: event.lines };
    case 'command-saved':
      return { ...history, unsaved: history.unsaved.filter(({ requestId }) => requestId !== event.requestId) };
  }
}

/** Reads earlier runs only when they are wanted: most people type no command. A failure costs the history, no more. */
export const historyEffects = (
  { saved, unsaved }: CommandHistory,
  isWanted: boolean,
): readonly WorldEffect<HistoryWorld, HistoryEvent>[] => [
  ...(isWanted && saved === null ? [READ_HISTORY] : []),
  ...unsaved.map(({ requestId, line }): WorldEffect<HistoryWorld, HistoryEvent> => {
    const done = { type: 'command-saved', requestId } as const;
    return {
      key: `command ${requestId}`,
      run: async world => {
        await world.saveCommand(line);
        return [done];
      },
      failed: () => [done],
      mustFinish: true,
    };
  }),
];

const READ_HISTORY: WorldEffect<HistoryWorld, HistoryEvent> = {
  key: 'history',
  run: async world => [{ type: 'history-read', lines: await world.history() }],
  failed: () => [{ type: 'history-read', lines: [] }],
};

/** Whether a line may be written to a file: the address of a node may hold a login. */
export const isWorthSaving = (line: string): boolean =>
  line !== '' && line.length <= MAX_LINE_LENGTH && findLogins(line.split(/[\s=]+/)).length === 0;

/** The lines that begin like this one, newest first, each once. */
export function linesStartingWith({ saved, entered }: CommandHistory, typed: string): readonly string[] {
  const lines = [...(saved ?? []), ...entered].reverse();
  return [...new Set(lines)].filter(line => line !== typed && line.startsWith(typed));
}
