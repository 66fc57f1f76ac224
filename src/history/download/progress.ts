import type { Range } from '../../chain/insight/range.ts';

/** How far a transfer is: an export, a fetch into the history on disk, or a check of what is there. */
export interface Progress {
  /** `waiting`: nothing has arrived yet, which may take minutes (export-behaviour.md section 1.3). `verifying`: files on disk. */
  readonly phase: 'waiting' | 'receiving' | 'checking' | 'verifying';
  /** The table under way. */
  readonly table: string;
  /** The blocks under way; null between two requests. */
  readonly blocks: Range | null;
  readonly parts: PartCounts;
  readonly bytes: number;
  readonly elapsedMs: number;
  /** By the parts that are done, see `timeLeft`. */
  readonly leftMs: number | null;
  /** CSVs so far, including the current one. */
  readonly entries: number;
  /** Rows checked so far, in all CSVs. */
  readonly rows: number;
  readonly entryName: string;
  /** CSVs of the current file that were read to the end. */
  readonly csvs: readonly { readonly name: string; readonly rows: number; readonly isGood: boolean }[];
  /** Files that are verified, for an export in slices and a fetch. */
  readonly slices?: { readonly done: number; readonly total: number };
  /** The slice that was recorded last. */
  readonly last?: SavedSlice;
  /** Set while nothing arrives: the next attempt is waited for, or another program. */
  readonly pause?: Pause;
}

/** What is done, and what is not: counted in whole parts, each of which is checked by itself. */
export interface PartCounts {
  readonly unit: 'segment' | 'block' | 'file';
  /** Verified. */
  readonly done: number;
  /** They could not be had, or are damaged. */
  readonly failed: number;
  readonly underWay: number;
  readonly of: number;
}

export interface SavedSlice extends Range {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface Pause {
  /** The node refused too many requests, a connection was lost, or another fetch writes the table. */
  readonly reason: 'rate-limit' | 'broken-line' | 'other-fetch';
  /** Until the next attempt; null if that is not known. */
  readonly leftMs: number | null;
}

/** A pause until the next attempt. */
export interface RetryPause extends Pause {
  readonly reason: 'rate-limit' | 'broken-line';
  readonly leftMs: number;
}

const NO_PARTS: PartCounts = { unit: 'segment', done: 0, failed: 0, underWay: 0, of: 0 };

/** Nothing has arrived of a table. */
export const nothingYet = (table: string): Progress => ({
  ...{ phase: 'waiting', table, blocks: null, parts: NO_PARTS, bytes: 0, elapsedMs: 0, leftMs: null },
  ...{ entries: 0, rows: 0, entryName: '', csvs: [] },
});

/** Bytes per second over the whole transfer; 0 before the first byte. */
export const bytesPerSecond = ({ bytes, elapsedMs }: Pick<Progress, 'bytes' | 'elapsedMs'>): number =>
  elapsedMs > 0 ? (bytes * 1000) / elapsedMs : 0;

/**
 * The time left is not known before so much work was measured: the first part also has what happens once, as connecting and a
 * node that reads its history for the first time.
 */
const ESTIMATED_AFTER_MS = 5000;

/** How long the rest takes; null where that is not known yet, or where nothing is left. */
export function timeLeft({ measuredMs, restMs, underWayMs, sinceMs }: Estimate): number | null {
  return measuredMs < ESTIMATED_AFTER_MS ? null : Math.max(restMs - sinceMs, restMs - underWayMs) || null;
}

/** By the parts that are done. */
interface Estimate {
  /** Work that it is judged by. */
  readonly measuredMs: number;
  /** What was not done when the last part was, that under way included. */
  readonly restMs: number;
  readonly underWayMs: number;
  /** Since the last part was done. */
  readonly sinceMs: number;
}

/** The same if each part takes as long as those before. */
export function timeLeftOfParts({ done, underWay, left, doneMs, nowMs }: PartTimes): number | null {
  if (done <= 0 || left <= 0) return null;
  const eachMs = doneMs / done;
  const [restMs, underWayMs] = [eachMs * left, eachMs * underWay];
  return timeLeft({ measuredMs: doneMs, restMs, underWayMs, sinceMs: nowMs - doneMs });
}

interface PartTimes {
  readonly done: number;
  readonly underWay: number;
  /** Those under way included. */
  readonly left: number;
  /** When the last of them was done, since the first began. */
  readonly doneMs: number;
  readonly nowMs: number;
}

/** The cells of a strip, in the order of the work. Each kind of part that there is has a cell. */
export type WorkState = 'done' | 'failed' | 'under-way' | 'to-come';

export function partCells({ done, failed, underWay, of }: PartCounts, cells: number): readonly WorkState[] {
  const counts = { done, failed, 'under-way': underWay, 'to-come': Math.max(0, of - done - failed - underWay) };
  const states = (['done', 'failed', 'under-way', 'to-come'] as const).filter(state => counts[state] > 0);
  const all = states.reduce((sum, state) => sum + counts[state], 0);
  let [before, drawn] = [0, 0];
  return states.flatMap((state, index) => {
    before += counts[state];
    const most = cells - (states.length - 1 - index);
    const end = Math.min(most, Math.max(drawn + 1, Math.round((before * cells) / all)));
    const own = Array.from({ length: Math.max(0, end - drawn) }, () => state);
    drawn = Math.max(drawn, end);
    return own;
  });
}
