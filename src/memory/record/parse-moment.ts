import { readDuration } from '../../base/text/duration.ts';
import { DAY_MS, readTime } from '../../base/text/time.ts';

/** The forms of a moment, for messages. */
export const MOMENT_FORMS = 'a date (2026-10-01), a UTC time (2026-10-01 12:00), yesterday, or how long ago (2h)';

/**
 * The moment that a text names (Unix milliseconds): a day means its end, UTC, so that its last snapshot is found.
 * undefined if the text names none.
 */
export function parseMomentText(text: string, nowMs: number): number | undefined {
  const words = text.trim().toLowerCase();
  if (words === 'yesterday') return nowMs - (nowMs % DAY_MS) - 1;
  const agoNs = readDuration(words, 'typed');
  if (agoNs !== undefined) return agoNs < 0n || agoNs > MAX_AGE_NS ? undefined : nowMs - Number(agoNs / 1_000_000n);
  const time = readTime(words);
  if (time === undefined || time.unit === 'month') return undefined;
  return Number((time.unit === 'day' ? time.untilNs - 1n : time.fromNs) / 1_000_000n);
}

/** Whether a text has the form of a snapshot name: an id or a moment. */
export const isSnapshotName = (text: string, nowMs: number): boolean =>
  SNAPSHOT_ID.test(text) || parseMomentText(text, nowMs) !== undefined;

export const SNAPSHOT_ID = /^\d{1,15}$/;

/** A hundred years. */
const MAX_AGE_NS = 36_525n * 86_400_000_000_000n;
