import { duration } from '../../chain/insight/duration.ts';

/** Something that is waited for. */
export interface Wait {
  /** Tells one wait from the next: a wait is as long as its key stays the same. */
  readonly key: string;
  /** What is done, and how far it is: `loading the whole list: 1,200 rows`. */
  readonly text: string;
  /** What ends it: `Esc cancels`. */
  readonly hint?: string;
  /** The text says how long it has taken. */
  readonly isTimed?: true;
}

/** A wait that is long enough to be shown. */
export interface Spin {
  readonly key: string;
  readonly sinceMs: number;
  readonly nowMs: number;
  /** Drawn so far. */
  readonly frames: number;
}

export interface Spun {
  readonly type: 'spun';
  readonly key: string;
  readonly nowMs: number;
}

/** Shorter waits are not shown, and write nothing. */
export const SPIN_AFTER_MS = 500;
export const SPIN_FRAME_MS = 250;

export function spinAfter(before: Spin | null, { key, nowMs }: Spun): Spin {
  return before?.key === key
    ? { ...before, nowMs, frames: before.frames + 1 }
    : { key, nowMs, sinceMs: nowMs - SPIN_AFTER_MS, frames: 0 };
}

/** Four frames a turn, each with an ASCII sign of its own. */
const FRAMES = ['\u2816', '\u2832', '\u2834', '\u2826'] as const;

/** By the clock: where it stands, as in pictures, the sign does, too. */
export const spinSign = ({ nowMs, sinceMs }: Spin): string =>
  FRAMES[Math.floor((nowMs - sinceMs - SPIN_AFTER_MS) / SPIN_FRAME_MS) % FRAMES.length] ?? FRAMES[0];

/** What is waited for, and for how long. */
export function waitText({ text, isTimed }: Wait, { nowMs, sinceMs }: Spin): string {
  const waitedMs = nowMs - sinceMs;
  return isTimed || waitedMs < 1000 ? text : `${text}, ${duration(waitedMs)}`;
}
