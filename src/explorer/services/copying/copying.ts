import type { WorldEffect } from '../effect.ts';
import { errorMessage } from '../failure.ts';
import type { Copying, Saved, Saving } from './content.ts';

// Content on its way to the clipboard or to a file, until it has arrived.

export type CopyEvent =
  | { readonly type: 'copied'; readonly requestId: number; readonly message: string; readonly isDone: boolean }
  | { readonly type: 'saved'; readonly requestId: number; readonly saved: Saved }
  | { readonly type: 'not-saved'; readonly requestId: number; readonly problem: string };

export interface Copied {
  readonly message: string;
  readonly isDone: boolean;
}

/** What copying and saving need of the world. */
export interface CopyWorld {
  /** Puts text on the user's clipboard, and reports exactly the actions taken. */
  readonly copy: (copying: Copying, signal: AbortSignal) => Promise<Copied>;
  /** Writes a text to a file, as a whole or not at all. */
  readonly save: (saving: Saving, signal: AbortSignal) => Promise<Saved>;
}

/** Nothing is written while the person is asked whether a file may be replaced. */
export const copyEffects = (
  copying: Copying | null,
  saving: Saving | null,
): readonly WorldEffect<CopyWorld, CopyEvent>[] => [
  ...(copying === null ? [] : [copyEffect(copying)]),
  ...(saving === null || saving.isAsked ? [] : [saveEffect(saving)]),
];

function copyEffect(copying: Copying): WorldEffect<CopyWorld, CopyEvent> {
  const { requestId } = copying;
  return {
    key: `copy ${requestId}`,
    run: async (world, signal) => [{ type: 'copied', requestId, ...(await world.copy(copying, signal)) }],
    failed: error => [{ type: 'copied', requestId, message: errorMessage(error), isDone: false }],
    mustFinish: true,
  };
}

function saveEffect(saving: Saving): WorldEffect<CopyWorld, CopyEvent> {
  const { requestId } = saving;
  return {
    key: `save ${requestId}`,
    run: async (world, signal) => [{ type: 'saved', requestId, saved: await world.save(saving, signal) }],
    failed: error => [{ type: 'not-saved', requestId, problem: errorMessage(error) }],
    mustFinish: true,
  };
}
