import { shortDuration } from '../../base/text/duration.ts';

/** Something that is waited for. */
export interface Wait {
  /** Tells one wait from the next: a wait is as long as its key stays the same. */
  readonly key: string;
  /** The current work and its progress: `loading the whole list: 1,200 rows`. */
  readonly text: string;
  /** What ends it: `Esc cancels`. */
  readonly hint?: string;
  /** The text includes the time taken so far. */
  readonly isTimed?: true;
}

/** A wait that is long enough to be shown. */
export interface Spinner {
  readonly key: string;
  readonly sinceMs: number;
  readonly nowMs: number;
  /** Drawn so far. */
  readonly frames: number;
}

export interface SpinnerEvent {
  readonly type: 'spun';
  readonly key: string;
  readonly nowMs: number;
}

/** Shorter waits are not shown, and write nothing. */
export const SPINNER_DELAY_MS = 500;
export const SPINNER_FRAME_MS = 250;

export function spinnerAfter(before: Spinner | null, { key, nowMs }: SpinnerEvent): Spinner {
  return before?.key === key
    ? { ...before, nowMs, frames: before.frames + 1 }
    : { key, nowMs, sinceMs: nowMs - SPINNER_DELAY_MS, frames: 0 };
}

/** Four frames a turn, each with an ASCII sign of its own. */
const FRAMES = ['\u2816', '\u2832', '\u2834', '\u2826'] as const;

/** By the clock: where it stands, as in pictures, the sign does, too. */
export const spinnerFrame = ({ nowMs, sinceMs }: Spinner): string =>
  FRAMES[Math.floor((nowMs - sinceMs - SPINNER_DELAY_MS) / SPINNER_FRAME_MS) % FRAMES.length] ?? FRAMES[0];

/** The text of a wait, with its duration. */
export function waitText({ text, isTimed }: Wait, { nowMs, sinceMs }: Spinner): string {
  const waitedMs = nowMs - sinceMs;
  return isTimed || waitedMs < 1000 ? text : `${text}, ${shortDuration(waitedMs)}`;
}
