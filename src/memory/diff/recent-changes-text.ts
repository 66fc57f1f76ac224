import { countOf } from '../../chain/insight/count-of.ts';
import type { ChangeCounts, RecentChanges } from './recent-changes.ts';

/** Texts for one or both ranges of stored snapshots: `3 parameters (snapshots yesterday 23:50 to 18:02 UTC)`. */
export const recentChangesTexts = (changes: RecentChanges, nowMs: number): readonly string[] => {
  const { sinceYesterday, sinceLooked } = changes;
  const partOf = (since: ChangeCounts | null, words: string): readonly string[] =>
    since === null ? [] : [`${countsText(since)}${words} ${comparedText(changes, since, nowMs)}`];
  return [...partOf(sinceYesterday, ''), ...partOf(sinceLooked, ' since you last looked')];
};

/** Shorter forms of the first part, the longest first. */
export function shorterChangesTexts(changes: RecentChanges, nowMs: number): readonly string[] {
  const since = changes.sinceYesterday ?? changes.sinceLooked;
  if (since === null) return [];
  const records = since.counts.reduce((sum, [, count]) => sum + count, 0);
  const compared = comparedText(changes, since, nowMs);
  return [`${countsText(since)} ${compared}`, `${countOf(records, 'record')} ${compared}`];
}

const comparedText = ({ untilMs }: RecentChanges, { takenMs }: ChangeCounts, nowMs: number): string =>
  `(snapshots ${dayText(takenMs, nowMs)} to ${dayText(untilMs, nowMs)} UTC)`;

const countsText = ({ counts, compared }: ChangeCounts): string =>
  counts.length === 0
    ? `nothing in ${countOf(compared, 'list')}`
    : counts.map(([list, count]) => countOf(count, SINGULARS.get(list) ?? list)).join(', ');

const SINGULARS: ReadonlyMap<string, string> = new Map([
  ['parameters', 'parameter'],
  ['bundles', 'bundle'],
  ['oracles', 'oracle spec'],
  ['markets', 'market'],
  ['assets', 'asset'],
  ['validators', 'validator'],
]);

/** `yesterday 23:50`, `18:02`, `2026-10-01 23:50`. */
function dayText(timeMs: number, nowMs: number): string {
  const [time, now] = [timeMs, nowMs].map(ms => new Date(ms).toISOString());
  const clock = time?.slice(11, 16) ?? '';
  if (time?.slice(0, 10) === now?.slice(0, 10)) return clock;
  const yesterday = new Date(nowMs - 86_400_000).toISOString().slice(0, 10);
  return `${time?.slice(0, 10) === yesterday ? 'yesterday' : time?.slice(0, 10)} ${clock}`;
}
