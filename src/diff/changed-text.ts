import { countOf } from '../insight/count-of.ts';
import type { ChangedSince, RecentChanges } from './recent-changes.ts';

/** What stored snapshots say: `3 parameters since yesterday 23:50 UTC`, `as of 18:02 UTC`. */
export const changedParts = (
  { sinceYesterday, sinceLooked, untilMs }: RecentChanges,
  nowMs: number,
): readonly string[] => [
  ...(sinceYesterday === null ? [] : [`${countsText(sinceYesterday)} since ${dayText(sinceYesterday.takenMs, nowMs)}`]),
  ...(sinceLooked === null
    ? []
    : [`${countsText(sinceLooked)} since you last looked (snapshot of ${dayText(sinceLooked.takenMs, nowMs)})`]),
  `as of ${dayText(untilMs, nowMs)}`,
];

const countsText = ({ counts, compared }: ChangedSince): string =>
  counts.length === 0
    ? `nothing in ${countOf(compared, 'list')}`
    : counts.map(([list, count]) => countOf(count, ONE_OF.get(list) ?? list)).join(', ');

const ONE_OF: ReadonlyMap<string, string> = new Map([
  ['parameters', 'parameter'],
  ['bundles', 'bundle'],
  ['oracles', 'oracle spec'],
  ['markets', 'market'],
  ['assets', 'asset'],
  ['validators', 'validator'],
]);

/** `yesterday 23:50`, `18:02`, `2026-10-01 23:50`; all UTC. */
function dayText(timeMs: number, nowMs: number): string {
  const [time, now] = [timeMs, nowMs].map(ms => new Date(ms).toISOString());
  const clock = `${time?.slice(11, 16)} UTC`;
  if (time?.slice(0, 10) === now?.slice(0, 10)) return clock;
  const yesterday = new Date(nowMs - 86_400_000).toISOString().slice(0, 10);
  return `${time?.slice(0, 10) === yesterday ? 'yesterday' : time?.slice(0, 10)} ${clock}`;
}
